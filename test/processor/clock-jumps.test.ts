import { processNow } from '#libs/ledger';
import { createLogger, loadSettings } from '#libs/platform';
import { READ_CLOCK } from '../../apps/worker/src/database/clock.js';
import { createPool } from '../../apps/worker/src/database/pool.js';
import { DeploymentGuard } from '../../apps/worker/src/guards/deployment-guard.js';
import { Housekeeping } from '../../apps/worker/src/housekeeping/housekeeping.js';
import { itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { webhooksOf } from '../support/events/webhooks.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import {
  createWorker,
  ENCRYPTION_KEY,
  type GivenShop,
  givenShop,
  startWorker,
  type TestWorker,
  vault,
} from '../support/worker.js';
import { request } from './request.js';

const DAY_MS = 86_400_000;
/** No longer than some of it waits in ordinary operation. */
const SOON = `now() + interval '30 minutes'`;
const PUT_OFF = [
  ['processing_cycles', 'next_attempt_utc'],
  ['processing_cycles', 'lease_until_utc'],
  ['integration_waits', 'next_probe_utc'],
  ['integration_audits', 'next_audit_utc'],
  ['webhook_deliveries', 'next_attempt_utc'],
  ['webhook_endpoints', 'next_due_utc'],
  ['webhook_endpoints', 'not_before_utc'],
  ['upcoming_look', 'leased_until_utc'],
] as const;

describe("The database's clock, when it jumps ahead", () => {
  const database = useDatabase();
  let gateway: StripeStandIn;
  let worker: TestWorker;
  let shop: GivenShop;

  /**
   * A `now()` before PostgreSQL's own, for the connections that begin from now on. Where it is hidden, a worker's
   * reading shows the true time.
   */
  beforeAll(async () => {
    await database.query(`CREATE SCHEMA shifted`);
    await database.query(`CREATE TABLE shifted.clock (ahead interval, is_hidden boolean)`);
    await database.query(`INSERT INTO shifted.clock VALUES ('0', false)`);
    await database.query(
      `CREATE FUNCTION shifted.now() RETURNS timestamptz STABLE LANGUAGE sql
       AS $$SELECT pg_catalog.now() + CASE WHEN c.is_hidden AND current_query() = '${READ_CLOCK}' THEN interval '0' ELSE c.ahead END
         FROM shifted.clock c$$`,
    );
    const name = new URL(database.url).pathname.slice(1);
    await database.query(`ALTER DATABASE ${name} SET search_path = shifted, public, pg_catalog`);
    gateway = await StripeStandIn.start();
  });
  beforeEach(async () => {
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
    shop = await givenShop(database, { apiKey1: 'sk_test_jumps' });
    await shop.dueOrder();
    await worker.drain();
    gateway.ledger.charges.length = 0;
  });
  afterEach(async () => {
    await worker.end();
    await jump(0);
    gateway.clockAheadMs = 0;
    await assertInvariants(database);
  });
  afterAll(() => gateway.stop());

  const jump = (days: number, isHidden = false) =>
    database.query(`UPDATE shifted.clock SET ahead = $1 * interval '1 day', is_hidden = $2`, [days, isHidden]);
  /** As a connection that begins now. */
  const whileWrong = (sql: string) =>
    database.query(`BEGIN; SET LOCAL search_path = shifted, public, pg_catalog; ${sql}; COMMIT`);
  const putOffTo = (utc: Date) =>
    database.query(
      PUT_OFF.map(([table, column]) => `SELECT '${table}' AS late FROM ${table} WHERE ${column} = $1`).join(
        ' UNION ALL ',
      ),
      [utc],
    );
  const soon = (days = 20) => shop.dueOrders(20, { nextOccurrenceUtc: new Date(Date.now() + days * DAY_MS) });
  const datesOf = (ids: number[]) =>
    database.query(`SELECT id, next_occurrence_utc FROM scheduled_orders WHERE id = ANY($1) ORDER BY id`, [ids]);
  const isSeenAhead = async () =>
    (
      await database.query<{ ahead: boolean }>(
        `SELECT seen_utc > pg_catalog.now() + interval '1 minute' AS ahead FROM deployment`,
      )
    )[0]!.ahead;

  /** Once the clock is right, what is due is charged, and nothing else has another date. */
  async function expectRightAgain(later: number[], due: number[], before: readonly unknown[]) {
    await jump(0);
    await worker.drain();
    expect(gateway.ledger.charges.map(({ scheduledOrderId }) => scheduledOrderId).sort()).toEqual([...due].sort());
    expect(await datesOf(later)).toEqual(before.slice(0, later.length));
  }

  it('charges nothing early and puts nothing off; when it is put right, what is due is charged', async () => {
    const [later, due] = [await soon(), await shop.dueOrders(5)];
    const before = await datesOf([...later, ...due]);
    await jump(40);
    await worker.drain();
    await worker.drain();
    expect(gateway.ledger.charges).toHaveLength(0);
    expect(await datesOf([...later, ...due])).toEqual(before);
    expect(await isSeenAhead()).toBe(false);

    await expectRightAgain(later, due, before);
  });

  it('makes nothing due that is not, where it jumps right after a reading: no order, retry, look-up, probe or lease', async () => {
    const later = await soon();
    const [retried, leased] = await shop.dueOrders(2, { paymentMethodId: 'pm_declined' });
    await worker.drain();
    const [sent] = await shop.dueOrders(1);
    gateway.faults.next('held', { times: 2 });
    await worker.drain();
    gateway.faults.none();
    await database.query(`UPDATE processing_cycles SET next_attempt_utc = now() WHERE scheduled_order_id = $1`, [sent]);
    await database.query(
      `UPDATE processing_cycles SET state = 'Claimed', worker = 'alive', lease_until_utc = ${SOON}, next_attempt_utc = NULL WHERE scheduled_order_id = $1`,
      [leased],
    );
    await database.query(
      `INSERT INTO integration_waits (site_id, payment_method_type, next_probe_utc) VALUES ($1, 'GatewayTwo', ${SOON})`,
      [shop.siteId],
    );
    const standing = async () => [
      await datesOf(later),
      await database.query(
        `SELECT scheduled_order_id, state, attempt, worker FROM processing_cycles WHERE scheduled_order_id = ANY($1) ORDER BY 1`,
        [[sent, retried, leased]],
      ),
      await database.query(`SELECT next_probe_utc FROM integration_waits WHERE site_id = $1`, [shop.siteId]),
    ];
    const before = await standing();
    // One that looks for leases at once.
    await worker.end();
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
    await (await worker.part(DeploymentGuard)).checkAnew();
    await jump(40, true);
    const requests = gateway.served.lookUp + gateway.served.charge;
    await worker.drain();
    // It has seen no jump, and has worked: the order that was sent was due before.
    expect(gateway.served.lookUp + gateway.served.charge).toBeGreaterThan(requests);
    expect([await standing(), gateway.ledger.charges]).toEqual([before, []]);

    await jump(40);
    await worker.drain();
    await jump(0);
    // By the wrong clock no worker had been running for weeks.
    await database.query(`TRUNCATE required_reconciliations`);
    await database.query(
      `UPDATE processing_cycles SET state = 'Retrying', worker = NULL, lease_until_utc = NULL, next_attempt_utc = ${SOON} WHERE scheduled_order_id = $1`,
      [leased],
    );
    gateway.letArrive();
    await until(async () => {
      await worker.drain();
      await database.query(
        `UPDATE processing_cycles SET next_attempt_utc = now() WHERE scheduled_order_id = $1 AND open`,
        [sent],
      );
      const [cycle] = await database.query(`SELECT state FROM processing_cycles WHERE scheduled_order_id = $1`, [sent]);
      return cycle!.state === 'Completed';
    });
    expect(gateway.ledger.charges.map(({ scheduledOrderId }) => scheduledOrderId)).toEqual([sent]);
  });

  it.each([
    ['40 days', 40, 20],
    ['three hours', 3 / 24, 2 / 24],
  ])('is not believed by a worker that begins while it is %s ahead', async (_, days, laterDays) => {
    const [later, due] = [await soon(laterDays), await shop.dueOrders(5)];
    const before = await datesOf([...later, ...due]);
    await worker.end();
    await jump(days);
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
    await worker.drain();
    expect(gateway.ledger.charges).toHaveLength(0);
    expect(await datesOf([...later, ...due])).toEqual(before);
    expect(await isSeenAhead()).toBe(false);

    await expectRightAgain(later, due, before);
  });

  it.each([
    ['40 days', 40, false],
    ['three hours', 3 / 24, false],
    ['two minutes', 2 / 1_440, false],
    ['two minutes', 2 / 1_440, true],
  ])('has put nothing off once it is right: %s (%d days), seen by a later worker: %s', async (_, days, isLater) => {
    const webhooks = webhooksOf(database);
    const triesOf = async (id: number) => (await webhooks.deliveries(id)).map(({ tries }) => tries);
    const { webhookEndpointId } = await given(database).webhook(vault, shop.siteId);
    await database.query(`UPDATE webhook_endpoints SET url = 'https://127.0.0.1:9/'`);
    await webhooks.listen(shop.siteId);
    await webhooks.happen(shop.siteId, 1);
    const [retried, leased] = await shop.dueOrders(2);
    gateway.faults.next('unavailable', { times: 2 });
    await worker.drain();
    expect(await triesOf(webhookEndpointId)).not.toContain('2');
    await jump(days);
    await (await worker.part(DeploymentGuard)).checkAnew();
    await whileWrong(`UPDATE processing_cycles SET updated_utc = now(), next_attempt_utc = ${SOON} WHERE scheduled_order_id = ${retried};
      UPDATE processing_cycles SET updated_utc = now(), state = 'Claimed', worker = 'dead', claim = claim + 1, lease_until_utc = ${SOON},
        next_attempt_utc = NULL WHERE scheduled_order_id = ${leased};
      UPDATE webhook_deliveries SET next_attempt_utc = ${SOON} WHERE state = 'Waiting';
      UPDATE webhook_endpoints SET next_due_utc = ${SOON}, not_before_utc = ${SOON};
      INSERT INTO integration_waits (site_id, payment_method_type, next_probe_utc) VALUES (${shop.siteId}, 'GatewayTwo', ${SOON});
      UPDATE integration_audits SET next_audit_utc = ${SOON}, checked_until_utc = now();
      UPDATE upcoming_look SET leased_until_utc = ${SOON}, looked_utc = NULL`);
    const [wrong] = await database.query<{ soon: Date }>(`SELECT max(next_audit_utc) AS soon FROM integration_audits`);
    if (isLater) await worker.end();

    await jump(0);
    if (isLater) worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
    await until(async () => {
      await worker.drain();
      return gateway.ledger.capturesOf(retried!).length === 1 && (await putOffTo(wrong!.soon)).length === 0;
    });
    expect(await triesOf(webhookEndpointId)).toContain('2');
  });

  it('leaves a Process of that time its due date, and charges it once when it is called again', async () => {
    const [id] = await shop.dueOrders(1, { nextOccurrenceUtc: new Date(Date.now() + DAY_MS) });
    const dueMs = async () =>
      ((await datesOf([id!])) as { next_occurrence_utc: Date }[])[0]!.next_occurrence_utc.getTime();
    await jump(3 / 24);
    await request(database, id!, (tx, order, now) => processNow(tx, order, new Date(now.getTime() + DAY_MS / 8)));
    const wrongMs = await dueMs();
    await jump(0);
    await worker.drain();
    expect([await dueMs(), gateway.ledger.capturesOf(id!)]).toEqual([wrongMs, []]);

    await request(database, id!, processNow);
    await worker.drain();
    expect(gateway.ledger.capturesOf(id!)).toHaveLength(1);
    expect(await dueMs()).toBeGreaterThan(wrongMs);
  });

  itInAllCases('ends --once with 1 while no gateway answers, and with 0 when one does', async () => {
    const [id] = await shop.dueOrders(1);
    await worker.end();
    await jump(40);
    const once = async (url: string) => {
      const { exited, output } = await startWorker(database, { GATEWAY_ONE_URL: url }, ['--once']);
      return [await exited, output()];
    };
    const [code, output] = await once('http://127.0.0.1:9');
    expect([code, gateway.ledger.capturesOf(id!)]).toEqual([1, []]);
    expect(output).toContain('Set both clocks right, and look whether the payment gateways can be reached.');
    expect(output).toContain('Not everything that was due could be processed.');

    await jump(0);
    expect((await once(gateway.url))[0]).toBe(0);
    expect(gateway.ledger.capturesOf(id!)).toHaveLength(1);
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
  });

  itInAllCases('deletes nothing before its time', async () => {
    const log = createLogger(
      'worker',
      loadSettings({ DATABASE_URL: database.url, ENCRYPTION_KEY, LOG_LEVEL: 'silent' }),
    );
    const cleaned = async (isClockRight: boolean) => {
      const settings = loadSettings({ DATABASE_URL: database.url, ENCRYPTION_KEY });
      const pool = createPool({ url: database.url, pooler: 'none', connections: 1, onLost: () => undefined });
      await new Housekeeping(pool, settings, [], { isRight: () => Promise.resolve(isClockRight) }, log).run();
      await pool.end();
      return (await database.query(`SELECT 1 FROM login_attempts`)).length;
    };
    await database.query(`INSERT INTO login_attempts (subject, attempted_utc) VALUES ('account:1', pg_catalog.now())`);
    await jump(40);
    expect(await cleaned(false)).toBe(1);
    expect(await cleaned(true)).toBe(0);
  });

  it('puts right a sign of life that was left in the future', async () => {
    await database.query(`UPDATE deployment SET seen_utc = pg_catalog.now() + interval '40 days'`);
    await worker.end();
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
    await worker.drain();
    expect(await isSeenAhead()).toBe(false);
  });

  itInAllCases('is believed when a gateway has the same date', async () => {
    const later = await soon();
    await jump(40);
    gateway.clockAheadMs = 40 * DAY_MS;
    await worker.drain();
    const charged = new Set(gateway.ledger.charges.map(({ scheduledOrderId }) => scheduledOrderId));
    expect(later.filter((id) => !charged.has(id))).toEqual([]);
  });
});
