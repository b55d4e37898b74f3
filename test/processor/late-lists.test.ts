import { integrationChanged } from '#libs/ledger';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { createWorker, encryptedKey, givenShop, type TestWorker } from '../support/worker.js';
import { readers } from './readers.js';

describe('A gateway whose lists are late', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, eventsOf, comeDue } = readers(database);
  let gateway: StripeStandIn;
  let worker: TestWorker;

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    const env = { GATEWAY_ONE_URL: gateway.url, GATEWAY_TIMEOUT: 'PT4S', GATEWAY_LIST_LAG: 'PT1H' };
    worker = createWorker(database, env);
  });
  afterAll(async () => {
    await worker.end();
    await gateway.stop();
  });

  /** It was charged, or not, and answered 500; minutes have passed since. */
  const givenStored500 = async (fault: 'errorAfter' | 'errorBefore') => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_late' });
    const id = await shop.dueOrder();
    gateway.faults.next(fault);
    gateway.listDelayMs = Infinity;
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', replayed_utc: null });
    await agesBy(id, '5 minutes');
    await goesOn(id);
    const known = { replayed_utc: expect.any(Date), technical_failures: '1' };
    expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', attempt: '1', ...known });
    return id;
  };
  const agesBy = (id: number, time: string) =>
    database.query(
      `UPDATE processing_cycles SET started_utc = started_utc - $2::interval, replayed_utc = replayed_utc - $2::interval WHERE scheduled_order_id = $1`,
      [id, time],
    );
  const goesOn = async (id: number) => {
    await comeDue(id);
    await worker.drain();
  };

  const changesKey = (id: number, key: string) =>
    database.pool.transaction(async (tx) => {
      const [shop] = await tx.execute<{ siteId: number; id: number }>(
        `SELECT i.site_id, i.id FROM payment_integrations i JOIN scheduled_orders o ON o.site_id = i.site_id WHERE o.id = $1`,
        [id],
      );
      await tx.execute('UPDATE payment_integrations SET api_key1 = $2 WHERE id = $1', [
        shop!.id,
        encryptedKey(shop!.id, key),
      ]);
      await integrationChanged(tx, shop!.siteId, 'GatewayOne');
    });

  it('is not believed when it lacks a charge that it answered with a 500', async () => {
    const id = await givenStored500('errorAfter');
    await agesBy(id, '50 minutes');
    await goesOn(id);
    expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', attempt: '1' });
    gateway.listDelayMs = 0;
    await agesBy(id, '10 minutes');
    await goesOn(id);
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', attempt: '1' });
    expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
    await assertInvariants(database, gateway.ledger);
  });

  it('is believed when it must show such a charge: the next attempt is sent', async () => {
    const id = await givenStored500('errorBefore');
    gateway.listDelayMs = 0;
    await agesBy(id, '50 minutes');
    await goesOn(id);
    expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', attempt: '1' });
    await agesBy(id, '11 minutes');
    await goesOn(id);
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', attempt: '2', replayed_utc: null });
    expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
    await assertInvariants(database, gateway.ledger);
  });

  it('makes an order Active again that was Pending only because nobody could tell, and charges it', async () => {
    const id = await givenStored500('errorBefore');
    gateway.listDelayMs = 0;
    // With another key it cannot be repeated, and no list can show that it was not charged.
    await changesKey(id, 'sk_test_rolled');
    await agesBy(id, '1 hour');
    await goesOn(id);
    expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', attempt: '1', made_pending: true });
    expect(await orderOf(id)).toMatchObject({ status: 'Pending' });
    await changesKey(id, 'sk_test_late');
    await goesOn(id);
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', attempt: '2', retries_exhausted: false });
    expect(await orderOf(id)).toMatchObject({ status: 'Active', cycles: '1' });
    const event = {
      event_type: 'ScheduledOrderRetryScheduled',
      description: expect.stringMatching(/ is Active again\.$/),
    };
    expect(await eventsOf(id)).toContainEqual(event);
    expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
    await assertInvariants(database, gateway.ledger);
  });

  it('counts its lag anew when a wrong clock has dated the stored answer ahead', async () => {
    const id = await givenStored500('errorBefore');
    await agesBy(id, '-2 days');
    await database.query(
      `UPDATE processing_cycles SET started_utc = now() - interval '5 minutes' WHERE scheduled_order_id = $1`,
      [id],
    );
    await goesOn(id);
    const rows = await database.query(
      `SELECT replayed_utc BETWEEN now() - interval '1 minute' AND now() AS "isNow" FROM processing_cycles WHERE scheduled_order_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ isNow: true }]);
    expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', attempt: '1' });
    await assertInvariants(database, gateway.ledger);
  });
});
