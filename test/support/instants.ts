/**
 * What was set to so many ms after the present is that: neither before what sets it was begun (`sinceMs`), nor after
 * now. However long it took, and but for a second, since clocks are read in whole ones.
 */
export function expectFromNow(instant: Date, ms: number, sinceMs: number): void {
  expect(instant.getTime()).toBeGreaterThanOrEqual(sinceMs + ms - 1_000);
  expect(instant.getTime()).toBeLessThanOrEqual(Date.now() + ms + 1_000);
}
