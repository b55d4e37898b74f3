import { type Charge, Gateways } from '#libs/gateways';
import { resolveCycle, settleDifference } from '#libs/ledger';
import { gatewayTwoCredentials, givenCharge } from '../gateways/given-charge.js';
import { itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { AuthorizeNetStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { drainOnce, type GivenShop, givenShop, vault } from '../support/worker.js';
import { readers } from './readers.js';
import { settledWhileFound } from './settled-while-found.js';

const ACCOUNT = 'login';
const CUSTOMER = '1001';
const STRANGER = '7007';
/** Of an order, in minor units, and of what others charge. */
const PRICE = 1250;
const OTHER_PRICE = 24_990;
const OLD_PRICE = 1180;

interface DifferenceRow {
  id: number;
  kind: string;
  state: string;
  transaction: string;
}

describe('Payments of other software on the account, numbered like ours, after seven hours without a worker', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, statesOf, comeDue } = readers(database);
  let two: AuthorizeNetStandIn;
  let shop: GivenShop;

  beforeAll(async () => {
    two = await AuthorizeNetStandIn.start();
    shop = await givenShop(database, { type: 'GatewayTwo', apiAccount: ACCOUNT, apiKey1: 'key4567890123456' });
  });
  afterEach(() => assertInvariants(database));
  afterAll(() => two.stop());

  const env = () => ({ GATEWAY_TWO_URL: two.url, GATEWAY_TIMEOUT: 'PT2S', LOG_LEVEL: 'warn' });
  const drain = () => drainOnce(database, env());
  const sevenHoursPass = () => database.query(`UPDATE deployment SET seen_utc = now() - interval '7 hours'`);

  /** A purchase in the shop's other software: `customer` null: a guest's. */
  const bought = (invoice: string, customer: string | null, amount: number) =>
    two.chargeElsewhere(ACCOUNT, { customer, card: '2001', amount, currency: 'USD', invoice });
  /** The old form of an order's first cycle, and how other software numbers a month. */
  const numbered = (id: number) => `${id}-1-1`;

  /** What this program sends in another installation, or has sent in lost commits. */
  async function sent(about: Partial<Charge>): Promise<string> {
    const gateways = new Gateways({ gatewayTwoUrl: two.url });
    const charge = givenCharge({ gatewayPaymentId: '2001', amount: PRICE, ...about });
    const outcome = await gateways.for(1, gatewayTwoCredentials({ apiAccount: ACCOUNT })).charge(charge);
    gateways.close();
    expect(outcome).toMatchObject({ kind: 'succeeded' });
    return two.transactionIds.at(-1)!;
  }

  const ordersOf = (id: number) =>
    database.query<{ total: number; transaction: string }>(
      `SELECT total::float8, gateway_transaction_id AS transaction FROM orders WHERE scheduled_order_id = $1`,
      [id],
    );
  const differencesOf = (id: number) =>
    database.query<DifferenceRow>(
      `SELECT id::float8, kind, state, gateway_transaction_id AS transaction FROM payment_differences WHERE scheduled_order_id = $1`,
      [id],
    );

  const foundOf = (id: number) =>
    database.query<{ transaction: string; state: string }>(
      `SELECT transaction_id AS transaction, state FROM found_charges WHERE scheduled_order_id = $1 ORDER BY payment_integration_id`,
      [id],
    );

  /** It was charged itself, once, and nothing holds it. */
  async function expectOwnPayment(id: number): Promise<void> {
    expect(await statesOf(id)).toEqual(['Completed']);
    const [capture, ...more] = two.ledger.capturesOf(id, (await cycleOf(id)).due_utc);
    expect(more).toEqual([]);
    expect(await ordersOf(id)).toEqual([{ total: PRICE / 100, transaction: capture!.transactionId }]);
    expect(await differencesOf(id)).toEqual([]);
  }

  /** Nothing is charged for it, and it is shown. */
  async function expectHeld(id: number, transaction: string): Promise<DifferenceRow> {
    expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', resolution: 'NeedsReview', failure_code: 1009 });
    expect(await orderOf(id)).toMatchObject({ status: 'Active' });
    expect(await ordersOf(id)).toEqual([]);
    const [difference, ...more] = await differencesOf(id);
    expect([difference, more]).toMatchObject([{ kind: 'ChargeWithoutCycle', state: 'Open', transaction }, []]);
    return difference!;
  }

  it.each(['listsAndDetails', 'details'] as const)(
    'are never recorded, and hold only an order that may have been charged: customers are in %s',
    async (profilesIn) => {
      await drain();
      two.profilesIn = profilesIn;
      const [guest, stranger, sameAmount, second, alike, ours] = (await shop.dueOrders(6)) as [
        ...[number, number, number, number, number, number],
      ];
      const dueUtc = (await orderOf(second)).next_occurrence_utc;
      for (const invoice of [numbered(guest), '2026-11-0042', '2026-11-42']) bought(invoice, null, OTHER_PRICE);
      bought(numbered(stranger), STRANGER, OTHER_PRICE);
      bought(numbered(sameAmount), STRANGER, PRICE);
      await sent({ scheduledOrderId: second, dueUtc, installation: 'second', gatewayCustomerId: STRANGER });
      const paid = bought(numbered(alike), CUSTOMER, PRICE);
      const purchase = bought(numbered(ours), CUSTOMER, OTHER_PRICE);
      const before = two.served.charge;
      await sevenHoursPass();

      expect(await drain()).not.toContain('does not exist');
      for (const id of [guest, stranger, sameAmount]) await expectOwnPayment(id);
      expect(await statesOf(second)).toEqual(['Completed']);
      expect((await ordersOf(second))[0]!.transaction).toBe(two.ledger.capturesOf(second).at(-1)!.transactionId);
      expect(two.ledger.capturesOf(second)).toHaveLength(2);
      const ofPurchase = await expectHeld(ours, purchase);
      await expectHeld(alike, paid);
      expect(two.served.charge).toBe(before + 4);

      // A person has looked: what costs as much as the order paid it, the purchase did not.
      await resolveCycle(database.pool, { scheduledOrderId: alike, cycle: 1, transactionId: paid, by: 'Grace' });
      await database.pool.transaction((tx) =>
        settleDifference(
          tx,
          { id: ofPurchase.id, siteId: shop.siteId, scheduledOrderId: ours },
          { as: 'Accepted', by: 'Grace', note: 'A purchase in the shop.' },
        ),
      );
      await drain();
      expect(await ordersOf(alike)).toEqual([{ total: PRICE / 100, transaction: paid }]);
      expect(await differencesOf(alike)).toMatchObject([{ state: 'Settled' }]);
      // It may have been due, and claimed, before the purchase was found, or not yet.
      expect((await statesOf(ours)).at(-1)).toBe('Completed');
      expect(await ordersOf(ours)).toEqual([
        { total: PRICE / 100, transaction: two.ledger.capturesOf(ours).at(-1)!.transactionId },
      ]);
      expect(two.ledger.capturesOf(ours)).toHaveLength(1);

      // What is settled does not come back.
      await sevenHoursPass();
      await drain();
      expect(await database.query(`SELECT 1 FROM payment_differences WHERE state = 'Open'`)).toEqual([]);
      expect(two.served.charge).toBe(before + 5);
    },
  );

  it('are settled also while a worker looks at the cycle that is held for them', async () => {
    two.profilesIn = 'listsAndDetails';
    await drain();
    const id = await shop.dueOrder();
    const purchase = bought(numbered(id), CUSTOMER, OTHER_PRICE);
    await sevenHoursPass();
    await drain();
    const difference = await expectHeld(id, purchase);
    await comeDue(id);
    const reported = { id: difference.id, siteId: shop.siteId, scheduledOrderId: id };
    await (
      await settledWhileFound(database, { drain }, reported)
    ).ended;
    await until(async () => {
      await drain();
      return (await statesOf(id)).at(-1) === 'Completed';
    });
    expect(await ordersOf(id)).toEqual([
      { total: PRICE / 100, transaction: two.ledger.capturesOf(id).at(-1)!.transactionId },
    ]);
  });

  itInAllCases('are settled once, also where the integration is deleted and made again before that', async () => {
    two.profilesIn = 'listsAndDetails';
    const [settled, resolved] = (await shop.dueOrders(2)) as [number, number];
    const [ofSettled, ofResolved] = [settled, resolved].map((id) => bought(numbered(id), CUSTOMER, OTHER_PRICE));
    await sevenHoursPass();
    await drain();
    const { id } = await expectHeld(settled, ofSettled!);
    await expectHeld(resolved, ofResolved!);

    await database.query(`UPDATE payment_integrations SET deleted_utc = now() WHERE site_id = $1`, [shop.siteId]);
    const again = { paymentMethodType: 'GatewayTwo', apiAccount: ACCOUNT, apiKey1: 'key4567890123456' };
    await given(database).integration(vault, shop.siteId, again);
    await drain();
    expect(await foundOf(settled)).toEqual([
      { transaction: ofSettled, state: 'Placed' },
      { transaction: ofSettled, state: 'Unplaced' },
    ]);
    await database.pool.transaction((tx) =>
      settleDifference(
        tx,
        { id, siteId: shop.siteId, scheduledOrderId: settled },
        { as: 'Accepted', by: 'Grace', note: null },
      ),
    );
    await resolveCycle(database.pool, { scheduledOrderId: resolved, cycle: 1, transactionId: null, by: 'Grace' });
    for (const order of [settled, resolved]) {
      // Claimed before what was found had its place, it is tried again a second later.
      await until(async () => {
        await drain();
        return (await statesOf(order)).at(-1) === 'Completed';
      });
      expect(await ordersOf(order)).toEqual([
        { total: PRICE / 100, transaction: two.ledger.capturesOf(order).at(-1)!.transactionId },
      ]);
      expect(await differencesOf(order)).toMatchObject([{ state: 'Settled' }]);
      expect((await foundOf(order)).map(({ state }) => state)).toEqual(['Placed', 'Known']);
    }
  });

  itInAllCases('leave alone a cycle that may have been charged itself, and hold what follows', async () => {
    two.profilesIn = 'listsAndDetails';
    const id = await shop.dueOrder();
    two.faults.next('undecided');
    await drain();
    const own = two.transactionIds.at(-1)!;
    const purchase = bought(numbered(id), CUSTOMER, OTHER_PRICE);
    await sevenHoursPass();
    await drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', resolution: null, amount: String(PRICE) });
    expect(await differencesOf(id)).toMatchObject([{ state: 'Open', transaction: purchase }]);

    two.finish(own, 'capturedPendingSettlement');
    await comeDue(id);
    await drain();
    expect(await ordersOf(id)).toEqual([{ total: PRICE / 100, transaction: own }]);
    await database.query(`UPDATE scheduled_orders SET next_occurrence_utc = now() WHERE id = $1`, [id]);
    await drain();
    expect(await cycleOf(id)).toMatchObject({ cycle: '2', state: 'Waiting', held_for: 1009 });
    expect(two.ledger.capturesOf(id)).toHaveLength(1);
  });

  describe('of a second installation, for an order of ours', () => {
    const SECOND = { installation: 'second', gatewayCustomerId: CUSTOMER, amount: OTHER_PRICE } as const;
    /** What lost commits charged for the order's occurrence, at an earlier price. */
    async function sentByUs(id: number): Promise<string> {
      const [row] = await database.query<{ key_prefix: string }>(`SELECT key_prefix FROM deployment`);
      const { next_occurrence_utc: next } = await orderOf(id);
      const cycle = await cycleOf(id);
      const about = { installation: row!.key_prefix, dueUtc: cycle?.due_utc ?? next, amount: OLD_PRICE };
      return sent({ scheduledOrderId: id, gatewayCustomerId: CUSTOMER, ...about });
    }
    const resolve = (id: number, transactionId: string | null) =>
      resolveCycle(database.pool, { scheduledOrderId: id, cycle: 1, transactionId, by: 'Grace' });

    beforeAll(() => {
      two.profilesIn = 'listsAndDetails';
    });
    afterEach(() => two.declinedNow.clear());

    it.each(['theirs', 'ours'])('do not keep our own charge from its place: %s was first', async (first) => {
      await drain();
      const id = await shop.dueOrder();
      const before = first === 'ours' ? await sentByUs(id) : null;
      const theirs = await sent({ scheduledOrderId: id, ...SECOND });
      const own = before ?? (await sentByUs(id));
      await sevenHoursPass();
      await drain();
      expect(await ordersOf(id)).toEqual([{ total: OLD_PRICE / 100, transaction: own }]);
      expect(await differencesOf(id)).toMatchObject([{ state: 'Open', transaction: theirs }]);
    });

    it('leave no amount in the Order, where a person names the charge that paid it', async () => {
      await drain();
      const id = await shop.dueOrder();
      const theirs = await sent({ scheduledOrderId: id, ...SECOND });
      await sevenHoursPass();
      await drain();
      await expectHeld(id, theirs);
      const own = await sentByUs(id);
      await sevenHoursPass();
      await drain();
      await resolve(id, own);
      await drain();
      expect(await ordersOf(id)).toEqual([{ total: OLD_PRICE / 100, transaction: own }]);
    });

    it('leave what was sent for the order in its history, and its next attempt waits for nothing', async () => {
      await drain();
      two.declinedNow.add('2001');
      const id = await shop.dueOrder();
      await drain();
      const declined = await cycleOf(id);
      expect(declined).toMatchObject({ state: 'Retrying', attempt: '1' });
      two.declinedNow.clear();
      const theirs = await sent({ scheduledOrderId: id, ...SECOND });
      await sevenHoursPass();
      await drain();
      await expectHeld(id, theirs);
      await resolve(id, null);
      await drain();
      const key = { IdempotencyKey: declined.idempotency_key, Amount: PRICE, StartedUtc: expect.any(String) };
      expect(await cycleOf(id)).toMatchObject({
        state: 'Completed',
        attempt: '2',
        past_attempts: [key, { Attempt: 1 }],
      });
      expect(await ordersOf(id)).toEqual([
        { total: PRICE / 100, transaction: two.ledger.capturesOf(id).at(-1)!.transactionId },
      ]);
    });
  });
});
