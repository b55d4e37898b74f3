import { stuckCycles } from '#libs/ledger';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { createWorker, givenShop, type TestWorker } from '../support/worker.js';
import { readers } from './readers.js';

/** More than TECHNICAL_RETRY_SCHEDULE has tries. */
const LOOK_UPS = 8;

describe('Look-ups of an unknown outcome', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, eventsOf, errorsOf, comeDue } = readers(database);
  let gateway: StripeStandIn;
  let worker: TestWorker;

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
  });
  afterAll(async () => {
    await worker.end();
    await gateway.stop();
  });

  const logged = async (id: number) => ({
    events: (await eventsOf(id)).map(({ event_type: type }) => type).reverse(),
    errors: (await errorsOf(id)).length,
  });

  it('are counted in the ledger, and shown by cycles:stuck; the logs tell only what changes', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_look_ups' });
    const id = await shop.dueOrder();
    gateway.faults.next('undecided');
    await worker.drain();
    expect(await logged(id)).toEqual({ events: ['ScheduledOrderRetryScheduled'], errors: 1 });

    for (let time = 1; time <= LOOK_UPS; time += 1) {
      await comeDue(id);
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', look_ups: String(time) });
    }
    // It became unknown, and the retries were used up; nothing else has changed.
    const unknown = ['ScheduledOrderRetryScheduled', 'ScheduledOrderFailed'];
    expect(await logged(id)).toEqual({ events: unknown, errors: 2 });
    expect(await orderOf(id)).toMatchObject({ status: 'Pending' });
    expect(await stuckCycles(database.pool, { limit: 10 })).toMatchObject([
      { ScheduledOrderId: id, LookUps: LOOK_UPS },
    ]);
    expect(gateway.served.charge).toBe(1);

    gateway.finish(gateway.intentIds[0]!, 'succeeded');
    await comeDue(id);
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', look_ups: String(LOOK_UPS) });
    expect(await logged(id)).toEqual({ events: [...unknown, 'ScheduledOrderProcessed'], errors: 2 });
    expect(await orderOf(id)).toMatchObject({ status: 'Active' });
    await assertInvariants(database, gateway.ledger);
  });

  it('that fail forget neither the transaction nor that the gateway has it', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_look_ups_fail' });
    const id = await shop.dueOrder();
    gateway.faults.next('undecided');
    await worker.drain();
    const transaction = gateway.intentIds.at(-1)!;
    await database.query(`UPDATE processing_cycles SET known_to_gateway = true WHERE scheduled_order_id = $1`, [id]);
    gateway.faults.retryAfterSeconds = 0;
    gateway.faults.always('rateLimited', 'lookUp');
    await comeDue(id);
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({
      state: 'Unknown',
      look_ups: '1',
      known_to_gateway: true,
      gateway_transaction_id: transaction,
    });
    gateway.faults.none();
    gateway.finish(transaction, 'succeeded');
    await until(async () => {
      await comeDue(id);
      await worker.drain();
      return (await cycleOf(id)).state === 'Completed';
    });
    await assertInvariants(database, gateway.ledger);
  });
});
