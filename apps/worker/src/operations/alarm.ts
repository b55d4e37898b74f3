/** A timer that rings at the earliest of the times that it was set to. */
export class Alarm {
  private timer: NodeJS.Timeout | null = null;
  private ringsAt = Infinity;

  constructor(private readonly ring: () => void) {}

  /** Rings in so many milliseconds, unless it is set to ring before. */
  setIn(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.ringsAt) return;
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

  clear(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.ringsAt = Infinity;
  }
}
