import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';
import { createWorker, ENCRYPTION_KEY, givenShop } from '../support/worker.js';

const DAY_MS = 86_400_000;
const secondOf = (instant: Date | string | number) => Math.floor(new Date(instant).getTime() / 1000) * 1000;
const iso = (ms: number) => new Date(ms).toISOString();

/**
 * An occurrence is named by its order and its due second: no two cycles of an order have the same (decisions.md §9,
 * Idempotency key).
 */
describe('The due second of an occurrence', () => {
  const database = useDatabase();
  const api = useApi(database, { ENCRYPTION_KEY });
  const given = givenIn(database);

  /** Monthly on the 15th at 10:00, next in 2040. */
  async function order(values: object = {}) {
    const { siteId, tokenAuth: token } = await given.merchant();
    const customerId = await given.customer(siteId);
    const id = await given.scheduledOrder(siteId, customerId, { nextOccurrenceUtc: '2040-03-15T10:00:00Z', ...values });
    return { ...requestsOf(id, token), siteId };
  }

  function requestsOf(id: number, token: string) {
    const path = `/api/ScheduledOrders/${id}`;
    const send = async (method: string, part: string, body?: object) => {
      const answered = await api.request(method, path + part, { token, body });
      expect([answered.status, answered.body.detail]).toEqual([answered.status === 202 ? 202 : 200, undefined]);
      return answered.body as { NextOccurrenceUtc: string };
    };
    return {
      id,
      read: () => send('GET', ''),
      put: (body: object) => send('PUT', '', body),
      skip: () => send('POST', '/Skip'),
      process: async () =>
        send('POST', '/Process', { ExpectedNextOccurrenceUtc: (await send('GET', '')).NextOccurrenceUtc }),
      reschedule: async (to: string | number) =>
        (await send('PUT', '/NextOccurrenceUtc', { NextOccurrenceUtc: new Date(to) })).NextOccurrenceUtc,
      anchor: async () =>
        (
          await database.query<{ utc: Date }>(`SELECT schedule_anchor_utc AS utc FROM scheduled_orders WHERE id = $1`, [
            id,
          ])
        )[0]!.utc.getTime(),
    };
  }

  const cycle = async ({ id, siteId }: { id: number; siteId: number }, state: string, ...dues: (string | number)[]) =>
    database.query(
      `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, updated_utc, order_id)
       SELECT $1, $2, (SELECT count(*) FROM processing_cycles WHERE scheduled_order_id = $2) + d.place, $3, false, d.utc, now() - interval '1 year', nextval('orders_id_seq')
       FROM unnest($4::timestamptz[]) WITH ORDINALITY AS d (utc, place)`,
      [siteId, id, state, dues.map((due) => new Date(due))],
    );

  const DUE = '2030-01-15T10:00:00.000Z';

  it.each(['Completed', 'Skipped', 'Failed'])(
    'a Reschedule to that of a cycle that is %s takes the next one',
    async (state) => {
      const moved = await order();
      await cycle(moved, state, DUE);
      expect(await moved.reschedule(DUE)).toBe('2030-01-15T10:00:01.000Z');
      expect(await moved.reschedule('2030-01-15T10:00:00.999Z')).toBe('2030-01-15T10:00:01.000Z');
      expect(await moved.anchor()).toBe(Date.parse('2030-01-15T10:00:01Z'));
      const [{ description }] = (await database.query<{ description: string }>(
        `SELECT description FROM action_logs WHERE scheduled_order_id = $1 ORDER BY id DESC LIMIT 1`,
        [moved.id],
      )) as [{ description: string }];
      expect(description).toBe('Rescheduled to 2030-01-15T10:00:01.000Z by a Merchant token.');
      await cycle(moved, state, '2030-01-15T10:00:01.250Z');
      expect(await moved.reschedule(DUE)).toBe('2030-01-15T10:00:02.000Z');
      for (const free of ['2030-01-15T09:59:59.999Z', '2030-01-15T10:00:02.345Z']) {
        expect(await moved.reschedule(free)).toBe(free);
      }
    },
  );

  it('a Reschedule to that of an archived cycle takes the next one', async () => {
    const moved = await order({ archivedCycle: 1 });
    await database.query(
      `INSERT INTO archived_cycles (scheduled_order_id, last_cycle, site_id, cycles)
       VALUES ($1, 1, $2, jsonb_build_array(jsonb_build_object('site_id', $2::bigint, 'scheduled_order_id', $1::bigint, 'cycle', 1, 'state', 'Completed', 'open', false, 'due_utc', $3::text)))`,
      [moved.id, moved.siteId, DUE],
    );
    expect(await moved.reschedule(DUE)).toBe('2030-01-15T10:00:01.000Z');
  });

  it('a Process takes the next one that no cycle has', async () => {
    const processed = await order();
    const now = secondOf(Date.now());
    const taken = Array.from({ length: 120 }, (_, place) => now + (place - 10) * 1000);
    await cycle(processed, 'Failed', ...taken);
    expect((await processed.process()).NextOccurrenceUtc).toBe(iso(now + 110_000));
  });

  it('Process calls that follow at once have one each', async () => {
    const shop = await givenShop(database);
    const worker = createWorker(database);
    const id = await shop.dueOrder({ nextOccurrenceUtc: new Date(Date.now() + DAY_MS) });
    const { process } = requestsOf(id, shop.tokenAuth);
    const dues: number[] = [];
    const completed = () =>
      database.query(`SELECT 1 FROM processing_cycles WHERE scheduled_order_id = $1 AND state = 'Completed'`, [id]);
    for (const count of [1, 2, 3]) {
      dues.push(secondOf((await process()).NextOccurrenceUtc));
      // Its second may be the one to come.
      await until(async () => {
        await worker.drain();
        return (await completed()).length === count;
      });
    }
    await worker.end();
    expect(new Set(dues).size).toBe(3);
  });

  it('another frequency counts from a second of the day that no occurrence to come was skipped at', async () => {
    const changed = await order();
    const now = secondOf(Date.now());
    const skipped = Array.from({ length: 120 }, (_, place) => now + 21 * DAY_MS + (place - 10) * 1000);
    await cycle(changed, 'Skipped', ...skipped);
    await changed.put({ FrequencyType: 'Weeks', Frequency: 1 });
    expect(await changed.anchor()).toBe(now + 110_000);
  });

  it('a Reschedule counts from such a second too, where the schedule has not passed that occurrence', async () => {
    const moved = await order();
    expect((await moved.skip()).NextOccurrenceUtc).toBe('2040-04-15T10:00:00.000Z');
    // The schedule goes on after it: nothing of it comes again.
    expect(await moved.reschedule('2040-03-01T10:00:00.000Z')).toBe('2040-03-01T10:00:00.000Z');
    // From here on it comes before it.
    await moved.put({ FrequencyType: 'Weeks', Frequency: 1 });
    expect(await moved.reschedule('2040-03-01T10:00:00.000Z')).toBe('2040-03-01T10:00:01.000Z');
    expect(await moved.reschedule('2040-03-01T10:00:00.999Z')).toBe('2040-03-01T10:00:01.000Z');
    for (const free of ['2040-03-01T09:59:59.999Z', '2040-03-16T10:00:00.000Z']) {
      expect(await moved.reschedule(free)).toBe(free);
    }
  });

  it('an order that becomes Active again goes on after what was skipped ahead of its time', async () => {
    const held = await order();
    await held.skip();
    await held.reschedule(Date.parse('2020-02-15T10:00:00Z'));
    await database.query(`UPDATE scheduled_orders SET status = 'Paused' WHERE id = $1`, [held.id]);
    expect((await held.put({ Status: 'Active' })).NextOccurrenceUtc).toBe('2040-04-15T10:00:00.000Z');
  });
});
