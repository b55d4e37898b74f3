import { changeFrequency, processNow, readBacklog, resolveCycle, skip, stuckCycles } from '#libs/ledger';
import { cloneDatabase, copyOf, dropDatabase, type TestDatabase } from '../support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { adoptEarlier, createWorker, type GivenShop, givenShop, type TestWorker } from '../support/worker.js';
import { readers } from './readers.js';
import { request } from './request.js';

const HOUR_MS = 3_600_000;
/** More than are read at once. */
const MANY = 102;
const FEW = 5;

describe('Charges that the database has forgotten', () => {
  let one: StripeStandIn;
  let two: AuthorizeNetStandIn;
  let original: TestDatabase;
  let copy: TestDatabase;
  let shop: GivenShop;
  const workers: TestWorker[] = [];
  const inTurn: number[] = [];
  const inReview = {} as Record<
    'charged' | 'notCharged' | 'changedCharged' | 'changedNotCharged' | 'besideCharged' | 'besideNotCharged',
    number
  >;

  const workerOf = (database: TestDatabase): TestWorker => {
    const urls = { GATEWAY_ONE_URL: one.url, GATEWAY_TWO_URL: two.url };
    const worker = createWorker(database, urls);
    workers.push(worker);
    return worker;
  };
  async function drain(database: TestDatabase): Promise<void> {
    await workerOf(database).drain();
    for (const worker of workers.splice(0)) await worker.end();
  }

  /**
   * One database is charged from, and a copy from before takes its place: with a customer's skips, and cards, that came
   * in between.
   */
  beforeAll(async () => {
    one = await StripeStandIn.start();
    two = await AuthorizeNetStandIn.start();
    original = await cloneDatabase();
    shop = await givenShop(original, { apiKey1: 'sk_test_found' });
    const shopTwo = await givenShop(original, { type: 'GatewayTwo', apiAccount: 'login', apiKey1: 'key4567890123456' });
    await drain(original);
    const at = new Date(Math.floor(Date.now() / 1_000) * 1_000 - HOUR_MS);
    const daily = { frequencyType: 'Days', frequency: 1, nextOccurrenceUtc: at, scheduleAnchorUtc: at };
    inTurn.push(...(await shop.dueOrders(MANY)), ...(await shopTwo.dueOrders(FEW)));
    const ids = await shop.dueOrders(6, daily);
    const names = ['charged', 'notCharged', 'changedCharged', 'changedNotCharged', 'besideCharged', 'besideNotCharged'];
    names.forEach((name, index) => (inReview[name as keyof typeof inReview] = ids[index]!));
    const beside = [inReview.besideCharged, inReview.besideNotCharged];
    const cards = (card: string, customer: string) => (database: TestDatabase) =>
      database.query(
        `UPDATE scheduled_orders SET payment_method_id = $2, payment_method_customer_id = $3 WHERE id = ANY ($1)`,
        [beside, card, customer],
      );
    await original.query(`UPDATE scheduled_orders SET status = 'Paused' WHERE id <> ALL ($1)`, [beside]);
    await cards('pm_insufficient_funds', 'cus_1')(original);
    await drain(original);
    await original.query(`UPDATE scheduled_orders SET status = 'Active'`);

    copy = await copyOf(original);
    await cards('pm_card', 'cus_of_lost_commits')(original);
    await original.query(`UPDATE processing_cycles SET next_attempt_utc = now() WHERE next_attempt_utc IS NOT NULL`);
    await drain(original);
    for (const id of inTurn) await request(original, id, (tx, order, now) => processNow(tx, order, now, true));
    await drain(original);
    one.forgetKeys();
    await cards('pm_card', 'cus_1')(copy);
    const { charged, notCharged, changedCharged, changedNotCharged } = inReview;
    for (const id of [charged, notCharged, changedCharged, changedNotCharged])
      for (let time = 0; time < 2; time += 1) await request(copy, id, skip);
    await adoptEarlier(copy);
  });
  afterAll(async () => {
    for (const worker of workers) await worker.end();
    for (const database of [original, copy]) await dropDatabase(database);
    await one.stop();
    await two.stop();
  });

  const due = (database: TestDatabase, ids: readonly number[]) =>
    database.query(`SELECT id, cycles, next_occurrence_utc FROM scheduled_orders WHERE id = ANY ($1) ORDER BY id`, [
      ids,
    ]);

  it('are recorded one after another, all of them and none twice, by two workers at once', async () => {
    const charges = [...one.ledger.charges, ...two.ledger.charges];
    expect(charges).toHaveLength(2 * (MANY + FEW) + 6);
    await Promise.all([workerOf(copy).drain(), workerOf(copy).drain()]);
    for (const worker of workers.splice(0)) await worker.end();
    // What one of them has left to the other.
    await drain(copy);
    expect(one.ledger.charges.length + two.ledger.charges.length).toBe(charges.length);
    const recorded = await copy.query<{ transaction: string }>(
      `SELECT c.gateway_transaction_id AS transaction FROM processing_cycles c JOIN orders o ON o.id = c.order_id
       WHERE c.state = 'Completed' AND c.scheduled_order_id = ANY ($1)`,
      [inTurn],
    );
    const ofTurn = charges.filter(({ scheduledOrderId }) => inTurn.includes(scheduledOrderId));
    expect(recorded.map(({ transaction }) => transaction).sort()).toEqual(
      ofTurn.map(({ transactionId }) => transactionId).sort(),
    );
    expect(await due(copy, inTurn)).toEqual(await due(original, inTurn));
    expect(await copy.query(`SELECT state, count(*)::int FROM found_charges GROUP BY 1`)).toEqual([
      { state: 'Placed', count: charges.length },
    ]);
    expect(
      await copy.query(`SELECT 1 FROM processing_cycles WHERE open AND resolution IS DISTINCT FROM 'NeedsReview'`),
    ).toEqual([]);
  });

  it('need manual review where nobody can tell what they paid, and say so once', async () => {
    const ids = Object.values(inReview);
    const dueAgain = () =>
      copy.query(`UPDATE processing_cycles SET next_attempt_utc = now() WHERE open AND scheduled_order_id = ANY ($1)`, [
        ids,
      ]);
    for (let time = 0; time < 3; time += 1) {
      await dueAgain();
      await drain(copy);
    }
    const differences = await copy.query<{ id: number }>(
      `SELECT scheduled_order_id::float8 AS id FROM payment_differences WHERE holds`,
    );
    expect(differences.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const stuck = await stuckCycles(copy.pool, { limit: 100 });
    expect(stuck.map(({ ScheduledOrderId }) => ScheduledOrderId).sort()).toEqual([...ids].sort());
    expect(await readBacklog(copy.pool)).toMatchObject({ needsPerson: ids.length });
    for (const { ScheduledOrderId: id, Why } of stuck) {
      const [charge] = one.ledger.charges.filter(({ scheduledOrderId }) => scheduledOrderId === id);
      expect(Why).toContain(`A person must decide: run cycles:resolve`);
      expect(Why).toContain(`The gateway has the charge ${charge!.transactionId}, which the ledger lacks.`);
      const sentence = 'The service cannot tell whether this cycle was charged: the shop has to look.';
      const events = await readers(copy).eventsOf(id);
      expect(events.filter(({ description }) => description.endsWith(sentence))).toHaveLength(1);
      const errors = await copy.query<{ text: string }>(
        `SELECT exception_info::text AS text FROM error_logs WHERE scheduled_order_id = $1`,
        [id],
      );
      expect(errors.filter(({ text }) => text.includes(charge!.transactionId))).toHaveLength(1);
    }
  });

  /** Two days pass for the orders whose next occurrence was skipped: it is due. */
  async function twoDaysPass(): Promise<void> {
    const ids = [inReview.charged, inReview.notCharged];
    await copy.query(
      `UPDATE scheduled_orders SET next_occurrence_utc = next_occurrence_utc - interval '2 days',
         schedule_anchor_utc = schedule_anchor_utc - interval '2 days', created_utc = created_utc - interval '2 days' WHERE id = ANY ($1)`,
      [ids],
    );
    await copy.query(
      `UPDATE processing_cycles SET due_utc = due_utc - interval '2 days', started_utc = started_utc - interval '2 days'
       WHERE scheduled_order_id = ANY ($1)`,
      [ids],
    );
    await copy.query(
      `UPDATE found_charges SET charged_utc = charged_utc - interval '2 days' WHERE scheduled_order_id = ANY ($1)`,
      [ids],
    );
  }

  const settle = async (id: number, transactionId: string | null) => {
    const { cycle } = await readers(copy).cycleOf(id);
    await resolveCycle(copy.pool, { scheduledOrderId: id, cycle: Number(cycle), transactionId, by: 'Grace' });
  };
  const transactionOf = (id: number): string =>
    one.ledger.charges.find(({ scheduledOrderId }) => scheduledOrderId === id)!.transactionId;
  const cyclesOf = (id: number) =>
    copy.query<{ state: string; due_utc: Date; gateway_transaction_id: string | null }>(
      `SELECT state, due_utc, gateway_transaction_id FROM processing_cycles WHERE scheduled_order_id = $1 ORDER BY cycle`,
      [id],
    );

  it('hold up their order also when it is due, until a person has decided; then exactly that happens', async () => {
    await twoDaysPass();
    const before = one.ledger.charges.length;
    await drain(copy);
    expect(one.ledger.charges).toHaveLength(before);

    await settle(inReview.charged, transactionOf(inReview.charged));
    await settle(inReview.notCharged, null);
    await drain(copy);
    for (const [id, decided] of [
      [inReview.charged, 'Completed'],
      [inReview.notCharged, 'Failed'],
    ] as const) {
      const cycles = await cyclesOf(id);
      expect(cycles.map(({ state }) => state)).toEqual(['Skipped', 'Skipped', decided, 'Completed']);
      // What was skipped stays skipped: the next occurrence is the one after it, and is charged once.
      expect(cycles[3]!.due_utc.getTime() - cycles[1]!.due_utc.getTime()).toBe(24 * HOUR_MS);
      expect(one.ledger.charges.filter(({ scheduledOrderId }) => scheduledOrderId === id)).toHaveLength(2);
      const order = await readers(copy).orderOf(id);
      expect(order).toMatchObject({ status: 'Active' });
      expect(order.next_occurrence_utc.getTime() - cycles[3]!.due_utc.getTime()).toBe(24 * HOUR_MS);
    }
    expect((await cyclesOf(inReview.charged))[2]!.gateway_transaction_id).toBe(transactionOf(inReview.charged));
  });

  it('let a new frequency count at once, however they are decided', async () => {
    const { changedCharged: paid, changedNotCharged: unpaid } = inReview;
    for (const id of [paid, unpaid]) await request(copy, id, changeFrequency);
    await settle(paid, transactionOf(paid));
    await settle(unpaid, null);
    await drain(copy);
    for (const id of [paid, unpaid]) {
      const { next_occurrence_utc: next, schedule_anchor_utc: anchor } = await readers(copy).orderOf(id);
      expect(next.getTime() - anchor.getTime()).toBe(24 * HOUR_MS);
    }
  });

  it('in review beside an open cycle decide that cycle, either way', async () => {
    const { besideCharged: paid, besideNotCharged: unpaid } = inReview;
    for (const id of [paid, unpaid]) {
      expect(await readers(copy).orderOf(id)).toMatchObject({ status: 'Active' });
      expect(await readers(copy).cycleOf(id)).toMatchObject({ failure_code: 1009 });
    }
    await settle(paid, transactionOf(paid));
    await settle(unpaid, null);
    await drain(copy);
    expect(await cyclesOf(paid)).toMatchObject([{ state: 'Completed', gateway_transaction_id: transactionOf(paid) }]);
    // Not charged: the cycle goes on with its next attempt.
    expect(await cyclesOf(unpaid)).toMatchObject([{ state: 'Completed' }]);
    expect(one.ledger.charges.filter(({ scheduledOrderId }) => scheduledOrderId === unpaid)).toHaveLength(2);
    for (const id of [paid, unpaid]) expect(await readers(copy).orderOf(id)).toMatchObject({ status: 'Active' });
    expect(await copy.query(`SELECT 1 FROM payment_differences WHERE state = 'Open'`)).toEqual([]);
    await assertInvariants(copy);
  });
});
