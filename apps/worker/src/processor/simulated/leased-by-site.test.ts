import type { LeasedCycle } from '../cycle/cycle.js';
import { LeasedBySite } from './leased-by-site.js';

/** Only what identifies a cycle matters here. */
const cycles = (siteId: number, count: number): LeasedCycle[] =>
  Array.from({ length: count }, (_, index) => ({ siteId, scheduledOrderId: index, cycle: siteId }) as LeasedCycle);

/** Whether a promise is settled once everything that waits has had its turn. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  await new Promise(setImmediate);
  return settled;
}

describe('LeasedBySite', () => {
  it('has room while at most half of the limit is on its way, of all sites together', async () => {
    const leased = new LeasedBySite();
    expect(await leased.room(10)).toBe(10);
    leased.add(cycles(1, 3));
    leased.add(cycles(2, 2));
    expect(await leased.room(10)).toBe(5);
  });

  it('makes who wants room wait until enough has ended, on whichever site', async () => {
    const leased = new LeasedBySite();
    leased.add(cycles(1, 4));
    leased.add(cycles(2, 4));
    const room = leased.room(10);
    leased.remove(cycles(1, 2));
    expect(await isSettled(room)).toBe(false);
    leased.remove(cycles(2, 1));
    expect(await room).toBe(5);
  });

  it('has room for one again when one was all', async () => {
    const leased = new LeasedBySite();
    leased.add(cycles(1, 1));
    const room = leased.room(1);
    expect(await isSettled(room)).toBe(false);
    leased.remove(cycles(1, 1));
    expect(await room).toBe(1);
  });

  it('tells when nothing of a site is on its way, whatever is of others', async () => {
    const leased = new LeasedBySite();
    leased.add([...cycles(1, 2), ...cycles(2, 1)]);
    const none = leased.none(1);
    leased.remove(cycles(1, 1));
    expect(await isSettled(none)).toBe(false);
    leased.remove(cycles(1, 2));
    expect(await isSettled(none)).toBe(true);
  });
});
