import { useDatabase } from '../support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import { expectFromNow } from '../support/instants.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { createWorker, givenShop, type TestWorker, vault } from '../support/worker.js';
import { readers } from './readers.js';

const MINUTE_MS = 60_000;

describe('Orders in line for their payment gateway', () => {
  const database = useDatabase();
  const { cycleOf, errorsOf, statesOf, comeDue, probeOf } = readers(database);
  let one: StripeStandIn;
  let two: AuthorizeNetStandIn;
  let worker: TestWorker;

  beforeAll(async () => {
    one = await StripeStandIn.start();
    two = await AuthorizeNetStandIn.start();
  });
  beforeEach(() => {
    worker = createWorker(database, {
      GATEWAY_ONE_URL: one.url,
      GATEWAY_TWO_URL: two.url,
      GATEWAY_CONCURRENCY: '1',
      CLAIM_BATCH: '100',
    });
  });
  afterEach(async () => {
    letGo();
    await worker.end();
    one.revoked.clear();
  });
  afterAll(async () => {
    await one.stop();
    await two.stop();
  });

  const letGo = (): void => {
    one.latencyMs = 0;
    one.letGo();
  };
  const requests = () => one.served.charge + one.served.lookUp;
  const countOf = async (state: string, siteId: number): Promise<number> => {
    const [row] = await database.query<{ count: string }>(
      `SELECT count(*) FROM processing_cycles WHERE state = $1 AND site_id = $2`,
      [state, siteId],
    );
    return Number(row!.count);
  };
  const switchToTwo = (id: number) =>
    database.query(
      `UPDATE scheduled_orders SET payment_method_type = 'GatewayTwo', payment_method_customer_id = '1001', payment_method_id = '2001'
       WHERE id = $1`,
      [id],
    );

  it('are not held by one of theirs that is to be paid through another gateway now, which the shop lacks', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_switched' });
    const switched = await shop.dueOrder({ paymentMethodId: 'pm_declined' });
    await worker.drain();
    expect(await cycleOf(switched)).toMatchObject({ state: 'Retrying', failure_code: 2000 });
    await switchToTwo(switched);
    await comeDue(switched);
    const ids = await shop.dueOrders(20);
    await worker.drain();
    expect(await cycleOf(switched)).toMatchObject({ state: 'Waiting', failure_code: 1003, attempt: '1' });
    for (const id of ids) expect(await statesOf(id)).toEqual(['Completed']);
    expect(await countOf('Waiting', shop.siteId)).toBe(1);
    await assertInvariants(database, one.ledger);
  });

  it('are not held either by one that was switched while it stood in line', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_in_line' });
    const [first, switched, lacking, ...others] = await shop.dueOrders(12);
    one.latencyMs = Infinity;
    const before = one.served.charge;
    const draining = worker.drain();
    await until(() => one.served.charge === before + 1);
    await switchToTwo(switched!);
    await database.query(
      `UPDATE scheduled_orders SET payment_method_type = NULL, payment_method_customer_id = NULL, payment_method_id = NULL WHERE id = $1`,
      [lacking],
    );
    letGo();
    await draining;
    for (const id of [first!, ...others]) expect(await statesOf(id)).toEqual(['Completed']);
    expect(await cycleOf(switched!)).toMatchObject({ state: 'Waiting', failure_code: 1003, attempt: '0' });
    expect(await cycleOf(lacking!)).toMatchObject({ state: 'Failed', failure_code: 1004 });

    await given(database).integration(vault, shop.siteId, {
      paymentMethodType: 'GatewayTwo',
      apiAccount: 'login',
      apiKey1: 'key4567890123456',
    });
    await comeDue(switched!);
    await worker.drain();
    expect(await statesOf(switched!)).toEqual(['Completed']);
    expect(two.ledger.capturesOf(switched!)).toHaveLength(1);
    expect(one.ledger.capturesOf(switched!)).toHaveLength(0);
  });

  it('are frozen one at a time until their integration has answered, so that whoever pauses another is not charged', async () => {
    const wide = createWorker(database, { GATEWAY_ONE_URL: one.url });
    const shop = await givenShop(database, { apiKey1: 'sk_test_first_use' });
    const ids = await shop.dueOrders(20);
    one.latencyMs = Infinity;
    const before = one.served.charge;
    const draining = wide.drain();
    await until(() => one.served.charge === before + 1);
    expect(await countOf('Charging', shop.siteId)).toBe(1);
    expect(await countOf('Claimed', shop.siteId)).toBe(19);
    // From then on as many as may be under way.
    one.letGo();
    await until(() => one.served.charge === before + 20);
    await until(async () => (await countOf('Charging', shop.siteId)) === 19);
    letGo();
    await draining;
    for (const id of ids) expect(await statesOf(id)).toEqual(['Completed']);
    await wide.end();
  });

  it('are not frozen while the gateway is still asked about what was sent before', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_asked' });
    const unknown = await shop.dueOrders(3);
    one.faults.next('errorAfter', { times: 3 });
    await worker.drain();
    for (const id of unknown) {
      expect(await cycleOf(id)).toMatchObject({ state: 'Unknown' });
      await comeDue(id);
    }
    const fresh = await shop.dueOrder();
    one.latencyMs = Infinity;
    const lookUps = one.served.lookUp + unknown.length;
    let seen = requests();
    const draining = worker.drain();
    for (; one.served.lookUp < lookUps; seen += 1) {
      await until(async () => requests() > seen && (await cycleOf(fresh)) !== undefined);
      expect(await cycleOf(fresh)).toMatchObject({ state: 'Claimed', attempt: '0' });
      one.letGo();
    }
    letGo();
    await draining;
    for (const id of [...unknown, fresh]) expect(await statesOf(id)).toEqual(['Completed']);
    await assertInvariants(database);
  });

  it('wait without being tried when an answer about an earlier charge shows that the integration is refused', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_asked_refused' });
    const sent = await shop.dueOrder();
    one.faults.next('errorAfter');
    await worker.drain();
    expect(await cycleOf(sent)).toMatchObject({ state: 'Unknown' });
    one.revoked.add('sk_test_asked_refused');
    await comeDue(sent);
    const ids = await shop.dueOrders(5);
    const before = one.served.charge;
    const requestsBefore = requests();
    const sinceMs = Date.now();
    // The others are in line when the answer comes. One that came later would be a probe. Before the earlier charge is
    // repeated, the gateway is asked for its time.
    one.latencyMs = Infinity;
    const draining = worker.drain();
    await until(async () => requests() > requestsBefore && (await countOf('Claimed', shop.siteId)) === ids.length);
    letGo();
    await draining;
    expect(await cycleOf(sent)).toMatchObject({ state: 'Unknown', failure_code: 1003 });
    for (const id of ids) {
      const cycle = await cycleOf(id);
      expect(cycle).toMatchObject({ state: 'Waiting', failure_code: 1003, attempt: '0' });
      expect(await errorsOf(id)).toHaveLength(1);
    }
    expectFromNow((await probeOf(shop.siteId))!, 15 * MINUTE_MS, sinceMs);
    // The earlier charge was repeated under its key, and nothing else was sent.
    expect(one.served.charge).toBe(before + 1);

    one.revoked.clear();
    for (const id of [sent, ...ids]) await comeDue(id);
    await until(async () => {
      await worker.drain();
      return (await countOf('Completed', shop.siteId)) === 6;
    });
  });

  it('go back, asked about and unasked, when the worker stops, to be had by the next at once', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_stopped' });
    const unknown = await shop.dueOrders(3);
    one.faults.next('errorAfter', { times: 3 });
    await worker.drain();
    for (const id of unknown) await comeDue(id);
    await shop.dueOrders(2);
    one.latencyMs = Infinity;
    const before = requests();
    const draining = worker.drain();
    await until(() => requests() === before + 1);
    const stopped = worker.stop();
    letGo();
    await stopped;
    await draining;
    const rows = await database.query<{ waits: boolean }>(
      `SELECT worker IS NOT NULL OR next_attempt_utc > now() AS waits FROM processing_cycles WHERE site_id = $1 AND open`,
      [shop.siteId],
    );
    expect(rows.filter(({ waits }) => waits)).toEqual([]);
    const next = createWorker(database, { GATEWAY_ONE_URL: one.url });
    // An account that only told of earlier failures is tried by one after the other.
    await until(async () => {
      for (const id of unknown) await comeDue(id);
      await next.drain();
      return (await countOf('Completed', shop.siteId)) === 5;
    });
    await assertInvariants(database);
    await next.end();
  });
});
