const EVERY_MS = 50;

/** When this process stood still: what arrived then is seen late. */
export class Stalls {
  private readonly stalls: { readonly fromMs: number; readonly toMs: number }[] = [];
  private timer: NodeJS.Timeout | null = null;

  start(): void {
    let last = Date.now();
    this.timer = setInterval(() => {
      const now = Date.now();
      if (now - last > 2 * EVERY_MS) this.stalls.push({ fromMs: last, toMs: now });
      last = now;
    }, EVERY_MS);
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** Of that time, and of what else stood still. */
  within(fromMs: number, toMs: number, others: readonly { readonly fromMs: number; readonly toMs: number }[]): number {
    const overlaps = [...this.stalls, ...others].map((one) => Math.min(one.toMs, toMs) - Math.max(one.fromMs, fromMs));
    return overlaps.reduce((sum, ms) => sum + Math.max(0, ms), 0);
  }
}
