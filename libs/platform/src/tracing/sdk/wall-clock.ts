const MOST_APART_MS = 50;

/**
 * The time of day, with fractions of a millisecond. It runs with the monotonic clock, so that the parts of a span fit
 * into it, and is set again when the machine's clock was.
 */
export class WallClock {
  private offset = Date.now() - performance.now();

  now(): number {
    const now = performance.now() + this.offset;
    const wall = Date.now();
    if (Math.abs(wall - now) <= MOST_APART_MS) return now;
    this.offset += wall - now;
    return wall;
  }
}
