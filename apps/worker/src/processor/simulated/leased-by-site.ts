import { Injectable } from '@nestjs/common';
import { keyOf, type LeasedCycle } from '../cycle/cycle.js';

/** The cycles of simulated sites that are on their way, and who waits for their end. */
@Injectable()
export class LeasedBySite {
  private readonly leased = new Map<number, Set<string>>();
  private readonly waiting = new Map<number, () => void>();
  private readonly waitingForRoom = new Set<() => void>();

  add(cycles: readonly LeasedCycle[]): void {
    for (const cycle of cycles) {
      const ofSite = this.leased.get(cycle.siteId) ?? new Set();
      this.leased.set(cycle.siteId, ofSite.add(keyOf(cycle)));
    }
  }

  remove(cycles: readonly LeasedCycle[]): void {
    for (const cycle of cycles) {
      const ofSite = this.leased.get(cycle.siteId);
      if (ofSite?.delete(keyOf(cycle)) !== true || ofSite.size > 0) continue;
      this.leased.delete(cycle.siteId);
      this.waiting.get(cycle.siteId)?.();
      this.waiting.delete(cycle.siteId);
    }
    for (const goOn of this.waitingForRoom) goOn();
    this.waitingForRoom.clear();
  }

  /**
   * Resolves when at most half of `limit` are on their way, of all sites together. @returns how many more fit into
   * `limit`.
   */
  async room(limit: number): Promise<number> {
    while (this.size > limit / 2) await new Promise<void>((resolve) => this.waitingForRoom.add(resolve));
    return limit - this.size;
  }

  private get size(): number {
    let size = 0;
    for (const ofSite of this.leased.values()) size += ofSite.size;
    return size;
  }

  /** Resolves when none of the site is on its way. One caller a site. */
  async none(siteId: number): Promise<void> {
    if (this.leased.has(siteId)) await new Promise<void>((resolve) => this.waiting.set(siteId, resolve));
  }
}
