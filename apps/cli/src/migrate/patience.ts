import { setTimeout as pause } from 'node:timers/promises';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** Pauses between tries. Each is twice as long as the previous one, until the time is up. */
export class Patience {
  private readonly endsAt: number;
  private nextMs = FIRST_PAUSE_MS;

  constructor(readonly waitMs: number) {
    this.endsAt = performance.now() + waitMs;
  }

  /** The length of the next pause; null when the time is up. */
  get nextPauseMs(): number | null {
    const leftMs = Math.floor(this.endsAt - performance.now());
    return leftMs <= 0 ? null : Math.min(this.nextMs, leftMs);
  }

  async pause(ms: number): Promise<void> {
    await pause(ms);
    this.nextMs = Math.min(this.nextMs * 2, LONGEST_PAUSE_MS);
  }
}
