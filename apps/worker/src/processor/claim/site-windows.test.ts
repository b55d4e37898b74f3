import type { LeasedCycle } from '../cycle/cycle.js';
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

  it.each([
    ['a batch, where the gateways take few at once', 10, 500, 50],
    ['twice what the gateways take at once', 50, 500, 100],
    ['a batch that is smaller', 2, 10, 10],
  ])('begins at %s', (_, gatewayConcurrency, claimBatch, room) => {
    expect(SiteWindows.fromSettings({ gatewayConcurrency, claimBatch }).room(1)).toBe(room);
  });

  /** The room of a site, all of whose cycles have ended: each took so long, one after the other. */
  const roomAfter = (...tookMs: readonly number[]) => {
    const windows = new SiteWindows(4, 12);
    let now = 0;
    for (const ms of tookMs) {
      const [cycle] = cycles(1, 1, now);
      windows.add([cycle!]);
      windows.remove([cycle!], (now += ms));
    }
    return windows.room(1);
  };
  const times = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms);

  it.each([
    ['as many quick ones as it has places double it', times(4, 1_999), 8],
    ['one less do not', times(3, 1_999), 4],
    ['so many more double it again, to the largest', times(12, 1_999), 12],
    ['one less do not double it again', times(11, 1_999), 8],
    ['it grows no more than that', times(100, 1_999), 12],
    ['what takes two seconds is not quick', times(100, 2_000), 4],
    ['a slow one halves it', [...times(12, 1_999), 5_001], 6],
    ['what takes five seconds is not slow', [...times(12, 1_999), 5_000], 12],
    ['two slow ones halve it twice, to the smallest', [...times(12, 1_999), 5_001, 5_001], 4],
    ['a slow one counts for the quick ones before it', [...times(7, 1_999), 5_001, ...times(3, 1_999)], 4],
  ])('%s', (_, tookMs, room) => {
    expect(roomAfter(...tookMs)).toBe(room);
  });

  it('is halved once in five seconds', () => {
    const windows = new SiteWindows(4, 64);
    const quick = cycles(1, 64);
    windows.add(quick);
    windows.remove(quick, 100);
    expect(windows.room(1)).toBe(64);
    const slow = cycles(1, 3);
    windows.add(slow);
    windows.remove([slow[0]!], 20_000);
    windows.remove([slow[1]!], 25_000);
    expect(windows.room(1)).toBe(32 - 1);
    windows.remove([slow[2]!], 25_001);
    expect(windows.room(1)).toBe(16);
  });

  it('is full with the last of its places, and has room again when half of them are free', () => {
    const windows = new SiteWindows(4, 4);
    const claimed = cycles(1, 4);
    windows.add(claimed.slice(0, 3));
    expect(windows.saturated).toEqual([]);
    windows.add(claimed.slice(3));
    expect(windows.saturated).toEqual([1]);
    expect([windows.remove(claimed.slice(0, 1), 10), windows.remove(claimed.slice(1, 2), 10)]).toEqual([false, true]);
    expect(windows.saturated).toEqual([]);
  });
});
