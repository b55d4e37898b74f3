import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { createWorker, type GivenShop, givenShop, type TestWorker } from '../support/worker.js';

const DAY_MS = 86_400_000;

describe("The database's clock, when it jumps 40 days ahead", () => {
  const database = useDatabase();
  let gateway: StripeStandIn;
  let worker: TestWorker;
  let shop: GivenShop;

  /** A `now()` before PostgreSQL's own, for the connections that begin from now on. */
  beforeAll(async () => {
    await database.query(`CREATE SCHEMA shifted`);
    await database.query(`CREATE TABLE shifted.clock (ahead interval)`);
    await database.query(`INSERT INTO shifted.clock VALUES ('0')`);
    await database.query(
      `CREATE FUNCTION shifted.now() RETURNS timestamptz STABLE LANGUAGE sql
       AS 'SELECT pg_catalog.now() + c.ahead FROM shifted.clock c'`,
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

  const jump = (days: number) => database.query(`UPDATE shifted.clock SET ahead = $1 * interval '1 day'`, [days]);
  const soon = () => shop.dueOrders(20, { nextOccurrenceUtc: new Date(Date.now() + 20 * DAY_MS) });
  const datesOf = (ids: number[]) =>
    database.query(`SELECT id, next_occurrence_utc FROM scheduled_orders WHERE id = ANY($1) ORDER BY id`, [ids]);
  const isSeenAhead = async () =>
    (
      await database.query<{ ahead: boolean }>(
        `SELECT seen_utc > pg_catalog.now() + interval '1 minute' AS ahead FROM deployment`,
      )
    )[0]!.ahead;

  it('charges nothing early and puts nothing off; when it is put right, what is due is charged', async () => {
    const [later, due] = [await soon(), await shop.dueOrders(5)];
    const before = await datesOf([...later, ...due]);
    await jump(40);
    await worker.drain();
    await worker.drain();
    expect(gateway.ledger.charges).toHaveLength(0);
    expect(await datesOf([...later, ...due])).toEqual(before);
    expect(await isSeenAhead()).toBe(false);

    await jump(0);
    await worker.drain();
    expect(gateway.ledger.charges.map(({ scheduledOrderId }) => scheduledOrderId).sort()).toEqual([...due].sort());
    expect(await datesOf(later)).toEqual(before.slice(0, later.length));
  });

  it('puts right a sign of life that an earlier version left in the future', async () => {
    await database.query(`UPDATE deployment SET seen_utc = pg_catalog.now() + interval '40 days'`);
    await worker.end();
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
    await worker.drain();
    expect(await isSeenAhead()).toBe(false);
  });

  it('is believed when a gateway has the same date', async () => {
    const later = await soon();
    await jump(40);
    gateway.clockAheadMs = 40 * DAY_MS;
    await worker.drain();
    const charged = new Set(gateway.ledger.charges.map(({ scheduledOrderId }) => scheduledOrderId));
    expect(later.filter((id) => !charged.has(id))).toEqual([]);
  });
});
