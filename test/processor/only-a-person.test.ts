import { processNow, resolveCycle, stuckCycles } from '#libs/ledger';
import { useDatabase } from '../support/database.js';
import { eventsOf, keepEvents } from '../support/events/events.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import { assertInvariants } from '../support/invariants.js';
import { createWorker, encryptedKey, type GivenShop, givenShop, type TestWorker, vault } from '../support/worker.js';
import { readers } from './readers.js';
import { request } from './request.js';

describe('A cycle that only a person can settle', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, errorsOf, occurrenceOf, comeDue } = readers(database);
  let gateway: StripeStandIn;
  let shop: GivenShop;
  let worker: TestWorker;

  beforeEach(async () => {
    gateway = await StripeStandIn.start();
    shop = await givenShop(database, { apiKey1: 'sk_test_person' });
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url, GATEWAY_TIMEOUT: 'PT2S' });
  });
  afterEach(async () => {
    await worker.end();
    await gateway.stop();
  });

  /** The shop has changed its account since it was sent: the new one knows nothing of it. */
  async function unsettled(): Promise<number> {
    const id = await shop.dueOrder();
    gateway.faults.next('silentBefore');
    await worker.drain();
    await database.query(
      `UPDATE processing_cycles SET started_utc = now() - interval '2 days' WHERE scheduled_order_id = $1`,
      [id],
    );
    await database.query(`UPDATE payment_integrations SET api_key1 = $2 WHERE id = $1`, [
      shop.integrationId,
      encryptedKey(shop.integrationId, 'sk_test_new'),
    ]);
    await comeDue(id);
    await worker.drain();
    return id;
  }

  it('is listed with the reason, and recorded when it was charged', async () => {
    const id = await unsettled();
    expect(await orderOf(id)).toMatchObject({ status: 'Pending' });
    expect(await stuckCycles(database.pool, { limit: 10 })).toMatchObject([
      {
        ScheduledOrderId: id,
        Cycle: 1,
        State: 'Unknown',
        Why: expect.stringMatching(/cycles:resolve/),
        Amount: 1250,
      },
    ]);
    await resolveCycle(database.pool, { scheduledOrderId: id, cycle: 1, transactionId: 'pi_by_hand', by: 'Grace' });
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({
      state: 'Completed',
      gateway_transaction_id: 'pi_by_hand',
    });
    expect(await errorsOf(id)).toMatchObject([
      { description: `${await occurrenceOf(id)} was settled by hand by Grace: charged as pi_by_hand.` },
      {},
      {},
    ]);
    await assertInvariants(database);
  });

  it("is recorded with what was charged, where the gateway's list has the transaction at an earlier price", async () => {
    const id = await unsettled();
    await keepEvents(database, shop.siteId);
    await database.query(
      `INSERT INTO found_charges (payment_integration_id, transaction_id, site_id, scheduled_order_id, cycle, attempt, amount, currency_iso, charged_utc,
         is_charged, is_doubtful, state)
       VALUES ($1, 'pi_before', $2, $3, 0, 1, 1180, 'USD', now(), true, false, 'Known')`,
      [shop.integrationId, shop.siteId, id],
    );
    await resolveCycle(database.pool, { scheduledOrderId: id, cycle: 1, transactionId: 'pi_before', by: 'Grace' });
    await worker.drain();
    const cycle = await cycleOf(id);
    expect(cycle).toMatchObject({ state: 'Completed', gateway_transaction_id: 'pi_before' });
    expect(await database.query(`SELECT total FROM orders WHERE id = $1`, [cycle.order_id])).toEqual([
      { total: '11.8000' },
    ]);
    const published = (await eventsOf(database, shop.siteId)).map(({ Type, Data }) => [Type, Data.Amount]);
    expect(published).toEqual([
      ['scheduled_order.outcome_settled', 1180],
      ['scheduled_order.processed', 1180],
      ['order.created', 1180],
    ]);
    await assertInvariants(database);
  });

  it('is recorded at the gateway whose list has the transaction', async () => {
    const id = await unsettled();
    const credentials = { paymentMethodType: 'GatewayTwo', apiAccount: 'login', apiKey1: 'key4567890123456' };
    const other = await given(database).integration(vault, shop.siteId, credentials);
    await database.query(
      `INSERT INTO found_charges (payment_integration_id, transaction_id, site_id, scheduled_order_id, cycle, attempt, amount, currency_iso, charged_utc,
         is_charged, is_doubtful, state)
       VALUES ($1, '60000000001', $2, $3, 0, 1, 1250, 'USD', now(), true, false, 'Known')`,
      [other, shop.siteId, id],
    );
    await resolveCycle(database.pool, { scheduledOrderId: id, cycle: 1, transactionId: '60000000001', by: 'Grace' });
    await worker.drain();
    expect(
      await database.query(
        `SELECT payment_method_type, gateway_transaction_id FROM orders WHERE scheduled_order_id = $1`,
        [id],
      ),
    ).toEqual([{ payment_method_type: 'GatewayTwo', gateway_transaction_id: '60000000001' }]);
  });

  it('may be charged again when it was not charged', async () => {
    const id = await unsettled();
    await resolveCycle(database.pool, { scheduledOrderId: id, cycle: 1, transactionId: null, by: 'Grace' });
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Failed', retries_exhausted: true });
    expect(gateway.ledger.capturesOf(id)).toHaveLength(0);

    // What was settled was the attempt before: of this one nobody has said anything.
    await request(database, id, processNow);
    gateway.faults.next('errorAfter');
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', attempt: '2', resolution: null });
    await comeDue(id);
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', attempt: '2' });
    expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
    await assertInvariants(database);
  });

  it('is left to the worker that looks it up at this moment', async () => {
    const id = await unsettled();
    const set = (columns: string) =>
      database.query(`UPDATE processing_cycles SET ${columns} WHERE scheduled_order_id = $1`, [id]);
    const settle = () =>
      resolveCycle(database.pool, { scheduledOrderId: id, cycle: 1, transactionId: null, by: 'Grace' });
    await set(`worker = 'another', lease_until_utc = now() + interval '1 hour', next_attempt_utc = NULL`);
    await expect(settle()).rejects.toThrow('A worker is looking it up at this moment: try again in a minute.');
    expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', resolution: null });
    await set('worker = NULL, lease_until_utc = NULL, next_attempt_utc = now()');
    await settle();
    expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', resolution: 'NotCharged' });
  });

  it('cannot be settled twice, nor when there is none', async () => {
    const id = await unsettled();
    const settle = (cycle: number) =>
      resolveCycle(database.pool, { scheduledOrderId: id, cycle, transactionId: 'pi_x', by: 'Grace' });
    await settle(1);
    await worker.drain();
    await expect(settle(1)).rejects.toThrow(
      `Cycle 1 of scheduled order ${id} is Completed: there is nothing to settle.`,
    );
    await expect(settle(7)).rejects.toThrow(`Scheduled order ${id} has no cycle 7.`);
  });
});
