import * as fc from 'fast-check';
import { archiveCycles } from '#libs/ledger';
import { ALL_CASES } from '../support/all-cases.js';
import { type Json, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { SEED } from '../support/random.js';
import { createWorker, ENCRYPTION_KEY, type TestWorker, vault } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database, { ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);
let worker: TestWorker;

beforeAll(() => {
  worker = createWorker(database, { PAYMENT_RETRY_SCHEDULE: 'P3D,P3D', TECHNICAL_RETRY_SCHEDULE: 'P3D' });
});
afterAll(() => worker.end());

const DAY = 86_400_000;
const ROUNDS = 7;

/** An order, and what is done to it in each round before the worker comes. */
interface Plan {
  readonly currencyIso: string;
  readonly payment: 'card' | 'declined' | 'declined_hard' | 'none';
  readonly price: string;
  readonly frequency: number;
  readonly rounds: readonly ('due' | 'revive' | 'skip' | 'process' | 'pause' | 'nothing')[];
}

const plans = fc.record<Plan>({
  currencyIso: fc.constantFrom('USD', 'EUR', 'JPY', 'KWD'),
  payment: fc.constantFrom('card', 'card', 'card', 'declined', 'declined_hard', 'none'),
  price: fc.constantFrom('12.50', '7', '0', '1234.56'),
  frequency: fc.integer({ min: 8, max: 40 }),
  rounds: fc.array(fc.constantFrom('due', 'due', 'due', 'due', 'due', 'skip', 'skip', 'process', 'pause', 'nothing'), {
    minLength: ROUNDS,
    maxLength: ROUNDS,
  }),
});

/** Whatever chance brings: orders of which every cycle completes, fails or is skipped. */
const always = { currencyIso: 'USD', price: '7', frequency: 10 } as const;
const MADE: readonly Plan[] = [1, 2, 3].flatMap(() => [
  { ...always, payment: 'card', rounds: Array<'due'>(ROUNDS).fill('due') },
  { ...always, payment: 'declined_hard', rounds: Array<'revive'>(ROUNDS).fill('revive') },
  { ...always, payment: 'card', rounds: Array<'skip'>(ROUNDS).fill('skip') },
]);

const PAYMENT = {
  card: 'pm_card',
  declined: 'pm_declined',
  declined_hard: 'pm_declined_hard',
};

interface PlannedShop {
  readonly siteId: number;
  readonly token: string;
  readonly orders: readonly (Plan & { readonly id: number })[];
}

async function givenShop(seed: number): Promise<PlannedShop> {
  const { siteId, tokenAuth: token } = await given.merchant();
  await given.integration(vault, siteId);
  const customerId = await given.customer(siteId);
  const productId = await given.product(siteId);
  const orders = [];
  for (const plan of [...fc.sample(plans, { seed, numRuns: ALL_CASES ? 40 : 10 }), ...MADE]) {
    const card = {
      paymentMethodType: 'GatewayOne',
      paymentMethodCustomerId: 'cus_1',
      paymentMethodId: plan.payment === 'none' ? null : PAYMENT[plan.payment],
    };
    const { currencyIso, frequency } = plan;
    const values = { frequencyType: 'Days', frequency, currencyIso, scheduleAnchorUtc: new Date(), ...card };
    const nextOccurrenceUtc = new Date(Date.now() + 9 * DAY);
    const id = await given.scheduledOrder(siteId, customerId, { ...values, nextOccurrenceUtc });
    await given.item(siteId, id, productId, { price: plan.price });
    orders.push({ ...plan, id });
  }
  return { siteId, token, orders };
}

/** The seconds of rounds differ, however fast they are: a payment names the second of its occurrence. */
async function makeDue(ids: readonly number[], secondsAgo = 1): Promise<void> {
  await database.query(
    `UPDATE scheduled_orders SET next_occurrence_utc = now() - $2 * interval '1 second' WHERE id = ANY ($1::bigint[]) AND status = 'Active'`,
    [ids, secondsAgo],
  );
  await database.query(
    `UPDATE processing_cycles SET next_attempt_utc = now() - interval '1 second' WHERE scheduled_order_id = ANY ($1::bigint[]) AND open`,
    [ids],
  );
}

/** One round: requests of people, then what is due is processed. Refused requests do nothing. */
async function live({ token, orders }: PlannedShop, round: number): Promise<void> {
  const due: number[] = [];
  for (const { id, rounds } of orders) {
    const path = `/api/ScheduledOrders/${id}`;
    const put = (body: object) => api.request('PUT', path, { token, body });
    const what = rounds[round]!;
    if (what === 'due' || what === 'revive') due.push(id);
    if (what === 'skip') await api.request('POST', `${path}/Skip`, { token });
    if (what === 'process') await api.request('POST', `${path}/Process`, { token });
    if (what === 'pause') await put({ Status: 'Paused' });
    else if (round > 0 && rounds[round - 1] === 'pause') await put({ Status: 'Active' });
    // Orders that failed for good are made ready again by somebody, now and then.
    else if (what === 'revive' || (id + round) % 3 === 0) await put({ Status: 'Active' });
  }
  await makeDue(due, ROUNDS - round);
  await worker.drain();
}

/** All that has happened is so many days older. */
async function goOn(siteId: number, days: number): Promise<void> {
  const older = (...columns: string[]) =>
    columns.map((column) => `${column} = ${column} - $2 * interval '1 day'`).join(', ');
  await database.query(`UPDATE orders SET ${older('date_created')} WHERE site_id = $1`, [siteId, days]);
  await database.query(
    `UPDATE processing_cycles SET ${older('ended_utc', 'due_utc', 'created_utc', 'updated_utc')} WHERE site_id = $1 AND NOT open`,
    [siteId, days],
  );
}

interface Row {
  Processed: number;
  Failed: number;
  Skipped: number;
  Total: number;
}
type Rows = Record<string, Row>;

interface Ending {
  readonly state: string;
  /** A cycle that failed may be claimed again, and fail again. */
  readonly claim: string;
  /** When it was seen, and how many days older it was made since. */
  readonly atMs: number;
  age: number;
  currencyIso: string;
  readonly amount: number;
}

/**
 * What is new in the ledger since the last round, as this test has seen it happen; a cycle counts as what it is now.
 */
class Diary {
  private readonly endings = new Map<string, Ending>();

  constructor(private readonly siteId: number) {}

  grow(days: number): void {
    for (const ending of this.endings.values()) ending.age += days;
  }

  async look(): Promise<void> {
    const cycles = await database.query<{
      key: string;
      state: string;
      claim: string;
      code: number | null;
      iso: string;
      amount: string;
    }>(
      `SELECT c.scheduled_order_id || ' ' || c.cycle AS key, c.state, c.claim, c.failure_code AS code, c.amount, coalesce(c.currency_iso, o.currency_iso) AS iso
       FROM processing_cycles c JOIN scheduled_orders o ON o.id = c.scheduled_order_id WHERE c.site_id = $1`,
      [this.siteId],
    );
    for (const { key, state, claim, code, iso, amount } of cycles) {
      const known = this.endings.get(key);
      // Without an attempt it counts in the order's present currency.
      if (known !== undefined) known.currencyIso = iso;
      if (known?.state === state && known.claim === claim) continue;
      this.endings.delete(key);
      const isShown = state === 'Completed' || state === 'Skipped' || (state === 'Failed' && code !== null);
      if (isShown)
        this.endings.set(key, { state, claim, atMs: Date.now(), age: 0, currencyIso: iso, amount: Number(amount) });
    }
  }

  rows(): Rows {
    const rows: Rows = {};
    for (const { state, atMs, age, currencyIso, amount } of this.endings.values()) {
      const day = new Date(atMs - age * DAY).toISOString().slice(0, 10);
      const row = (rows[`${day} ${currencyIso}`] ??= { Processed: 0, Failed: 0, Skipped: 0, Total: 0 });
      if (state === 'Completed') {
        row.Processed++;
        row.Total += amount;
      } else row[state as 'Failed' | 'Skipped']++;
    }
    return rows;
  }

  count(state: string): number {
    return [...this.endings.values()].filter((ending) => ending.state === state).length;
  }
}

/** The 62 days up to the end of tomorrow, so many days ago: midnight may come while the test runs. */
async function past({ siteId, token }: PlannedShop, daysAgo = 0): Promise<Rows> {
  const end = (Math.floor(Date.now() / DAY) + 2 - daysAgo) * DAY;
  const [from, to] = [end - 62 * DAY, end].map((at) => new Date(at).toISOString());
  const { status, body } = await api.request('GET', `/api/Site/${siteId}/Calendar?From=${from}&To=${to}`, { token });
  expect(status).toBe(200);
  return Object.fromEntries(
    (body as Json[]).map(({ Day, CurrencyIso, Processed, Failed, Skipped, Total, Due, AtRisk }) => {
      expect([Due, AtRisk]).toEqual([0, 0]);
      return [`${Day} ${CurrencyIso}`, { Processed, Failed, Skipped, Total }];
    }),
  );
}

it('The days that are over are the ledger, also when its old cycles are in the archive ', async () => {
  const shops = [await givenShop(SEED), await givenShop(SEED + 1)];
  const diaries = shops.map(({ siteId }) => new Diary(siteId));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, shop] of shops.entries()) {
      await live(shop, round);
      await diaries[index]!.look();
      const days = 1 + ((SEED + round * 5 + index) % 8);
      await goOn(shop.siteId, days);
      diaries[index]!.grow(days);
      // What was charged stays what it was when the order gets another currency.
      if (round === 3)
        await database.query(`UPDATE scheduled_orders SET currency_iso = 'EUR' WHERE id = $1`, [shop.orders[0]!.id]);
    }
  }
  for (const [index, shop] of shops.entries()) {
    const diary = diaries[index]!;
    expect(await past(shop)).toEqual(diary.rows());
    expect(diary.count('Completed')).toBeGreaterThan(20);
    expect(diary.count('Failed')).toBeGreaterThan(3);
    expect(diary.count('Skipped')).toBeGreaterThan(10);
    await goOn(shop.siteId, 200);
    diary.grow(200);
  }
  const { cycles } = await archiveCycles(database.pool, 3);
  expect(cycles).toBeGreaterThan(50);
  const [archived] = await database.query(
    `SELECT count(*) FILTER (WHERE c.state = 'Failed')::int > 0 AS failed, count(*) FILTER (WHERE c.state = 'Skipped')::int > 0 AS skipped,
       count(*) FILTER (WHERE c.state = 'Completed')::int > 0 AS completed
     FROM archived_cycles a CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) c`,
  );
  expect(archived).toEqual({ failed: true, skipped: true, completed: true });
  for (const [index, shop] of shops.entries()) expect(await past(shop, 200)).toEqual(diaries[index]!.rows());
});

describe('A day that is over', () => {
  async function givenOrder() {
    const { siteId, tokenAuth: token } = await given.merchant();
    const customerId = await given.customer(siteId);
    const id = await given.scheduledOrder(siteId, customerId, { nextOccurrenceUtc: new Date('2040-01-01') });
    const day = async (from: string, to: string) =>
      (await api.request('GET', `/api/Site/${siteId}/Calendar?From=${from}&To=${to}`, { token })).body as object[];
    const cycle = (number: number, values: object) =>
      given.insert('processing_cycles', { siteId, scheduledOrderId: id, cycle: number, open: false, ...values });
    return { siteId, token, customerId, id, day, cycle };
  }
  const NONE = { CurrencyIso: 'USD', Due: 0, AtRisk: 0, Processed: 0, Failed: 0, Skipped: 0, Total: 0 };

  it('has a cycle without the time of its end on the day on which it was due', async () => {
    const { day, cycle } = await givenOrder();
    await cycle(1, { state: 'Failed', failureCode: 2000, dueUtc: '2020-01-03T23:59:59.999Z', orderId: 7 });
    await cycle(2, { state: 'Skipped', dueUtc: '2020-01-04T00:00:00.000Z' });
    await cycle(3, { state: 'Failed', dueUtc: '2020-01-04T00:00:00.000Z' });
    expect(await day('2020-01-01', '2020-02-01')).toEqual([
      { ...NONE, Day: '2020-01-03', Failed: 1 },
      { ...NONE, Day: '2020-01-04', Skipped: 1 },
    ]);
    expect(await day('2020-01-03', '2020-01-04')).toHaveLength(1);
  });

  it('has Orders that processing has written and nobody has deleted, with the totals that they have now', async () => {
    const { siteId, customerId, id, day } = await givenOrder();
    const order = (cycle: number, values: object) =>
      given.order(siteId, customerId, {
        scheduledOrderId: id,
        cycle,
        dateCreated: '2020-05-05',
        total: '10',
        currencyIso: 'USD',
        ...values,
      });
    await order(1, {});
    await order(2, { total: '2.35' });
    await order(3, { total: null });
    await order(4, { deletedUtc: new Date() });
    await order(5, { dateCreated: '2020-05-06T00:00:00Z' });
    await order(6, { dateCreated: null });
    await given.order(siteId, customerId, { dateCreated: '2020-05-05', total: '500' });
    expect(await day('2020-05-05', '2020-05-06')).toEqual([{ ...NONE, Day: '2020-05-05', Processed: 3, Total: 1_235 }]);
  });

  it('has no failure any more once the cycle is tried again', async () => {
    const { siteId, token, id } = await givenOrder();
    await given.integration(vault, siteId);
    await given.item(siteId, id, await given.product(siteId));
    const overview = async () =>
      (await api.request('GET', `/api/Site/${siteId}/Overview`, { token })).body.Today as object[];
    await makeDue([id]);
    await worker.drain();
    expect(await overview()).toEqual([{ CurrencyIso: 'USD', Processed: 0, Charged: 0, Failed: 1 }]);
    await api.request('PUT', `/api/ScheduledOrders/${id}`, {
      token,
      body: { PaymentMethodType: 'GatewayOne', PaymentMethodCustomerId: 'cus_1', PaymentMethodId: 'pm_1' },
    });
    await api.request('POST', `/api/ScheduledOrders/${id}/Process`, { token });
    expect(await overview()).toEqual([]);
    await worker.drain();
    expect(await overview()).toEqual([{ CurrencyIso: 'USD', Processed: 1, Charged: 1_250, Failed: 0 }]);
  });
});
