import { adoptDeployment, integrationChanged, resolveCycle, stuckCycles } from '#libs/ledger';
import { useDatabase } from '../support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import {
  adoptEarlier,
  createWorker,
  drainOnce,
  encryptedKey,
  type GivenShop,
  givenShop,
  type TestWorker,
  vault,
} from '../support/worker.js';
import { readers } from './readers.js';

/** More than TECHNICAL_RETRY_SCHEDULE has tries. */
const TRIES = 7;

describe('An integration whose charges are not compared with the ledger', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, eventsOf, errorsOf, statesOf, comeDue } = readers(database);
  let one: StripeStandIn;
  let two: AuthorizeNetStandIn;
  let worker: TestWorker;
  let shop: GivenShop;
  let other: GivenShop;
  let undecided: number;

  const urls = () => ({ GATEWAY_ONE_URL: one.url, GATEWAY_TWO_URL: two.url, GATEWAY_TIMEOUT: 'PT2S' });
  const startAgain = async () => {
    await worker.end();
    worker = createWorker(database, urls());
  };

  /**
   * A shop with both gateways, of which one has not decided on a charge yet, and another shop; the database is in
   * doubt.
   */
  beforeAll(async () => {
    one = await StripeStandIn.start();
    two = await AuthorizeNetStandIn.start();
    shop = await givenShop(database, { apiKey1: 'sk_test_uncompared' });
    await given(database).integration(vault, shop.siteId, {
      paymentMethodType: 'GatewayTwo',
      apiAccount: 'login of the same shop',
      apiKey1: 'key4567890123456',
    });
    other = await givenShop(database, { type: 'GatewayTwo', apiAccount: 'login', apiKey1: 'key4567890123456' });
    worker = createWorker(database, urls());
    undecided = await shop.dueOrder();
    one.faults.next('undecided');
    await worker.drain();
    await adoptEarlier(database);
  });
  afterAll(async () => {
    await worker.end();
    await one.stop();
    await two.stop();
  });

  it('keeps all orders of its site from being charged, loudly, and no other site, until its charges can be listed', async () => {
    const byTwo = { paymentMethodType: 'GatewayTwo', paymentMethodCustomerId: '1001', paymentMethodId: '2001' };
    const blocked = [await shop.dueOrder(), await shop.dueOrder(byTwo)];
    const free = await other.dueOrder();
    one.faults.always('unavailable', 'lookUp');
    expect(await drainOnce(database, urls())).toMatch(/Nothing is charged for a site before its charges can be listed/);
    expect(await statesOf(free)).toEqual(['Completed']);

    for (let time = 0; time < TRIES; time += 1) {
      for (const id of blocked) await comeDue(id);
      await worker.drain();
    }
    for (const id of blocked) {
      expect(await cycleOf(id)).toMatchObject({ state: 'Retrying', attempt: '0', technical_failures: '0' });
      expect(await orderOf(id)).toMatchObject({ status: 'Active' });
      expect([await eventsOf(id), await errorsOf(id)]).toEqual([[], []]);
    }
    expect([one.served.charge, two.served.charge]).toEqual([1, 1]);
    // What a person settles needs no gateway.
    const transactionId = one.intentIds[0]!;
    await resolveCycle(database.pool, { scheduledOrderId: undecided, cycle: 1, transactionId, by: 'Grace' });
    await worker.drain();
    expect(await cycleOf(undecided)).toMatchObject({ state: 'Completed', gateway_transaction_id: transactionId });
    const stuck = await stuckCycles(database.pool, { limit: 10 });
    expect(stuck.map(({ ScheduledOrderId }) => ScheduledOrderId).sort()).toEqual([...blocked].sort());
    for (const { Why } of stuck)
      expect(Why).toMatch(/charges must be compared with the ledger before anything is charged, but cannot be listed/);
    expect(await worker.metrics()).toMatch(/^scheduled_orders_uncompared_integrations 1$/m);

    one.faults.none();
    // The breaker's pause is over in a worker that has just begun.
    await startAgain();
    for (const id of blocked) await comeDue(id);
    await worker.drain();
    for (const id of blocked) expect(await statesOf(id)).toEqual(['Completed']);
    expect(await worker.metrics()).toMatch(/^scheduled_orders_uncompared_integrations 0$/m);
    await assertInvariants(database);
  });

  /** What lost commits charged through an account, as they sent it. */
  async function lostCharge(account: string, id: number): Promise<string> {
    const { next_occurrence_utc: due } = await orderOf(id);
    const [deployment] = await database.query<{ key_prefix: string }>(`SELECT key_prefix FROM deployment`);
    const metadata = {
      site_id: shop.siteId,
      scheduled_order_id: id,
      cycle: 1,
      attempt: 1,
      due_utc: due.toISOString(),
      installation: deployment!.key_prefix,
    };
    const response = await fetch(`${one.url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account}`, 'idempotency-key': `lost-${id}` },
      body: new URLSearchParams({
        amount: '1250',
        currency: 'usd',
        customer: 'cus_1',
        payment_method: 'pm_card',
        confirm: 'true',
        off_session: 'true',
        ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`metadata[${name}]`, String(value)])),
      }),
    });
    return ((await response.json()) as { id: string }).id;
  }

  const change = (key: string) =>
    database.pool.transaction(async (tx) => {
      await tx.execute(`UPDATE payment_integrations SET api_key1 = $2 WHERE id = $1`, [
        shop.integrationId,
        encryptedKey(shop.integrationId, key),
      ]);
      await integrationChanged(tx, shop.siteId, 'GatewayOne');
    });

  it('is compared again before it is charged through when its credentials change, by a worker that has just compared it', async () => {
    expect(
      await database.query(`SELECT 1 FROM integration_reconciliations WHERE payment_integration_id = $1`, [
        shop.integrationId,
      ]),
    ).toHaveLength(1);
    const id = await shop.dueOrder();
    const transactionId = await lostCharge('sk_test_second', id);
    await change('sk_test_second');
    await worker.drain();
    await until(async () => {
      await comeDue(id);
      await worker.drain();
      return (await statesOf(id))[0] === 'Completed';
    });
    expect(one.ledger.charges.filter(({ scheduledOrderId }) => scheduledOrderId === id)).toHaveLength(1);
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', gateway_transaction_id: transactionId });
  });

  it('is compared again when they change while the charges of the account before are listed', async () => {
    const id = await shop.dueOrder();
    const transactionId = await lostCharge('sk_test_third', id);
    await change('sk_test_second');
    await startAgain();
    one.latencyMs = Infinity;
    const lookUps = one.served.lookUp;
    const drained = worker.drain();
    await until(() => one.served.lookUp > lookUps);
    await change('sk_test_third');
    one.latencyMs = 0;
    one.letGo();
    await drained;
    await until(async () => {
      await comeDue(id);
      await worker.drain();
      return (await statesOf(id))[0] === 'Completed';
    });
    expect(one.ledger.charges.filter(({ scheduledOrderId }) => scheduledOrderId === id)).toHaveLength(1);
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', gateway_transaction_id: transactionId });
  });

  /** With the same account of GatewayTwo, whose lists do not say who has sent a charge. */
  const chargedElsewhere = (id: number, cycle: number) =>
    two.chargeElsewhere('login', {
      ...{ customer: '7007', card: '2001', amount: 990, currency: 'USD' },
      invoice: `${id}-${cycle}-1`,
    });

  it('leaves alone what another installation charged through it, whatever the numbers', async () => {
    const [known, unknown] = (await other.dueOrders(2)) as [number, number];
    await worker.drain();
    chargedElsewhere(known, 1);
    chargedElsewhere(unknown, 2);
    // As the next heartbeat does it.
    await database.query(`UPDATE deployment SET seen_utc = now()`);
    await adoptEarlier(database);
    await startAgain();
    await worker.drain();
    for (const id of [known, unknown]) expect(await statesOf(id)).toEqual(['Completed']);
    expect(await stuckCycles(database.pool, { limit: 10 })).toEqual([]);
    expect(await database.query(`SELECT 1 FROM payment_differences`)).toEqual([]);
  });

  it('is compared by a list that is read later than the list may lag behind', async () => {
    const id = await shop.dueOrder();
    one.listDelayMs = 5_500;
    const transactionId = await lostCharge('sk_test_third', id);
    await adoptDeployment(database.pool, undefined);
    await worker.end();
    // Without the lag it would be read after four seconds.
    worker = createWorker(database, { ...urls(), GATEWAY_TIMEOUT: 'PT2S', GATEWAY_LIST_LAG: 'PT3S' });
    await worker.drain();
    one.listDelayMs = 0;
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', gateway_transaction_id: transactionId });
    expect(one.ledger.capturesOf(id)).toHaveLength(1);
  });
});
