import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { createWorker, ENCRYPTION_KEY, type GivenShop, givenShop, type TestWorker } from '../support/worker.js';
import { readers } from './readers.js';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

/**
 * What is asked for an occurrence while it is charged must not charge the next one too (decisions.md §9, In progress).
 */
describe('PUT /api/ScheduledOrders/{scheduledOrderId}/NextOccurrenceUtc, while a cycle is in progress', () => {
  const database = useDatabase();
  const api = useApi(database, { ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0' });
  const { cycleOf, statesOf, comeDue } = readers(database);
  let gateway: StripeStandIn;
  let worker: TestWorker;
  let shop: GivenShop;
  let shops = 0;
  /** Charges that are under way until the test has asked. */
  let underWay: Promise<void> = Promise.resolve();

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
  });
  beforeEach(async () => {
    shop = await givenShop(database, { apiKey1: `sk_test_late_${++shops}` });
  });
  afterEach(async () => {
    await answered();
    await assertInvariants(database, gateway.ledger, { tickMs: 3_600_000 });
  });
  afterAll(async () => {
    await worker.end();
    await gateway.stop();
  });

  async function answered(): Promise<void> {
    gateway.keepsAfter = Infinity;
    gateway.letGo();
    await underWay;
  }

  const weekly = () => {
    const due = new Date(Math.floor(Date.now() / 1000) * 1000 - 3_600_000);
    return { frequencyType: 'Weeks', frequency: 1, nextOccurrenceUtc: due, scheduleAnchorUtc: due };
  };
  const capturesOf = (id: number) => gateway.ledger.charges.filter(({ scheduledOrderId }) => scheduledOrderId === id);

  async function charging(): Promise<number> {
    const id = await shop.dueOrder(weekly());
    const before = gateway.served.charge;
    gateway.keepsAfter = before;
    underWay = worker.drain();
    await until(() => gateway.served.charge > before);
    return id;
  }
  async function unknown(): Promise<number> {
    const id = await shop.dueOrder(weekly());
    gateway.faults.next('errorAfter');
    await worker.drain();
    // Long enough ago that it cannot be under way any more.
    await database.query(
      `UPDATE processing_cycles SET started_utc = now() - interval '1 hour' WHERE scheduled_order_id = $1`,
      [id],
    );
    return id;
  }
  const IN_PROGRESS = { Charging: charging, Unknown: unknown };
  type State = keyof typeof IN_PROGRESS;

  /** An order whose cycle is in this state, its requests, and the dates that they are about. */
  async function inProgress(state: State) {
    const id = await IN_PROGRESS[state]();
    expect(await cycleOf(id)).toMatchObject({ state });
    const path = `/api/ScheduledOrders/${id}`;
    const read = async () =>
      (await api.request('GET', path, { token: shop.tokenAuth })).body as { NextOccurrenceUtc: string };
    const reschedule = (to: Date, expected?: Date | string | null) =>
      api.request('PUT', `${path}/NextOccurrenceUtc`, {
        token: shop.tokenAuth,
        body: { NextOccurrenceUtc: to, ExpectedNextOccurrenceUtc: expected },
      });
    const due = (await cycleOf(id)).due_utc;
    return { id, read, reschedule, due, after: new Date(due.getTime() + 7 * DAY_MS) };
  }

  /** The gateway answers, and all that has become due is processed. */
  async function settle(id: number): Promise<void> {
    await answered();
    await comeDue(id);
    await worker.drain();
  }

  const STATES = Object.keys(IN_PROGRESS) as State[];

  it.each(STATES)('%s: what is meant for the one in progress is a Conflict, and no second charge', async (state) => {
    const { id, read, reschedule, due, after } = await inProgress(state);
    const before = await read();
    for (const to of [new Date(Date.now() - 1_000), inDays(1), new Date(after.getTime() - 1)]) {
      const { status, body } = await reschedule(to);
      expect([status, body.detail]).toEqual([
        409,
        `The occurrence of ${due.toISOString().slice(0, 16).replace('T', ' ')} UTC is in progress. This would move the one after it, ${after.toISOString()}, ` +
          `to the earlier ${to.toISOString()}. If that is what you want, send ${after.toISOString()} as ExpectedNextOccurrenceUtc.`,
      ]);
    }
    expect(await read()).toEqual(before);
    await settle(id);
    expect([await statesOf(id), capturesOf(id).length, (await read()).NextOccurrenceUtc]).toEqual([
      ['Completed'],
      1,
      after.toISOString(),
    ]);
  });

  it.each(STATES)('%s: moves the one after it, to its own date or a later one', async (state) => {
    const { id, read, reschedule, after } = await inProgress(state);
    for (const to of [after, new Date(after.getTime() + DAY_MS)]) {
      const { status, body } = await reschedule(to);
      expect([status, body.NextOccurrenceUtc]).toEqual([200, to.toISOString()]);
      // It has moved: from here on it is what the order shows.
      expect((await reschedule(inDays(30), after.getTime() === to.getTime() ? inDays(1) : after)).status).toBe(409);
    }
    await settle(id);
    expect([await statesOf(id), capturesOf(id).length]).toEqual([['Completed'], 1]);
    expect((await read()).NextOccurrenceUtc).toBe(new Date(after.getTime() + DAY_MS).toISOString());
  });

  it.each(STATES)('%s: moves the one after it to an earlier instant where it is named', async (state) => {
    const { id, read, reschedule, after } = await inProgress(state);
    const to = inDays(1);
    expect([(await reschedule(to, after)).status, (await reschedule(to, after)).status]).toEqual([200, 409]);
    // The moved one stands for the regular one: a second move to before that names what the order shows.
    const second = await reschedule(inDays(2));
    expect([second.status, second.body.detail]).toEqual([409, expect.stringContaining(after.toISOString())]);
    expect(second.body.detail).toContain(`send ${to.toISOString()} as ExpectedNextOccurrenceUtc`);
    expect((await reschedule(to, (await read()).NextOccurrenceUtc)).status).toBe(200);
    await settle(id);
    expect([await statesOf(id), capturesOf(id).length]).toEqual([['Completed'], 1]);
    expect((await read()).NextOccurrenceUtc).toBe(to.toISOString());
  });

  it.each(STATES)('%s: naming what the order showed before is a Conflict', async (state) => {
    const { reschedule, read, due, after } = await inProgress(state);
    const shown = (await read()).NextOccurrenceUtc;
    for (const expected of [shown, due, null]) {
      const { status, body } = await reschedule(inDays(30), expected);
      expect([status, body.detail]).toEqual([
        409,
        `The occurrence of ${due.toISOString().slice(0, 16).replace('T', ' ')} UTC is in progress. The next occurrence is ${after.toISOString()}, ` +
          'not the one that was expected: read the order again and decide again.',
      ]);
    }
  });

  it('a wait for another try is not in progress: its next try moves, to any instant', async () => {
    const id = await shop.dueOrder({ ...weekly(), paymentMethodId: 'pm_declined' });
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Retrying' });
    const path = `/api/ScheduledOrders/${id}`;
    const { body: shown } = await api.request('GET', path, { token: shop.tokenAuth });
    const reschedule = (to: Date, ExpectedNextOccurrenceUtc?: unknown) =>
      api.request('PUT', `${path}/NextOccurrenceUtc`, {
        token: shop.tokenAuth,
        body: { NextOccurrenceUtc: to, ExpectedNextOccurrenceUtc },
      });
    expect((await reschedule(inDays(2), inDays(3))).status).toBe(409);
    expect((await reschedule(inDays(2), shown.NextOccurrenceUtc)).status).toBe(200);
    expect((await reschedule(new Date(Date.now() - 1_000))).status).toBe(200);
    await worker.drain();
    expect([await statesOf(id), capturesOf(id).length]).toEqual([['Retrying'], 0]);
  });
});
