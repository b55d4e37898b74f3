import { waitUnlessOver } from './actor.js';

/** What was committed from the first instant on was lost at the second. */
export interface Lost {
  readonly fromMs: number;
  readonly toMs: number;
  /** From when on a database that lacks them may be at work, beside the other even. */
  readonly besideMs: number;
}

/** Between two instants of the true clock all commits are lost later: a restore, or a promotion, is under way. */
export class Windows {
  readonly lost: Lost[] = [];
  private openSince: number | null = null;
  private guests = 0;

  get isOpen(): boolean {
    return this.openSince !== null;
  }

  /** Waits until nobody is at work whose work must not be lost. @returns false when the signal ends it. */
  async open(signal: AbortSignal): Promise<boolean> {
    this.openSince = Date.now();
    while (this.guests > 0 && !signal.aborted) await waitUnlessOver(50, signal);
    this.openSince = Date.now();
    if (signal.aborted) this.openSince = null;
    return !signal.aborted;
  }

  /** They are lost now; `besideMs`: since when a database without them is at work already. */
  lose(besideMs = Date.now()): void {
    this.lost.push({ fromMs: this.openSince!, toMs: Date.now(), besideMs });
  }

  /** What is answered from now on stands. */
  close(): void {
    this.openSince = null;
  }

  /** While it works nothing is lost; null when something is about to be. */
  outside<T>(work: () => Promise<T>): Promise<T> | null {
    if (this.isOpen) return null;
    this.guests += 1;
    return work().finally(() => (this.guests -= 1));
  }
}
