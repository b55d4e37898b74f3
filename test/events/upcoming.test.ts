import { WorkGuard } from '../../apps/worker/src/guards/work-guard.js';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { eventsOf, keepEvents } from '../support/events/events.js';
import { until } from '../support/until.js';
import { asCopy, createWorker, type GivenShop, givenShop, type TestWorker } from '../support/worker.js';

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

  it('is told by the same look when a request has the order locked for a moment', async () => {
    const isAnnouncedAtOnce = async (days: number) => {
      const soon = inDays(days);
      const id = await shop.dueOrder({ nextOccurrenceUtc: soon });
      const [now] = await database.query<{ at: Date }>(`SELECT clock_timestamp() AS at`);
      const hasTried = async () => {
        const tried = `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'idle' AND query LIKE '%(id, version, occurrence_utc, facts)%' AND query_start > $1`;
        return (await database.query(tried, [now!.at])).length > 0;
      };
      const [announcement] = await database.pool.transaction(async (tx) => {
        await tx.execute(`SELECT 1 FROM scheduled_orders WHERE id = $1 FOR UPDATE`, [id]);
        const looked = announced();
        await until(hasTried);
        return [looked] as const;
      });
      return (await announcement).includes(soon.toISOString());
    };
    // On a busy machine the lock may be let go too late, now and then.
    let isAnnounced = false;
    for (let tried = 0; tried < 20 && !isAnnounced; tried++) isAnnounced = await isAnnouncedAtOnce(2 - tried * 0.05);
    expect(isAnnounced).toBe(true);
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
    await asCopy(database, async () => {
      const copy = createWorker(database);
      try {
        await copy.drain();
        expect((await copy.part(WorkGuard)).refusal).toContain('is a copy of another one');
        expect(await database.query(`SELECT FROM outbox WHERE site_id = $1`, [shop.siteId])).toEqual([]);
      } finally {
        await copy.end();
      }
    });
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

  it('tells the next date of an order when its cycle has closed, without a look at everything', async () => {
    const id = await shop.dueOrder({ paymentMethodId: 'pm_declined', frequencyType: 'Days', frequency: 2 });
    expect(await announced()).toEqual([]);
    const fullLook = () => database.query(`SELECT full_utc FROM upcoming_look`);
    const before = await fullLook();
    await put(`/api/ScheduledOrders/${id}`, { PaymentMethodId: 'pm_card' });
    const { status } = await api.request('POST', `/api/ScheduledOrders/${id}/Process`, { token: shop.tokenAuth });
    expect(status).toBeLessThan(300);
    const notices = await announced();
    const [order] = await database.query<{ next_occurrence_utc: Date; open: boolean }>(
      `SELECT o.next_occurrence_utc, EXISTS (SELECT FROM processing_cycles c WHERE c.scheduled_order_id = o.id AND c.open) AS open
       FROM scheduled_orders o WHERE o.id = $1`,
      [id],
    );
    expect(order!.open).toBe(false);
    expect(notices).toEqual([order!.next_occurrence_utc.toISOString()]);
    expect(await fullLook()).toEqual(before);
  });

  it('tells each of more orders than are read at once, at the same date and on two sites', async () => {
    const soon = inDays(2);
    const other = await givenShop(database);
    await keepEvents(database, other.siteId);
    const ids = new Map([
      [shop.siteId, await shop.dueOrders(510, { nextOccurrenceUtc: soon })],
      [other.siteId, await other.dueOrders(510, { nextOccurrenceUtc: soon })],
    ]);
    await worker.drain();
    for (const [siteId, expected] of ids) {
      const published = (await eventsOf(database, siteId)).map(({ Type, Data }) => [Type, Data.ScheduledOrderId]);
      expect(published.toSorted(([, a], [, b]) => Number(a) - Number(b))).toEqual(
        expected.map((id) => ['scheduled_order.upcoming', id]),
      );
    }
  });

  it('is told once when a worker dies after it has told and before it has written down that it looked', async () => {
    const soon = inDays(2);
    await shop.dueOrder({ nextOccurrenceUtc: soon });
    await database.query(
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$`,
    );
    await database.query(
      `CREATE TRIGGER slow BEFORE UPDATE OF looked_utc ON upcoming_look FOR EACH ROW EXECUTE FUNCTION slow()`,
    );
    const looked = () => database.query(`SELECT looked_utc, leased_until_utc > now() AS leased FROM upcoming_look`);
    const [before] = await looked();
    const dying = announced();
    const ended = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'PgSleep' AND query LIKE 'UPDATE upcoming_look%'`;
    try {
      await until(async () => (await database.query(ended)).length > 0);
    } finally {
      await database.query(`DROP FUNCTION slow CASCADE`);
    }
    expect(await dying).toEqual([soon.toISOString()]);
    expect(await looked()).toEqual([{ ...before, leased: true }]);
    await database.query(`UPDATE upcoming_look SET leased_until_utc = now()`);
    expect(await announced()).toEqual([soon.toISOString()]);
    expect(await looked()).toEqual([{ looked_utc: expect.any(Date), leased: null }]);
  });
});
