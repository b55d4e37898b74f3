import type { LeasedCycle } from '../cycle.js';
import { SiteWindows } from './site-windows.js';

const cycles = (siteId: number, count: number, claimedAt = 0) =>
  Array.from({ length: count }, () => ({ siteId, claimedAt }) as LeasedCycle);

describe('The window of a site', () => {
  it('keeps a site from more cycles than it may have in progress', () => {
    const windows = new SiteWindows(50, 1_000);
    expect(windows.room(1)).toBe(50);
    windows.add(cycles(1, 30));
    expect([windows.room(1), windows.saturated]).toEqual([20, []]);
    windows.add(cycles(1, 40));
    expect([windows.room(1), windows.saturated, windows.room(2)]).toEqual([0, [1], 50]);
  });

  it('lets it have more when half of it is done', () => {
    const windows = new SiteWindows(50, 1_000);
    const claimed = cycles(1, 60);
    windows.add(claimed);
    expect(windows.remove(claimed.slice(0, 30), 10_000)).toBe(false);
    expect(windows.saturated).toEqual([1]);
    expect(windows.remove(claimed.slice(30, 40), 10_000)).toBe(true);
    expect(windows.saturated).toEqual([]);
  });

  it('doubles while charges are quick, up to the largest', () => {
    const windows = new SiteWindows(50, 150);
    for (const room of [100, 150, 150]) {
      const claimed = cycles(1, 50);
      windows.add(claimed);
      windows.remove(claimed, 100);
      expect(windows.room(1)).toBeGreaterThanOrEqual(room - 50);
    }
    expect(windows.room(1)).toBe(150);
  });

  it('is halved again when they are slow, down to the smallest', () => {
    const windows = new SiteWindows(50, 1_000);
    const quick = cycles(1, 200);
    windows.add(quick);
    windows.remove(quick, 100);
    const wide = windows.room(1);
    const slow = cycles(1, 3);
    windows.add(slow);
    for (const [index, one] of slow.entries()) windows.remove([one], 20_000 + index * 10_000);
    expect(windows.room(1)).toBe(Math.max(50, wide >> 3));
  });

  it('tells when there is room again in a window that was halved below the cycles in progress', () => {
    const windows = new SiteWindows(50, 1_000);
    const quick = cycles(1, 50);
    windows.add(quick);
    windows.remove(quick, 100);
    const slow = cycles(1, 80);
    windows.add(slow);
    expect([windows.room(1), windows.saturated]).toEqual([20, []]);
    expect(windows.remove(slow.slice(0, 1), 20_000)).toBe(false);
    expect([windows.room(1), windows.saturated]).toEqual([0, [1]]);
    expect(windows.remove(slow.slice(1, 55), 20_000)).toBe(true);
    expect([windows.room(1), windows.saturated]).toEqual([25, []]);
  });
});
