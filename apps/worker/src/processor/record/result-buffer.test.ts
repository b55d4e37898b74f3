import { until } from '../../../../../test/support/until.js';
import type { Result } from '../cycle/outcome.js';
import { ResultBuffer } from './result-buffer.js';

const results = (count: number) => Array.from({ length: count }, () => ({ cycle: { presentUtc: null } }) as Result);

describe('A buffer of results', () => {
  it('goes on after a batch that failed, which nobody else has to handle', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    let recorded = 0;
    let failed = 0;
    const buffer = new ResultBuffer(10, async (batch) => {
      await Promise.resolve();
      if (failed++ < 5) throw new Error('This batch cannot be recorded.');
      recorded += batch.length;
    });
    buffer.add(...results(60));
    await until(() => recorded === 10);
    buffer.add(...results(1));
    await until(() => recorded === 11);
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it.each([
    [undefined, 10],
    [50, 10],
    [300, 30],
    [5_000, 50],
  ])('waits for others, where a charge takes %s ms, for %s ms', (chargeMs, delayMs) => {
    jest.useFakeTimers();
    try {
      const record = jest.fn(() => Promise.resolve());
      const buffer = new ResultBuffer(10, record);
      if (chargeMs !== undefined) buffer.chargeTook(chargeMs);
      const [one, other] = results(2);
      buffer.add(one!);
      jest.advanceTimersByTime(delayMs - 1);
      buffer.add(other!);
      expect(record).not.toHaveBeenCalled();
      jest.advanceTimersByTime(1);
      expect(record.mock.calls).toEqual([[[one, other]]]);
    } finally {
      jest.useRealTimers();
    }
  });
});
