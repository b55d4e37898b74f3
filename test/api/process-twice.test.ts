import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { createWorker, ENCRYPTION_KEY, type GivenShop, givenShop, type TestWorker } from '../support/worker.js';

/** Two Process calls are one (decisions.md §9). */
describe('POST /api/ScheduledOrders/{scheduledOrderId}/Process, twice', () => {
  const database = useDatabase();
  const api = useApi(database, { ENCRYPTION_KEY });
  let worker: TestWorker;
  let shop: GivenShop;

  beforeAll(async () => {
    worker = createWorker(database);
    shop = await givenShop(database);
  });
  afterEach(() => assertInvariants(database));
  afterAll(() => worker.end());

  const LATER = () => ({ nextOccurrenceUtc: new Date(Date.now() + 86_400_000) });
  const act = (id: number, verb: string, body?: object, headers?: Record<string, string>, method = 'POST') =>
    api.request(method, `/api/ScheduledOrders/${id}${verb}`, { token: shop.tokenAuth, body, headers });
  const process = (id: number, body?: object, headers?: Record<string, string>) => act(id, '/Process', body, headers);
  const nextOf = async (id: number): Promise<string> =>
    (await act(id, '', undefined, undefined, 'GET')).body.NextOccurrenceUtc as string;
  const statesOf = async (id: number) =>
    (
      await database.query<{ state: string }>(
        `SELECT state FROM processing_cycles WHERE scheduled_order_id = $1 ORDER BY cycle`,
        [id],
      )
    ).map(({ state }) => state);
  const occurrenceOf = async (id: number, cycle: number) =>
    (
      await database.query<{ words: string }>(
        `SELECT to_char(due_utc AT TIME ZONE 'UTC', '"The occurrence of "YYYY-MM-DD HH24:MI" UTC"') AS words
         FROM processing_cycles WHERE scheduled_order_id = $1 AND cycle = $2`,
        [id, cycle],
      )
    )[0]!.words;
  /** All that happened to the order happened so much earlier. */
  const pass = (id: number, seconds: number) =>
    database.query(
      `UPDATE processing_cycles SET updated_utc = updated_utc - $2 * interval '1 second' WHERE scheduled_order_id = $1`,
      [id, seconds],
    );
  /** Until it was taken up: it is due in a second of its own, which may be the next one. */
  const processed = async (id: number, expected?: object) => {
    const { status, body } = await process(id, expected);
    expect(status).toBe(202);
    await until(async () => {
      await worker.drain();
      return (await nextOf(id)) !== body.NextOccurrenceUtc;
    });
  };
  const isRefused = async (id: number, cycle: number) => {
    const { status, body } = await process(id);
    expect(status).toBe(409);
    expect(body.detail).toMatch(
      new RegExp(
        `^${await occurrenceOf(id, cycle)} was completed at [-\\d:.TZ]+, less than 60 seconds ago: until [-\\d:.TZ]+, a call is taken for a repetition\\. To charge`,
      ),
    );
  };

  it('charges one occurrence; the second call is a Conflict that names the occurrence', async () => {
    const id = await shop.dueOrder(LATER());
    await processed(id);
    const next = await nextOf(id);
    await isRefused(id, 1);
    await worker.drain();
    expect([await statesOf(id), await nextOf(id)]).toEqual([['Completed'], next]);
  });

  it('is two calls after a minute', async () => {
    const id = await shop.dueOrder(LATER());
    await processed(id);
    await pass(id, 30);
    await isRefused(id, 1);
    await pass(id, 31);
    await processed(id);
    expect(await statesOf(id)).toEqual(['Completed', 'Completed']);
    await isRefused(id, 2);
  });

  it('is two calls when the second names the occurrence that it means', async () => {
    const id = await shop.dueOrder(LATER());
    await processed(id);
    const ExpectedNextOccurrenceUtc = await nextOf(id);
    await processed(id, { ExpectedNextOccurrenceUtc });
    expect((await process(id, { ExpectedNextOccurrenceUtc })).status).toBe(409);
    expect(await statesOf(id)).toEqual(['Completed', 'Completed']);
  });

  it('with the same Idempotency-Key gets the first answer again', async () => {
    const id = await shop.dueOrder(LATER());
    const first = await process(id, undefined, { 'idempotency-key': `twice-${id}` });
    await worker.drain();
    const second = await process(id, undefined, { 'idempotency-key': `twice-${id}` });
    expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([202, first.body, 'true']);
    expect((await process(id, undefined, { 'idempotency-key': `other-${id}` })).status).toBe(409);
    await worker.drain();
    expect(await statesOf(id)).toEqual(['Completed']);
  });

  it('is one call when the first found the order due already', async () => {
    const id = await shop.dueOrder();
    await processed(id);
    await isRefused(id, 1);
  });

  it('is one call when both come before a worker', async () => {
    const id = await shop.dueOrder(LATER());
    expect([(await process(id)).status, (await process(id)).status]).toEqual([202, 202]);
    await worker.drain();
    expect(await statesOf(id)).toEqual(['Completed']);
    await isRefused(id, 1);
  });

  it('is one call when the first ended a wait; retrying the same cycle is always allowed', async () => {
    const id = await shop.dueOrder({ paymentMethodId: 'pm_declined' });
    await worker.drain();
    for (const _ of [1, 2]) await processed(id);
    expect(await statesOf(id)).toEqual(['Retrying']);
    await act(id, '', { PaymentMethodId: 'pm_card' }, undefined, 'PUT');
    await processed(id);
    expect(await statesOf(id)).toEqual(['Completed']);
    await isRefused(id, 1);
  });

  it('is one call when the first took a given-up cycle up again, and made the order Active', async () => {
    const id = await shop.dueOrder({ paymentMethodId: null });
    await worker.drain();
    await act(id, '', { PaymentMethodId: 'pm_card' }, undefined, 'PUT');
    await processed(id);
    expect(await statesOf(id)).toEqual(['Completed']);
    await act(id, '', { Status: 'Pending' }, undefined, 'PUT');
    await isRefused(id, 1);
  });

  it('is one call with what the schedule charged a moment before, whatever its Idempotency-Key', async () => {
    const id = await shop.dueOrder();
    await worker.drain();
    await isRefused(id, 1);
    expect((await process(id, undefined, { 'idempotency-key': `late-${id}` })).status).toBe(409);
    await worker.drain();
    expect(await statesOf(id)).toEqual(['Completed']);
    await pass(id, 61);
    await processed(id);
    expect(await statesOf(id)).toEqual(['Completed', 'Completed']);
  });

  it('is one call also where an occurrence was skipped in between: a skip completes nothing', async () => {
    const id = await shop.dueOrder();
    await worker.drain();
    expect((await act(id, '/Skip')).status).toBe(200);
    await isRefused(id, 1);
    await pass(id, 61);
    expect((await act(id, '/Skip')).status).toBe(200);
    await processed(id);
    expect(await statesOf(id)).toEqual(['Completed', 'Skipped', 'Skipped', 'Completed']);
  });

  it('many times at once charges one occurrence', async () => {
    const id = await shop.dueOrder(LATER());
    const burst = () => Promise.all(Array.from({ length: 5 }, () => process(id)));
    expect(new Set((await burst()).map(({ status }) => status))).toContain(202);
    await until(async () => {
      await worker.drain();
      return (await statesOf(id)).includes('Completed');
    });
    const words = `${await occurrenceOf(id, 1)} was completed at`;
    for (const { status, body } of await burst()) {
      expect([status, body.detail]).toEqual([409, expect.stringContaining(words)]);
    }
    expect(await statesOf(id)).toEqual(['Completed']);
  });
});
