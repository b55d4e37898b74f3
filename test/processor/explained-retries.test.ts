import { type Json, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { createWorker, ENCRYPTION_KEY, givenShop } from '../support/worker.js';
import { readers } from './readers.js';

const SCHEDULES: Record<string, { most: number; env: Record<string, string> }> = {
  'the usual schedule': { most: 4, env: {} },
  'a schedule of its own': { most: 2, env: { PAYMENT_RETRY_SCHEDULE: 'PT6H,P2D' } },
  'one retry': { most: 1, env: { PAYMENT_RETRY_SCHEDULE: 'P30D' } },
};

interface Retry {
  Retry: number;
  AtUtc: string;
}

/**
 * What Explain says of the retries is what a worker then writes: the same functions, with the failures that there were.
 */
describe.each(Object.entries(SCHEDULES))('IfItFails of Explain, by %s', (_, { most, env }) => {
  const database = useDatabase();
  const api = useApi(database, { ENCRYPTION_KEY, ...env });
  const { comeDue, orderOf, cycleOf } = readers(database);

  it('has the dates of the retries that a worker writes, until the order is Pending', async () => {
    const worker = createWorker(database, env);
    const shop = await givenShop(database);
    const id = await shop.dueOrder({ paymentMethodId: 'pm_declined' });
    const explain = async (): Promise<Json> =>
      (await api.request('GET', `/api/ScheduledOrders/${id}/Explain`, { token: shop.tokenAuth })).body;
    const retriesOf = async () => (await explain()).IfItFails.Retries as Retry[];

    let plannedMs = Date.now();
    let planned = await retriesOf();
    expect(planned).toHaveLength(most);
    for (let tried = 0; tried < most; tried += 1) {
      await worker.drain();
      const { next_occurrence_utc: next, status } = await orderOf(id);
      expect([status, (await cycleOf(id)).state]).toEqual(['Active', 'Retrying']);
      const late = next.getTime() - Date.parse(planned[0]!.AtUtc);
      expect(late).toBeGreaterThanOrEqual(0);
      // No later than the worker could try it, after it was told.
      expect(late).toBeLessThanOrEqual(Date.now() - plannedMs + 1_000);

      const after = await explain();
      expect(after.When.Retry).toMatchObject({ Retry: tried + 1, NextTryUtc: next.toISOString() });
      // The later ones are as far from the next try as they were said to be.
      const distances = (from: number, retries: readonly Retry[]) =>
        retries.map(({ AtUtc }) => Date.parse(AtUtc) - from);
      const left = after.IfItFails.Retries as Retry[];
      expect(distances(next.getTime(), left)).toEqual(distances(Date.parse(planned[0]!.AtUtc), planned.slice(1)));
      expect(left.map(({ Retry }) => Retry)).toEqual(planned.slice(1).map(({ Retry }) => Retry));
      if (tried === most - 1) {
        expect(after.IfItFails.Sentence).toContain('is declined, it is not tried again: the order becomes Pending.');
      }
      await comeDue(id);
      plannedMs = Date.now();
      planned = await retriesOf();
    }
    expect(planned).toEqual([]);
    await worker.drain();
    expect([(await orderOf(id)).status, (await cycleOf(id)).state]).toEqual(['Pending', 'Failed']);
    const ended = await explain();
    expect([ended.When.Reason, ended.IfItFails.Retries]).toEqual(['GivenUp', []]);
    expect((ended.MayNow as { Action: string; Because: string }[])[1]!.Because).toContain(
      'If it is declined again, the order becomes Pending.',
    );
    await worker.end();
  });
});
