import { createPool } from '../../apps/worker/src/database/pool.js';
import { Claims } from '../../apps/worker/src/processor/claim/claims.js';
import { DueFloor } from '../../apps/worker/src/processor/claim/due-floor.js';
import { SiteTurns } from '../../apps/worker/src/processor/claim/site-turns.js';
import { SiteWindows } from '../../apps/worker/src/processor/claim/site-windows.js';
import type { LeasedCycle } from '../../apps/worker/src/processor/cycle/cycle.js';
import { useDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { type GivenShop, givenShop, knownDatabase } from '../support/worker.js';

const BATCH = 3;
const clock = { now: () => new Date() };
const minutesAgo = (minutes: number) => ({ nextOccurrenceUtc: new Date(Date.now() - minutes * 60_000) });
const idsOf = (cycles: readonly LeasedCycle[]) =>
  cycles.map(({ scheduledOrderId }) => scheduledOrderId).sort((a, b) => a - b);

describe('What to claim next', () => {
  const database = useDatabase();

  it('is found in the last of many sites, although all the others have nothing besides what is in hand', async () => {
    const pool = createPool({ url: database.url, connections: 1, onLost: () => undefined });
    const known = await knownDatabase(database);
    const claims = new Claims(pool, 'worker', { claimLeaseMs: 120_000 }, { known });
    const next = new SiteTurns(claims, new SiteWindows(50, 1_000), new DueFloor(() => true), clock);
    const shops = new Map<number, GivenShop>();
    const first: number[] = [];
    for (let shop = 0; shop < 3 * BATCH; shop++) {
      const made = await givenShop(database);
      shops.set(made.siteId, made);
      first.push(await made.dueOrder(minutesAgo(60)));
    }
    const claimed: LeasedCycle[] = [];
    for (let some = await next.due(BATCH); some.length > 0; some = await next.due(BATCH)) claimed.push(...some);
    expect(idsOf(claimed)).toEqual(first);

    const [lastSite, ...others] = (await claims.dueSites()).reverse();
    const older = await shops.get(others[0]!)!.dueOrders(BATCH, minutesAgo(30));
    const last = await shops.get(lastSite!)!.dueOrder(minutesAgo(20));
    expect(idsOf(await next.due(BATCH))).toEqual(older);
    expect(idsOf(await next.due(BATCH))).toEqual([last]);
    expect(await next.due(BATCH)).toEqual([]);
    await pool.end();
  });

  it('has a number after those of the archive, also where the ledger has lost its newest cycles', async () => {
    const pool = createPool({ url: database.url, connections: 1, onLost: () => undefined });
    const known = await knownDatabase(database);
    const next = new SiteTurns(
      new Claims(pool, 'worker', { claimLeaseMs: 120_000 }, { known }),
      new SiteWindows(50, 1_000),
      new DueFloor(() => false),
      clock,
    );
    const shop = await givenShop(database);
    const id = await shop.dueOrder({ ...minutesAgo(5), archivedCycle: 7 });
    const claimed: LeasedCycle[] = [];
    for (let some = await next.due(BATCH); some.length > 0; some = await next.due(BATCH)) claimed.push(...some);
    expect(claimed.find(({ scheduledOrderId }) => scheduledOrderId === id)?.cycle).toBe(8);
    await pool.end();
  });

  it('is looked for from a date on when there was nothing before, and from the start again when told, or after a while', async () => {
    const pool = createPool({ url: database.url, connections: 1, onLost: () => undefined });
    const known = await knownDatabase(database);
    const claims = new Claims(pool, 'worker', { claimLeaseMs: 120_000 }, { known });
    const nextWith = (floor: DueFloor) =>
      new SiteTurns(claims, new SiteWindows(50, 1_000), floor, { now: () => new Date(Date.now() - 1_000) });
    const shop = await givenShop(database);
    const [notified, forgotten] = await shop.dueOrders(2, { nextOccurrenceUtc: new Date(Date.now() + 3_600_000) });
    const floor = new DueFloor(() => true, { settledMs: 0, sweepEveryMs: 3_600_000 });
    const next = nextWith(floor);
    const runner = database.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query(`UPDATE scheduled_orders SET next_occurrence_utc = now() - interval '1 minute' WHERE id = $1`, [
      notified,
    ]);
    await until(async () => (await next.due(BATCH)).length === 0 && floor.date !== null);
    await runner.commitTransaction();
    await runner.release();
    expect(await next.due(BATCH)).toEqual([]);
    floor.reset();
    expect(idsOf(await next.due(BATCH))).toEqual([notified]);

    const sweeping = new DueFloor(() => true, { settledMs: 0, sweepEveryMs: 2_000 });
    const sweeper = nextWith(sweeping);
    await until(async () => (await sweeper.due(BATCH)).length === 0 && sweeping.date !== null);
    await database.query(
      `UPDATE scheduled_orders SET next_occurrence_utc = now() - interval '1 minute' WHERE id = $1`,
      [forgotten],
    );
    const swept: LeasedCycle[] = [];
    await until(async () => swept.push(...(await sweeper.due(BATCH))) > 0);
    expect(idsOf(swept)).toEqual([forgotten]);
    await pool.end();
  });

  it('is told also of what fell due since it was looked for', async () => {
    const pool = createPool({ url: database.url, connections: 1, onLost: () => undefined });
    const known = await knownDatabase(database);
    const claims = new Claims(pool, 'worker', { claimLeaseMs: 120_000 }, { known });
    const lookedUtc = new Date();
    const shop = await givenShop(database);
    await shop.dueOrder({ nextOccurrenceUtc: new Date(lookedUtc.getTime() + 1) });
    await shop.dueOrder({ nextOccurrenceUtc: new Date(lookedUtc.getTime() + 3_600_000) });
    await until(() => Date.now() > lookedUtc.getTime() + 1);
    expect(await claims.nextDueInMs(lookedUtc)).toBeLessThanOrEqual(0);
    expect(await claims.nextDueInMs(new Date())).toBeGreaterThan(3_500_000);
    await pool.end();
  });

  it('is seen by the look of an idle tick, also when its plan is kept: an order after the floor, and every try', async () => {
    const pool = createPool({ url: database.url, connections: 1, onLost: () => undefined });
    const known = await knownDatabase(database);
    const claims = new Claims(pool, 'worker', { claimLeaseMs: 120_000 }, { known });
    const shop = await givenShop(database);
    const floor = new Date();
    const id = await shop.dueOrder({ nextOccurrenceUtc: new Date(Date.now() + 3_600_000) });
    // PostgreSQL plans a statement for its values five times.
    for (let time = 0; time < 8; time++) expect(await claims.leftDueInMs(floor)).toBeGreaterThan(3_500_000);
    const move = (to: string) =>
      database.query(`UPDATE scheduled_orders SET next_occurrence_utc = ${to} WHERE id = $1`, [id]);
    await move('now()');
    expect(await claims.leftDueInMs(floor)).toBeLessThanOrEqual(0);
    await move(`now() + interval '1 hour'`);
    expect(await claims.leftDueInMs(floor)).toBeGreaterThan(3_500_000);

    await database.query(
      `UPDATE processing_cycles SET state = 'Retrying', worker = NULL, lease_until_utc = NULL, next_attempt_utc = now() - interval '1 hour'
       WHERE open AND scheduled_order_id = (SELECT min(scheduled_order_id) FROM processing_cycles WHERE open)`,
    );
    expect(await claims.leftDueInMs(floor)).toBeLessThanOrEqual(0);
    // A round that could not claim it does not begin again at once because of it.
    expect(await claims.nextDueInMs(new Date())).toBeGreaterThan(3_500_000);
    await pool.end();
  });
});
