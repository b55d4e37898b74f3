import { createLogger, loadSettings } from '#libs/platform';
import { DatabaseClock } from '../../database/clock.js';
import { WorkerEvents } from '../../worker-events.js';
import type { LeasedCycle } from '../cycle/cycle.js';
import { LeasedCycles } from './leased-cycles.js';

const LEASE_MS = 60_000;

describe('A lease', () => {
  const settings = loadSettings({
    DATABASE_URL: 'postgres://127.0.0.1/x',
    ENCRYPTION_KEY: 'c0ffee'.padEnd(64, '0'),
    CLAIM_LEASE: `PT${LEASE_MS / 1_000}S`,
  });
  const log = createLogger('worker', settings);
  const leasedCycles = (): LeasedCycles =>
    new LeasedCycles({} as never, 'worker', settings, new DatabaseClock(), log, new WorkerEvents(log));
  const claimed = (scheduledOrderId: number, claim = 1, keptClaim: number | null = null) =>
    ({ scheduledOrderId, cycle: 1, claim, keptClaim, leaseEndsAt: performance.now() + LEASE_MS }) as LeasedCycle;
  const sleep = (ms: number) => {
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + ms);
  };
  afterEach(() => jest.restoreAllMocks());

  it('holds for so long, and not while the machine slept through its end', () => {
    const cycles = leasedCycles();
    const cycle = claimed(1);
    cycles.add([cycle]);
    expect(cycles.holds(cycle)).toBe(true);
    sleep(LEASE_MS / 2);
    expect(cycles.holds(cycle)).toBe(true);
    sleep(LEASE_MS);
    expect(cycles.holds(cycle)).toBe(false);
  });

  it('is not given back what was slept by claims that follow, and these hold in full', () => {
    const cycles = leasedCycles();
    const cycle = claimed(1);
    cycles.add([cycle]);
    sleep(LEASE_MS);
    cycles.add([]);
    const next = claimed(2);
    cycles.add([next]);
    expect(cycles.holds(cycle)).toBe(false);
    expect(cycles.holds(next)).toBe(true);
  });

  it('is extended for a cycle that the worker took over from itself, and begins again after a claim', () => {
    const cycles = leasedCycles();
    const first = claimed(1);
    expect(cycles.add([first])).toEqual([first]);
    expect(cycles.add([claimed(1, 2, 1)])).toEqual([]);
    expect(first.claim).toBe(2);
    const again = claimed(1, 3);
    expect(cycles.add([again])).toEqual([again]);
    cycles.drop([first]);
    expect(cycles.size).toBe(1);
    cycles.drop([again]);
    expect(cycles.size).toBe(0);
  });

  it('is not longer for an earlier claim than the one that was taken over', () => {
    const cycles = leasedCycles();
    const first = claimed(1, 1);
    cycles.add([first]);
    const taken = claimed(1, 4, 3);
    expect(cycles.add([taken])).toEqual([taken]);
    expect(first.claim).toBe(1);
  });
});
