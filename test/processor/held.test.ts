import {
  acceptHolding,
  type Difference,
  type DifferenceKind,
  processNow,
  reportDifference,
  settleDifference,
} from '#libs/ledger';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { createWorker, type GivenShop, givenShop, type TestWorker } from '../support/worker.js';
import { readers } from './readers.js';
import { request } from './request.js';
import { settledWhileFound } from './settled-while-found.js';

describe('An order with an open difference', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, eventsOf, errorsOf, comeDue } = readers(database);
  let gateway: StripeStandIn;
  let worker: TestWorker;
  let shop: GivenShop;

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
    shop = await givenShop(database, { apiKey1: 'sk_test_held' });
  });
  afterEach(() => assertInvariants(database, gateway.ledger));
  afterAll(async () => {
    await worker.end();
    await gateway.stop();
  });

  const differenceOf = (scheduledOrderId: number, kind: DifferenceKind = 'TwoCharges'): Difference => ({
    siteId: shop.siteId,
    kind,
    paymentIntegrationId: shop.integrationId,
    paymentMethodType: 'GatewayOne',
    transactionId: `pi_${scheduledOrderId}`,
    scheduledOrderId,
    cycle: 1,
    orderId: null,
    ours: null,
    theirs: { Amount: 1250 },
  });
  const report = (scheduledOrderId: number, kind?: DifferenceKind) =>
    reportDifference(database.pool, differenceOf(scheduledOrderId, kind));
  const captures = (id: number) => gateway.ledger.charges.filter(({ scheduledOrderId }) => scheduledOrderId === id);

  it('waits without an attempt, is logged once, and is charged when the difference is settled', async () => {
    const [id, other] = [await shop.dueOrder(), await shop.dueOrder()];
    const due = (await orderOf(id)).next_occurrence_utc;
    const [difference] = await report(id);
    for (let round = 0; round < 3; round++) {
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject({
        ...{ state: 'Waiting', attempt: '0', failure_code: 1009, held_for: 1009, waiting_since_utc: null },
        technical_failures: '0',
      });
      expect(await orderOf(id)).toMatchObject({ status: 'Active', next_occurrence_utc: due });
      await comeDue(id);
    }
    expect(await cycleOf(other)).toMatchObject({ state: 'Completed' });
    const description =
      '1009 PaymentDiffers: A payment of this order is not as the payment gateway has it (TwoCharges): the shop settles that before the order is charged again.';
    expect(await eventsOf(id)).toEqual([{ event_type: 'ScheduledOrderHeld', description }]);
    expect(await errorsOf(id)).toHaveLength(1);
    expect(await report(id)).toEqual([]);
    const settlement = { as: 'Resolved', by: 'a test', note: null } as const;
    await database.pool.transaction((tx) => settleDifference(tx, { ...difference!, scheduledOrderId: id }, settlement));
    expect(await report(id)).toEqual([]);
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', attempt: '1', cycle: '1', held_for: null });
    expect(captures(id)).toHaveLength(1);
  });

  it('goes on at once when it is settled while a worker finds it held', async () => {
    const [waits, unknown] = [await shop.dueOrder(), await shop.dueOrder()];
    const [one] = await report(waits);
    gateway.faults.next('errorBefore');
    await worker.drain();
    const [other] = await report(unknown);
    for (const [id, difference, before, after] of [
      [waits, one!, { state: 'Waiting' }, { state: 'Completed', attempt: '1', held_for: null }],
      // It is repeated, which nothing held may be.
      [unknown, other!, { state: 'Unknown', replayed_utc: null }, { replayed_utc: expect.any(Date) }],
    ] as const) {
      expect(await cycleOf(id)).toMatchObject(before);
      await comeDue(id);
      await (
        await settledWhileFound(database, worker, { ...difference, scheduledOrderId: id })
      ).ended;
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject(after);
    }
  });

  it('goes on only when nothing holds it any more', async () => {
    const id = await shop.dueOrder();
    const [first] = await report(id);
    const [second] = await report(id, 'TransactionTwice');
    await worker.drain();
    for (const [difference, state] of [
      [first!, 'Waiting'],
      [second!, 'Completed'],
    ] as const) {
      await database.pool.transaction((tx) =>
        settleDifference(tx, { ...difference, scheduledOrderId: id }, { as: 'Accepted', by: 'a test', note: null }),
      );
      await worker.drain();
      expect(await cycleOf(id)).toMatchObject({ state });
    }
  });

  it('is charged by a merchant’s Process, and not by a customer’s', async () => {
    const id = await shop.dueOrder();
    await report(id);
    await worker.drain();
    const process = (by: string | null) =>
      request(database, id, async (tx, order, now) => {
        await acceptHolding(tx, order, by);
        return processNow(tx, order, now);
      });
    await expect(process(null)).rejects.toThrow('1009 PaymentDiffers');
    await process('a Merchant token');
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', cycle: '1', held_for: null });
    expect(captures(id)).toHaveLength(1);
  });

  it('is counted by the metrics until it is settled, and so is the age of the comparison', async () => {
    const figures = async () => {
      const text = await worker.metrics();
      const found = text.matchAll(/^scheduled_orders_(\w*differences|audit_age_seconds) (\S+)$/gm);
      return Object.fromEntries([...found].map(([, name, value]): [string, number] => [name!, Number(value)]));
    };
    const before = await figures();
    const [held] = await report(await shop.dueOrder());
    await report(await shop.dueOrder(), 'RefundUnseen');
    expect(await figures()).toMatchObject({
      open_differences: before.open_differences! + 2,
      holding_differences: before.holding_differences! + 1,
    });
    await database.pool.transaction((tx) => settleDifference(tx, held!, { as: 'Accepted', by: 'a test', note: null }));
    expect(await figures()).toMatchObject({
      open_differences: before.open_differences! + 1,
      holding_differences: before.holding_differences!,
    });
    await database.query(
      `INSERT INTO integration_audits (payment_integration_id, checked_until_utc, next_audit_utc, audited_utc)
       VALUES ($1, now(), now() + interval '1 minute', now() - interval '1 hour')
       ON CONFLICT (payment_integration_id) DO UPDATE SET audited_utc = excluded.audited_utc, next_audit_utc = excluded.next_audit_utc`,
      [shop.integrationId],
    );
    const { audit_age_seconds: age } = await figures();
    expect([age! >= 3_600, age! < 3_900]).toEqual([true, true]);
    await database.query(`UPDATE integration_audits SET audited_utc = now() WHERE payment_integration_id = $1`, [
      shop.integrationId,
    ]);
    expect((await figures()).audit_age_seconds).toBeLessThan(300);
    await worker.drain();
  });

  it('is charged where the difference is of a kind that is only listed', async () => {
    const id = await shop.dueOrder();
    await report(id, 'AmountDiffers');
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', held_for: null });
  });

  it('is not settled with it where its own charge is unknown', async () => {
    const id = await shop.dueOrder();
    gateway.faults.next('errorAfter');
    await worker.drain();
    const [difference] = await report(id, 'ChargeWithoutCycle');
    await database.pool.transaction((tx) =>
      settleDifference(tx, { ...difference!, scheduledOrderId: id }, { as: 'Accepted', by: 'a test', note: null }),
    );
    expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', resolution: null });
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', attempt: '1' });
    expect(captures(id)).toHaveLength(1);
  });

  it('has one for a charge without an Order, whatever kind it seems to be later', async () => {
    const id = await shop.dueOrder();
    expect(await report(id, 'ChargeWithoutCycle')).toHaveLength(1);
    for (const kind of ['TwoCharges', 'ChargedAfterStop'] as const) expect(await report(id, kind)).toEqual([]);
    expect(await report(id, 'AmountDiffers')).toHaveLength(1);
  });
});
