import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { createWorker, type GivenShop, givenShop, startWorker, stopWorkers } from '../support/worker.js';
import { readers } from './readers.js';

const KEYS = {
  GatewayOne: { apiKey1: 'sk_test_stop' },
  GatewayTwo: { type: 'GatewayTwo', apiAccount: 'login', apiKey1: 'key4567890123456' },
} as const;

describe('An order that was deleted or paused before its charge was sent', () => {
  const database = useDatabase();
  const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
  const { cycleOf, comeDue, orderOf, eventsOf } = readers(database);
  let one: StripeStandIn;
  let two: AuthorizeNetStandIn;

  beforeAll(async () => {
    one = await StripeStandIn.start();
    two = await AuthorizeNetStandIn.start();
  });
  afterEach(() => stopWorkers());
  afterAll(async () => {
    await one.stop();
    await two.stop();
  });

  async function customerToken({ siteId, customerId }: GivenShop): Promise<string> {
    const [row] = await database.query<{ user_id: string }>(`SELECT user_id FROM sites WHERE id = $1`, [siteId]);
    return given(database).token(Number(row!.user_id), { customerId });
  }

  it.each(['GatewayOne', 'GatewayTwo'] as const)(
    'is not sent by a later check, and ends when %s certainly does not know it',
    async (type) => {
      const gateway = type === 'GatewayOne' ? one : two;
      const shop = await givenShop(database, KEYS[type]);
      const token = await customerToken(shop);
      const env = { GATEWAY_ONE_URL: one.url, GATEWAY_TWO_URL: two.url, GATEWAY_TIMEOUT: 'PT2S' };
      const worker = createWorker(database, env);
      const ids = await shop.dueOrders(3);
      const [deleted, paused, resumed] = ids as [number, number, number];
      // No request reaches the gateway.
      gateway.faults.always('silentBefore', 'charge');
      await worker.drain();
      for (const id of ids) expect((await cycleOf(id)).state).toBe('Unknown');
      const put = (id: number, body: object) => api.request('PUT', `/api/ScheduledOrders/${id}`, { token, body });
      expect((await api.request('DELETE', `/api/ScheduledOrders/${deleted}`, { token })).status).toBe(204);
      expect((await put(paused, { Status: 'Paused' })).status).toBe(200);
      expect((await put(resumed, { Status: 'Paused' })).status).toBe(200);
      gateway.faults.none();
      // Until then it may be under way.
      await database.query(
        `UPDATE processing_cycles SET started_utc = started_utc - interval '1 minute', stopped_utc = stopped_utc - interval '1 minute' WHERE open`,
      );
      await until(async () => {
        for (const id of ids) await comeDue(id);
        await worker.drain();
        const states = await Promise.all(ids.map(async (id) => (await cycleOf(id)).state));
        return states.every((state) => state === 'Failed');
      });
      for (const id of ids) expect(gateway.ledger.capturesOf(id)).toEqual([]);
      for (const id of ids) expect(await cycleOf(id)).toMatchObject({ retries_exhausted: false });
      expect((await orderOf(paused)).status).toBe('Paused');
      // Nothing failed with the end of the cycle: what is told is that its outcome was unknown.
      for (const { description } of await eventsOf(paused))
        expect(description).toMatch(/Whether it was charged is being found out\.$/);
      // Made Active again, it goes on with its next occurrence.
      expect((await put(resumed, { Status: 'Active' })).status).toBe(200);
      expect((await orderOf(resumed)).next_occurrence_utc.getTime()).toBeGreaterThan(Date.now());
      await worker.end();
      await assertInvariants(database);
    },
  );

  it('is recorded all the same when it proves charged', async () => {
    const shop = await givenShop(database, KEYS.GatewayOne);
    const token = await customerToken(shop);
    const worker = createWorker(database, { GATEWAY_ONE_URL: one.url, GATEWAY_TIMEOUT: 'PT5S' });
    const id = await shop.dueOrder();
    one.faults.next('loseAfter', { times: 2 });
    await worker.drain();
    await api.request('PUT', `/api/ScheduledOrders/${id}`, { token, body: { Status: 'Paused' } });
    await comeDue(id);
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed' });
    expect(await orderOf(id)).toMatchObject({ status: 'Paused', cycles: '1' });
    await worker.end();
    expect(one.ledger.capturesOf(id)).toHaveLength(1);
    await assertInvariants(database);
  });

  it('is not sent by the successor of a worker that died before it sent anything', async () => {
    const shop = await givenShop(database, KEYS.GatewayOne);
    const token = await customerToken(shop);
    const id = await shop.dueOrder();
    const env = { GATEWAY_ONE_URL: one.url, CLAIM_LEASE: 'PT1H' };
    const doomed = await startWorker(database, { ...env, FAILPOINTS: 'after-freeze:kill' });
    expect(await doomed.exited).toBe('SIGKILL');
    expect((await api.request('DELETE', `/api/ScheduledOrders/${id}`, { token })).status).toBe(204);
    // Its lease ends, and it can no longer be under way.
    await database.query(
      `UPDATE processing_cycles SET lease_until_utc = now(), started_utc = started_utc - interval '1 minute', stopped_utc = stopped_utc - interval '1 minute' WHERE scheduled_order_id = $1`,
      [id],
    );
    const successor = createWorker(database, env);
    await until(async () => {
      await successor.drain();
      await comeDue(id);
      return (await cycleOf(id)).state === 'Failed';
    });
    await successor.end();
    expect(one.ledger.capturesOf(id)).toEqual([]);
    await assertInvariants(database);
  });
});
