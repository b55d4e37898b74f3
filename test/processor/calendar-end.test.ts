import { resolveCycle } from '#libs/ledger';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { createWorker, type GivenShop, givenShop, type TestWorker } from '../support/worker.js';
import { readers } from './readers.js';

/** Called for now in place of the last occurrence that the calendar has. */
const LAST = { frequencyType: 'Days', replacedOccurrenceUtc: new Date('9999-12-31T23:59:59Z') };

describe('A paid cycle after which the calendar ends', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, statesOf, eventsOf, occurrenceOf, comeDue } = readers(database);
  let gateway: StripeStandIn;
  let worker: TestWorker;
  let shop: GivenShop;

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url, GATEWAY_TIMEOUT: 'PT2S' });
    shop = await givenShop(database, { apiKey1: 'sk_test_end' });
  });
  afterEach(() => assertInvariants(database, gateway.ledger));
  afterAll(async () => {
    await worker.end();
    await gateway.stop();
  });

  async function expectRecorded(id: number): Promise<void> {
    expect(await statesOf(id)).toEqual(['Completed']);
    expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
    expect(await orderOf(id)).toMatchObject({ status: 'Pending', next_occurrence_utc: null, cycles: '1' });
    const [{ event_type, description } = {}] = await eventsOf(id);
    expect([event_type, description]).toEqual([
      'ScheduledOrderProcessed',
      `${await occurrenceOf(id)} was processed: 12.50 USD paid. ` +
        'Its schedule has no further occurrence before the year 10000: the order is Pending.',
    ]);
  }

  it('is recorded with the others of its batch, and the order becomes Pending', async () => {
    const others = await shop.dueOrders(5);
    const id = await shop.dueOrder(LAST);
    await worker.drain();
    await expectRecorded(id);
    for (const other of others) {
      expect(await statesOf(other)).toEqual(['Completed']);
      expect(await orderOf(other)).toMatchObject({ status: 'Active' });
    }
  });

  it('is recorded when it is found out later that it was paid', async () => {
    const id = await shop.dueOrder(LAST);
    gateway.faults.next('errorAfter');
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Unknown' });
    await comeDue(id);
    await worker.drain();
    await expectRecorded(id);
  });

  it('is recorded when a person says that it was paid', async () => {
    const id = await shop.dueOrder(LAST);
    gateway.faults.next('errorAfter');
    await worker.drain();
    const [{ transactionId } = {}] = gateway.ledger.capturesOf(id);
    await resolveCycle(database.pool, {
      ...{ scheduledOrderId: id, cycle: 1, transactionId: transactionId!, by: 'the test' },
    });
    await worker.drain();
    await expectRecorded(id);
  });

  it('leaves a deleted order deleted, and its card charged once', async () => {
    const id = await shop.dueOrder(LAST);
    gateway.faults.next('errorAfter');
    await worker.drain();
    await database.query(`UPDATE scheduled_orders SET deleted_utc = now() WHERE id = $1`, [id]);
    await comeDue(id);
    await worker.drain();
    await expectRecorded(id);
  });
});
