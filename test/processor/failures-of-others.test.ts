import { createPool } from '../../apps/worker/src/database/pool.js';
import { Claims } from '../../apps/worker/src/processor/claim/claims.js';
import { FROM_THE_START } from '../../apps/worker/src/processor/claim/watermark.js';
import type { LeasedCycle } from '../../apps/worker/src/processor/cycle/cycle.js';
import { describeInAllCases, itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { explain, pagesOf, scannedBy } from '../support/sql/query-plan.js';
import { statementNamed } from '../support/sql/statements.js';
import { until } from '../support/until.js';
import { createWorker, givenShop, knownDatabase, type TestWorker } from '../support/worker.js';
import { readers } from './readers.js';

const DAY_MS = 86_400_000;
const LEASE_SECONDS = 8;

/** Bugs that other systems really had. Two runners, rollbacks and missed days have their own tests beside this one. */
describe('What went wrong elsewhere', () => {
  const database = useDatabase();
  const { cycleOf, statesOf } = readers(database);
  let gateway: StripeStandIn;
  let workers: [TestWorker, TestWorker];

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    const env = { GATEWAY_ONE_URL: gateway.url, CLAIM_LEASE: `PT${LEASE_SECONDS}S` };
    workers = [createWorker(database, env), createWorker(database, env)];
  });
  afterEach(() => assertInvariants(database, gateway.ledger));
  afterAll(async () => {
    for (const worker of workers) await worker.end();
    await gateway.stop();
  });

  itInAllCases('a charge that runs long is not marked failed, nor taken over: its lease is renewed', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_long' });
    const id = await shop.dueOrder();
    gateway.latencyMs = Infinity;
    const slow = workers[0].drain();
    await until(() => gateway.served.charge === 1);
    const isPast = `SELECT 1 FROM processing_cycles WHERE started_utc < now() - interval '${LEASE_SECONDS + 2} s'`;
    await until(async () => {
      await workers[1].drain();
      return (await database.query(isPast)).length === 1;
    });
    gateway.latencyMs = 0;
    gateway.letGo();
    await slow;
    expect(await statesOf(id)).toEqual(['Completed']);
    expect(await cycleOf(id)).toMatchObject({ attempt: '1', past_attempts: null });
    expect(gateway.served.charge).toBe(1);
    expect(gateway.served.lookUp).toBe(0);
  });

  it('a next date in the past is picked up, however far others have got', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_past' });
    const [id, ...others] = await shop.dueOrders(3);
    await workers[0].drain();
    for (const past of [2 * DAY_MS, 400 * DAY_MS, 3 * DAY_MS]) {
      await database.query(`UPDATE scheduled_orders SET next_occurrence_utc = $2 WHERE id = $1`, [
        id,
        new Date(Date.now() - past),
      ]);
      const before = (await statesOf(id!)).length;
      await until(async () => {
        await workers[0].drain();
        const states = await statesOf(id!);
        return states.length === before + 1 && states.every((state) => state === 'Completed');
      });
    }
    expect(await statesOf(id!)).toEqual(['Completed', 'Completed', 'Completed', 'Completed']);
    for (const other of others) expect(await statesOf(other)).toEqual(['Completed']);
  });

  it('failed payments among fourteen keep none of the others from being paid', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_fourteen' });
    const good = await shop.dueOrders(11);
    const declined = await shop.dueOrder({ paymentMethodId: 'pm_declined' });
    const lost = await shop.dueOrder({ paymentMethodId: 'pm_lost_card' });
    const broken = await shop.dueOrder({ paymentMethodId: 'pm_missing' });
    await workers[0].drain();
    for (const id of good) expect(await statesOf(id)).toEqual(['Completed']);
    expect(await statesOf(declined)).toEqual(['Retrying']);
    expect(await statesOf(lost)).toEqual(['Failed']);
    expect(await statesOf(broken)).toEqual(['Failed']);
  });
});

describe('Claims', () => {
  const database = useDatabase();
  const claimed = async (claims: Claims): Promise<number[]> => {
    const ids: number[] = [];
    for (;;) {
      const batch = await claims.due(25, FROM_THE_START);
      if (batch.length === 0) return ids;
      ids.push(...batch.map(({ scheduledOrderId }) => scheduledOrderId));
    }
  };

  it('of many workers meet each other, and requests, without deadlock or waiting', async () => {
    const shop = await givenShop(database);
    const ids = await shop.dueOrders(1_000);
    const pool = createPool({ url: database.url, connections: 8, onLost: () => undefined });
    const locking = database.pool.transaction(async (tx) => {
      for (const id of [...ids].reverse().slice(0, 300)) {
        await tx.execute(`SELECT 1 FROM scheduled_orders WHERE id = $1 FOR UPDATE`, [id]);
      }
      await tx.execute(`SELECT 1 FROM processing_cycles WHERE scheduled_order_id = ANY ($1::bigint[]) FOR UPDATE`, [
        ids,
      ]);
    });
    const known = await knownDatabase(database);
    const claims = Array.from(
      { length: 8 },
      (_, index) => new Claims(pool, `worker-${index}`, { claimLeaseMs: 60_000 }, { known }),
    );
    const first = await Promise.all(claims.map(claimed));
    await locking;
    const rest = await claimed(claims[0]!);
    await pool.end();
    expect([...first.flat(), ...rest].sort((a, b) => a - b)).toEqual([...ids].sort((a, b) => a - b));
    const [row] = await database.query<{ deadlocks: string }>(
      `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`,
    );
    expect(row).toEqual({ deadlocks: '0' });
  });

  it('leave out orders whose cycle was begun, skipped, or taken up again while they were looked for', async () => {
    const shop = await givenShop(database);
    const [begun, skipped, takenUp, free] = (await shop.dueOrders(4)) as [number, number, number, number];
    await database.query(
      `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, attempt, retries_exhausted)
       VALUES ($1, $2, 1, 'Failed', false, now(), 1, true)`,
      [shop.siteId, takenUp],
    );
    const pool = createPool({ url: database.url, connections: 1, onLost: () => undefined });
    const known = await knownDatabase(database);
    let claiming: Promise<LeasedCycle[]>;
    // The claim waits for this table when it sees the database already as it is now, and before it locks the orders.
    await database.pool.transaction(async (held) => {
      await held.execute(`LOCK TABLE deployment IN ACCESS EXCLUSIVE MODE`);
      claiming = new Claims(pool, 'worker', { claimLeaseMs: 60_000 }, { known }).due(25, FROM_THE_START);
      await until(async () => {
        const waiting = await database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%SKIP LOCKED%'`,
        );
        return waiting.length === 1;
      });
      await database.pool.transaction(async (other) => {
        await other.execute(`SELECT FROM scheduled_orders WHERE id = ANY ($1::bigint[]) FOR NO KEY UPDATE`, [
          [begun, skipped, takenUp],
        ]);
        await other.execute(
          `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, worker, lease_until_utc)
           VALUES ($1, $2, 1, 'Claimed', true, now(), 'another', now() + interval '1 hour')`,
          [shop.siteId, begun],
        );
        await other.execute(
          `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc) VALUES ($1, $2, 1, 'Skipped', false, now())`,
          [shop.siteId, skipped],
        );
        await other.execute(
          `UPDATE processing_cycles SET state = 'Retrying', open = true, retries_exhausted = false, next_attempt_utc = now() + interval '1 hour'
           WHERE scheduled_order_id = $1`,
          [takenUp],
        );
      });
    });
    expect((await claiming!).map(({ scheduledOrderId }) => scheduledOrderId)).toEqual([free]);
    await pool.end();
  });
});

describeInAllCases('A claim behind very many finished rows', () => {
  const database = useDatabase();

  async function explained(): Promise<{ pages: number; scanned: string[] }> {
    const text = await statementNamed('LOCK_DUE');
    const { plan } = await explain(database, text, ['60000', 0, '0/0', 50, '-infinity', 0]);
    return { pages: pagesOf(plan), scanned: scannedBy(plan) };
  }

  it('costs what is due, and reads none of them', async () => {
    await knownDatabase(database);
    const shop = await givenShop(database);
    await shop.dueOrders(50);
    await database.query('ANALYZE');
    await explained();
    const before = await explained();
    const later = new Date(Date.now() + DAY_MS);
    await shop.dueOrders(1_500, { nextOccurrenceUtc: later, scheduleAnchorUtc: later });
    await database.query(
      `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, order_id)
       SELECT site_id, id, cycle, 'Completed', false, now(), 1 FROM scheduled_orders, generate_series(1, 20) AS cycle
       WHERE next_occurrence_utc > now()`,
    );
    await database.query('ANALYZE');
    await explained();
    const after = await explained();
    expect(after.scanned).toEqual([]);
    // A few more levels of each index, and no more; the finished rows have over 400 pages. On a busy machine PostgreSQL
    // has tidied up less.
    expect(after.pages).toBeLessThan(before.pages * 3);
  });
});
