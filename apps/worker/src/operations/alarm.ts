/** A timer that rings at the earliest of the times that it was set to, between `start` and `stop`: with `--once` nothing is waited for. */
export class Alarm {
  private timer: NodeJS.Timeout | null = null;
  private ringsAt = Infinity;
  private isStarted = false;

  constructor(private readonly ring: () => void) {}

  start(): void {
    this.isStarted = true;
  }

  /** Rings in so many milliseconds, unless it is set to ring before. */
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
