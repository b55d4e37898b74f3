import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { eventsOf, keepEvents } from '../support/events.js';
import { createWorker, type GivenShop, givenShop, knownDatabase, type TestWorker } from '../support/worker.js';

const DAY_MS = 86_400_000;
const database = useDatabase();
const api = useApi(database);
let worker: TestWorker;
let shop: GivenShop;

beforeAll(() => {
  worker = createWorker(database);
});
beforeEach(async () => {
  shop = await givenShop(database);
  await keepEvents(database, shop.siteId);
});
afterAll(() => worker.end());

const inDays = (days: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 + days * DAY_MS);

/** The dates that were announced, after a round of a worker. */
async function announced(): Promise<unknown[]> {
  await worker.drain();
  const events = await eventsOf(database, shop.siteId);
  return events.filter(({ Type }) => Type === 'scheduled_order.upcoming').map(({ Data }) => Data.OccurrenceUtc);
}

async function put(path: string, body: object): Promise<void> {
  const answer = await api.request('PUT', path, { token: shop.tokenAuth, body });
  expect([path, answer.status < 300 ? '' : answer.body]).toEqual([path, '']);
}
const moveTo = (id: number, date: Date) =>
  put(`/api/ScheduledOrders/${id}/NextOccurrenceUtc`, { NextOccurrenceUtc: date.toISOString() });

describe('scheduled_order.upcoming', () => {
  it('tells each date once, however often a worker looks, and also when the order is moved away and back', async () => {
    const soon = inDays(2);
    const id = await shop.dueOrder({ nextOccurrenceUtc: soon });
    expect(await announced()).toEqual([soon.toISOString()]);
    expect(await announced()).toEqual([soon.toISOString()]);
    await moveTo(id, inDays(30));
    expect(await announced()).toEqual([soon.toISOString()]);
    await moveTo(id, soon);
    expect(await announced()).toEqual([soon.toISOString()]);
  });

  it('tells the new date of an order that is moved nearer', async () => {
    const [soon, sooner] = [inDays(2), inDays(1)];
    const id = await shop.dueOrder({ nextOccurrenceUtc: soon });
    expect(await announced()).toEqual([soon.toISOString()]);
    await moveTo(id, sooner);
    expect(await announced()).toEqual([soon.toISOString(), sooner.toISOString()]);
  });

  it('tells as many days before as the site wants: with UpcomingNoticeDays 0 nothing', async () => {
    const settings = `/api/Site/${shop.siteId}/Settings`;
    const [soon, later] = [inDays(2), inDays(5)];
    await shop.dueOrder({ nextOccurrenceUtc: soon });
    await shop.dueOrder({ nextOccurrenceUtc: later });
    await put(settings, { UpcomingNoticeDays: 0 });
    expect(await announced()).toEqual([]);
    await put(settings, { UpcomingNoticeDays: 3 });
    expect(await announced()).toEqual([soon.toISOString()]);
    await put(settings, { UpcomingNoticeDays: 6 });
    expect(await announced()).toEqual([soon.toISOString(), later.toISOString()]);
  });

  /** A hand in the database, which writes no event. */
  const moveByHand = (id: number, date: Date) =>
    database.query(`UPDATE scheduled_orders SET next_occurrence_utc = $2 WHERE id = $1`, [id, date]);

  it('reads only what time has brought within the notice, and every hour everything', async () => {
    const far = await shop.dueOrder({ nextOccurrenceUtc: inDays(40) });
    const near = await shop.dueOrder({ nextOccurrenceUtc: inDays(40) });
    expect(await announced()).toEqual([]);
    const [comes, passed] = [inDays(2.5), inDays(1)];
    await moveByHand(far, comes);
    await moveByHand(near, passed);
    expect(await announced()).toEqual([]);
    await database.query(`UPDATE upcoming_look SET looked_utc = looked_utc - interval '1 day'`);
    expect(await announced()).toEqual([comes.toISOString()]);
    await database.query(`UPDATE upcoming_look SET full_utc = full_utc - interval '1 hour'`);
    expect(await announced()).toEqual([comes.toISOString(), passed.toISOString()]);
  });

  it('is looked for by one worker at a time; another one goes on when that is gone', async () => {
    const soon = inDays(2);
    await shop.dueOrder({ nextOccurrenceUtc: soon });
    await database.query(`UPDATE upcoming_look SET leased_until_utc = now() + interval '5 minutes'`);
    expect(await announced()).toEqual([]);
    await database.query(`UPDATE upcoming_look SET leased_until_utc = now()`);
    expect(await announced()).toEqual([soon.toISOString()]);
    expect(await database.query(`SELECT leased_until_utc FROM upcoming_look`)).toEqual([{ leased_until_utc: null }]);
  });

  it('is told by the next look when a request has the order locked', async () => {
    const soon = inDays(2);
    const id = await shop.dueOrder({ nextOccurrenceUtc: soon });
    await database.pool.transaction(async (tx) => {
      await tx.execute(`SELECT 1 FROM scheduled_orders WHERE id = $1 FOR UPDATE`, [id]);
      expect(await announced()).toEqual([]);
    });
    expect(await announced()).toEqual([soon.toISOString()]);
  });

  it('is not told of a database that is a copy', async () => {
    const soon = inDays(2);
    await shop.dueOrder({ nextOccurrenceUtc: soon });
    await knownDatabase(database);
    await database.query(`UPDATE deployment SET database_identity = 'another'`);
    const copy = createWorker(database);
    try {
      await copy.drain();
      expect(copy.worker.refusal).toContain('is a copy of another one');
      expect(await database.query(`SELECT FROM outbox WHERE site_id = $1`, [shop.siteId])).toEqual([]);
    } finally {
      await copy.end();
      await database.query(`UPDATE deployment SET database_identity = (SELECT database_identity FROM database_here())`);
    }
    expect(await announced()).toEqual([soon.toISOString()]);
  });

  it('tells nothing of the next try of a declined card', async () => {
    const id = await shop.dueOrder({ paymentMethodId: 'pm_declined' });
    expect(await announced()).toEqual([]);
    // Its date is within the notice: only the open cycle keeps it from being told.
    const [order] = await database.query(
      `SELECT c.state, o.status, o.next_occurrence_utc > now() AND o.next_occurrence_utc < now() + interval '3 days' AS soon
       FROM scheduled_orders o JOIN processing_cycles c ON c.scheduled_order_id = o.id AND c.open WHERE o.id = $1`,
      [id],
    );
    expect(order).toEqual({ state: 'Retrying', status: 'Active', soon: true });
    expect(await announced()).toEqual([]);
  });
});
