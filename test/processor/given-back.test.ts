import { processNow, reportDifference, settleDifference, stuckCycles } from '#libs/ledger';
import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { encryptedValues } from '../support/encrypted.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { createWorker, drainOnce, type GivenShop, givenShop, type TestWorker, vault } from '../support/worker.js';
import { readers } from './readers.js';
import { request } from './request.js';

describe('A charge whose answer was lost, and that the shop has given back before its look-up', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, errorsOf, comeDue } = readers(database);
  let one: StripeStandIn;
  let two: AuthorizeNetStandIn;
  let worker: TestWorker;
  let accounts = 0;

  beforeAll(async () => {
    one = await StripeStandIn.start();
    two = await AuthorizeNetStandIn.start();
    worker = createWorker(database, { GATEWAY_ONE_URL: one.url, GATEWAY_TWO_URL: two.url, GATEWAY_TIMEOUT: 'PT5S' });
  });
  afterAll(async () => {
    await worker.end();
    await one.stop();
    await two.stop();
  });

  const givenShopWith = (type: 'GatewayOne' | 'GatewayTwo'): Promise<GivenShop> => {
    accounts += 1;
    return type === 'GatewayOne'
      ? givenShop(database, { apiKey1: `sk_test_given_back_${accounts}` })
      : givenShop(database, { type, apiAccount: `login${accounts}`, apiKey1: 'key' });
  };
  const goesOn = async (id: number) => {
    await comeDue(id);
    await worker.drain();
  };
  const age = (id: number, by: string) =>
    database.query(
      `UPDATE processing_cycles SET started_utc = started_utc - $2::interval WHERE scheduled_order_id = $1`,
      [id, by],
    );

  const WAYS: readonly [
    how: string,
    type: 'GatewayOne' | 'GatewayTwo',
    sentAgo: string,
    giveBack: (id: string) => void,
  ][] = [
    ['refunded at GatewayOne', 'GatewayOne', '1 minute', (id) => one.refund(id)],
    ['refunded at GatewayOne, which has forgotten the key', 'GatewayOne', '2 days', (id) => one.refund(id)],
    ['voided at GatewayTwo', 'GatewayTwo', '1 minute', (id) => two.void(id)],
    [
      'settled and refunded at GatewayTwo',
      'GatewayTwo',
      '1 minute',
      (id) => {
        two.settleAll();
        two.refund(id);
      },
    ],
  ];

  it.each(WAYS)('is no payment: %s', async (_, type, sentAgo, giveBack) => {
    const gateway = type === 'GatewayOne' ? one : two;
    const shop = await givenShopWith(type);
    const id = await shop.dueOrder();
    gateway.faults.next('loseAfter', { times: type === 'GatewayOne' ? 2 : 1 });
    await worker.drain();
    gateway.faults.none();
    const { transactionId } = gateway.ledger.capturesOf(id)[0]!;
    giveBack(transactionId);
    await age(id, sentAgo);
    await goesOn(id);
    expect(await cycleOf(id)).toMatchObject({
      state: 'Failed',
      retries_exhausted: true,
      gateway_transaction_id: transactionId,
    });
    expect(await orderOf(id)).toMatchObject({ status: 'Pending', cycles: '0' });
    expect((await errorsOf(id))[0]).toMatchObject({
      exception_info: { Message: expect.stringContaining('The payment was given back at the payment gateway.') },
    });
    await worker.drain();
    expect(gateway.ledger.capturesOf(id)).toHaveLength(1);

    await request(database, id, (tx, order, now) => processNow(tx, order, now));
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', attempt: '2' });
    const [first, second, ...more] = gateway.ledger.capturesOf(id);
    expect([first!.attempt, second!.attempt, more.length]).toEqual([1, 2, 0]);
    expect((await cycleOf(id)).gateway_transaction_id).toBe(second!.transactionId);
    expect(await orderOf(id)).toMatchObject({ status: 'Active', cycles: '1' });
    await assertInvariants(database);
  });

  it.each([
    ['GatewayOne', 500],
    ['GatewayTwo', '5.00'],
  ] as const)('is a payment at %s when only a part was refunded', async (type, part) => {
    const shop = await givenShopWith(type);
    const id = await shop.dueOrder();
    const gateway = type === 'GatewayOne' ? one : two;
    gateway.faults.next('loseAfter', { times: type === 'GatewayOne' ? 2 : 1 });
    await worker.drain();
    gateway.faults.none();
    const { transactionId } = gateway.ledger.capturesOf(id)[0]!;
    two.settleAll();
    if (typeof part === 'number') one.refund(transactionId, part);
    else two.refund(transactionId, part);
    await age(id, '1 minute');
    await goesOn(id);
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', gateway_transaction_id: transactionId });
  });

  it('is not charged again by the next attempt, where it arrived after its repetition was declined', async () => {
    const shop = await givenShopWith('GatewayTwo');
    const id = await shop.dueOrder();
    two.faults.next('held');
    await worker.drain();
    await age(id, '1 minute');
    two.declinedNow.add('2001');
    await goesOn(id);
    two.declinedNow.clear();
    two.letArrive();
    two.void(two.ledger.capturesOf(id)[0]!.transactionId);
    await goesOn(id);
    expect(await cycleOf(id)).toMatchObject({ state: 'Failed', retries_exhausted: true });
    expect(await orderOf(id)).toMatchObject({ status: 'Pending' });
    expect(two.ledger.capturesOf(id)).toHaveLength(1);
    expect(await stuckCycles(database.pool, { limit: 10 })).toEqual([]);

    await request(database, id, (tx, order, now) => processNow(tx, order, now));
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed' });
    expect(two.ledger.capturesOf(id)).toHaveLength(2);
  });

  describe('before a reconciliation', () => {
    const drain = () =>
      drainOnce(database, { GATEWAY_ONE_URL: one.url, GATEWAY_TWO_URL: two.url, GATEWAY_TIMEOUT: 'PT1S' });
    /** After so long without a worker, the gateways' charges are compared with the ledger. @returns what was logged. */
    const reconcile = async () => {
      await database.query(`UPDATE deployment SET seen_utc = now() - interval '7 hours'`);
      return drain();
    };
    const differencesOf = (id: number) =>
      database.query<{ id: number; kind: string; cycle: number; state: string }>(
        `SELECT id::float8, kind, cycle::float8, state FROM payment_differences WHERE scheduled_order_id = $1`,
        [id],
      );

    /** It is charged, and the database forgets it. @returns its transaction. */
    async function givenLost(id: number, type: 'GatewayOne' | 'GatewayTwo'): Promise<string> {
      const { next_occurrence_utc: due } = await orderOf(id);
      await drain();
      const { order_id: orderId } = await cycleOf(id);
      await database.query(`DELETE FROM order_items WHERE order_id = $1`, [orderId]);
      await database.query(`DELETE FROM orders WHERE id = $1`, [orderId]);
      await database.query(`DELETE FROM processing_cycles WHERE scheduled_order_id = $1`, [id]);
      await database.query(`UPDATE scheduled_orders SET cycles = 0, next_occurrence_utc = $2 WHERE id = $1`, [id, due]);
      return (type === 'GatewayOne' ? one : two).ledger.capturesOf(id)[0]!.transactionId;
    }

    itInAllCases('holds nothing where the next attempt has paid the cycle', async () => {
      const id = await (await givenShopWith('GatewayOne')).dueOrder();
      one.faults.next('loseAfter', { times: 2 });
      await drain();
      one.faults.none();
      one.refund(one.ledger.capturesOf(id)[0]!.transactionId);
      await comeDue(id);
      await drain();
      await request(database, id, (tx, order, now) => processNow(tx, order, now));
      await drain();
      expect(await cycleOf(id)).toMatchObject({ state: 'Completed', attempt: '2' });
      await reconcile();
      expect(await differencesOf(id)).toEqual([]);
      await assertInvariants(database);
    });

    const LOST = [
      ['GatewayOne', 'new'],
      ['GatewayTwo', 'voided'],
      ['GatewayTwo', 'new'],
      ['GatewayOne', 'known to the audit'],
    ] as const;
    it.each(ALL_CASES ? LOST : LOST.slice(0, 2))(
      'is held for a person where its commits are lost: at %s, %s',
      async (type, what) => {
        const gateway = type === 'GatewayOne' ? one : two;
        const shop = await givenShopWith(type);
        const { siteId, integrationId } = shop;
        const id = await shop.dueOrder();
        const transactionId = await givenLost(id, type);
        if (what === 'voided') two.void(transactionId);
        else {
          two.settleAll();
          gateway.refund(transactionId);
        }
        // The order costs something else by now, so its next charge is no duplicate for the gateway.
        await database.query(`UPDATE scheduled_order_items SET price = 13 WHERE scheduled_order_id = $1`, [id]);
        if (what === 'known to the audit')
          await reportDifference(database.pool, {
            ...{ siteId, kind: 'ChargeWithoutCycle', paymentIntegrationId: integrationId, paymentMethodType: type },
            ...{ transactionId, scheduledOrderId: id, cycle: null, orderId: null, ours: null, theirs: null },
          });

        expect(await reconcile()).toContain('A charge is not in the ledger, and it was given back');
        expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', resolution: 'NeedsReview', failure_code: 1009 });
        expect(await orderOf(id)).toMatchObject({ status: 'Active', cycles: '0' });
        expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
        const [difference, ...more] = await differencesOf(id);
        const { cycle } = await cycleOf(id);
        expect([difference, more]).toMatchObject([
          { kind: 'ChargeWithoutCycle', state: 'Open', cycle: Number(cycle) },
          [],
        ]);
        expect((await stuckCycles(database.pool, { limit: 10 })).map(({ Why }) => Why)).toEqual([
          expect.stringContaining(`${transactionId}, which the ledger lacks. It was given back there`),
        ]);

        await database.pool.transaction((tx) =>
          settleDifference(
            tx,
            { id: difference!.id, siteId, scheduledOrderId: id },
            { as: 'Accepted', by: 'Grace', note: null },
          ),
        );
        await drain();
        expect(await cycleOf(id)).toMatchObject({ state: 'Completed' });
        expect(gateway.ledger.capturesOf(id)).toHaveLength(2);
      },
    );

    it('of lost commits stays as the list had it, when the shop has another account since', async () => {
      const shop = await givenShopWith('GatewayTwo');
      const id = await shop.dueOrder();
      const transactionId = await givenLost(id, 'GatewayTwo');
      const login = `login${accounts}`;
      two.whenAsked = (request) =>
        void (request === 'getTransactionDetailsRequest'
          ? two.withoutDetails.add(login)
          : two.withoutDetails.delete(login));
      expect(await reconcile()).toContain('A charge that was found could not be looked up, so its order waits');
      two.whenAsked = null;
      two.withoutDetails.clear();
      const another = encryptedValues(vault, 'payment_integrations', shop.integrationId, { apiAccount: 'another' });
      await database.query(`UPDATE payment_integrations SET api_account = $2 WHERE id = $1`, [
        shop.integrationId,
        another.apiAccount,
      ]);
      await reconcile();
      expect(await cycleOf(id)).toMatchObject({ state: 'Completed', gateway_transaction_id: transactionId });
      expect(two.ledger.capturesOf(id)).toHaveLength(1);
    });

    itInAllCases('of lost commits lets its order wait while it cannot be looked up', async () => {
      const shop = await givenShopWith('GatewayTwo');
      const id = await shop.dueOrder();
      const transactionId = await givenLost(id, 'GatewayTwo');
      const login = `login${accounts}`;
      two.whenAsked = (request) =>
        void (request === 'getTransactionDetailsRequest'
          ? two.withoutDetails.add(login)
          : two.withoutDetails.delete(login));
      expect(await reconcile()).toContain('A charge that was found could not be looked up, so its order waits');
      expect(await database.query(`SELECT 1 FROM orders WHERE scheduled_order_id = $1`, [id])).toEqual([]);
      expect(two.ledger.capturesOf(id)).toHaveLength(1);
      two.whenAsked = null;
      two.withoutDetails.clear();
      await reconcile();
      expect(await cycleOf(id)).toMatchObject({ state: 'Completed', gateway_transaction_id: transactionId });
      expect(two.ledger.capturesOf(id)).toHaveLength(1);
    });
  });
});
