/**
 * A timer that goes off at the earliest of the times that it was set to, between `start` and `stop`. With `--once` it
 * is never started.
 */
export class Alarm {
  private timer: NodeJS.Timeout | null = null;
  private ringsAt = Infinity;
  private isStarted = false;

  constructor(private readonly ring: () => void) {}

  start(): void {
    this.isStarted = true;
  }

  /** Goes off in this many milliseconds, unless it is already set to an earlier time. */
  setIn(ms: number): void {
    const at = performance.now() + ms;
    if (!this.isStarted || at >= this.ringsAt) return;
    this.ringsAt = at;
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(
      () => {
        this.clear();
        this.ring();
      },
      Math.max(1, ms),
    );
  }

  stop(): void {
    this.isStarted = false;
    this.clear();
  }

  private clear(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.ringsAt = Infinity;
  }
}
