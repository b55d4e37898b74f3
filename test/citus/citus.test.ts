import { openDataSource } from '#libs/entities';
import { errorCode } from '#libs/platform';
import type { TestDatabase } from '../support/database.js';
import { ChargeLedger, StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { poolOf } from '../support/postgres/pool-of.js';
import { inBucket, loadParser } from '../support/sql/bucketed.js';
import { until } from '../support/until.js';
import { givenShop } from '../support/worker.js';
import type { Faults } from './bucket-pool.js';
import { type BucketWorker, bucketWorker } from './bucket-worker.js';
import { Cluster } from './cluster.js';

/** Programs of a PostgreSQL that Citus was installed into. */
const BIN = process.env.CITUS_BIN;
const ORDERS = Number(process.env.CITUS_ORDERS ?? 10_000);
const SITES = 8;

/** Upcoming occurrences are not announced on Citus (deploy/citus/README.md). Citus refuses nothing else. */
const LEFT_OUT = 'UPDATE upcoming_look: non-IMMUTABLE functions are not allowed in CASE or COALESCE statements';

/** What is not supported, or is wrong in a statement or its values. Everything else comes from a node that is gone. */
const isRefusal = (error: Error): boolean => /^(0A|22|42)/.test(errorCode(error) ?? '');

let cluster: Cluster;
let gateway: StripeStandIn;
const workers: BucketWorker[] = [];

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.end()));
  await gateway?.stop();
  await cluster?.stop();
});

async function databaseOn(url: string): Promise<TestDatabase> {
  const dataSource = await openDataSource({ url, poolSize: 4, applicationName: 'test' });
  const query = <T>(sql: string, parameters?: unknown[]) => dataSource.query<T[]>(sql, parameters);
  return { url, dataSource, pool: poolOf(dataSource), query };
}

/** The same, for the rows of a bucket. */
const within = (database: TestDatabase, bucket: number, tables: ReadonlySet<string>): TestDatabase => ({
  ...database,
  query: (sql, parameters) => database.query(inBucket(sql, bucket, tables).text, parameters),
});

/** `ORDERS` due orders of several sites, in a database that was migrated as any other. */
async function givenOrders(database: TestDatabase): Promise<void> {
  await database.dataSource.runMigrations();
  for (let index = 0; index < SITES; index++) {
    const shop = await givenShop(database, { apiKey1: `sk_test_citus_${index}` });
    await shop.dueOrders(ORDERS / SITES);
  }
}

interface ForeignKey {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly definition: string;
}

const foreignKeysIn = (database: TestDatabase): Promise<ForeignKey[]> =>
  database.query<ForeignKey>(
    `SELECT conname AS name, conrelid::regclass::text AS "from", confrelid::regclass::text AS "to", pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 ORDER BY conname`,
  );

/** Those between distributed tables are all there, and led by the bucket: so a node checks them by itself. */
async function assertForeignKeys(database: TestDatabase, before: readonly ForeignKey[], tables: ReadonlySet<string>) {
  const between = (keys: readonly ForeignKey[]) => keys.filter(({ from, to }) => tables.has(from) && tables.has(to));
  const after = between(await foreignKeysIn(database));
  expect(after.map(({ name }) => name)).toEqual(between(before).map(({ name }) => name));
  expect(after.length).toBeGreaterThan(5);
  expect(
    after.filter(({ definition }) => !/^FOREIGN KEY \(bucket, .* REFERENCES \w+\(bucket, /.test(definition)),
  ).toEqual([]);
}

const bucketsOf = async (database: TestDatabase): Promise<number[]> =>
  (await database.query<{ bucket: number }>(`SELECT DISTINCT bucket FROM scheduled_orders`)).map(
    ({ bucket }) => bucket,
  );

/** False also while the node of the bucket does not answer. */
async function isProcessed(database: TestDatabase, bucket: number): Promise<boolean> {
  const completed = `SELECT count(*)::int AS count FROM processing_cycles WHERE state = 'Completed' AND bucket = $1`;
  const rows = await database.query<{ count: number }>(completed, [bucket]).catch(() => []);
  return rows[0]?.count === ORDERS / SITES;
}

/** What the gateway took for orders of a bucket. */
async function booksOf(database: TestDatabase): Promise<ChargeLedger> {
  const ids = new Set(
    (await database.query<{ id: string }>(`SELECT id FROM scheduled_orders`)).map(({ id }) => Number(id)),
  );
  const books = new ChargeLedger();
  for (const charge of gateway.ledger.charges) if (ids.has(charge.scheduledOrderId)) books.add(charge);
  return books;
}

const SKIPPED = 'SKIPPED, because CITUS_BIN names no PostgreSQL with Citus (deploy/citus/README.md)';
if (BIN === undefined) process.stderr.write(`test:citus is ${SKIPPED}.\n`);

const title = `a coordinator and two nodes process ${ORDERS} orders of ${SITES} sites; a node is killed, and nobody is charged twice`;

(BIN === undefined ? it.skip : it)(
  BIN === undefined ? `${title}: ${SKIPPED}` : title,
  async () => {
    await loadParser();
    [cluster, gateway] = await Promise.all([Cluster.start(BIN!), StripeStandIn.start()]);
    const database = await databaseOn(cluster.url);
    await givenOrders(database);
    const keys = await foreignKeysIn(database);
    await cluster.distribute();
    const tables = await cluster.tables();
    const buckets = await bucketsOf(database);
    expect([tables.has('processing_cycles'), buckets.length]).toEqual([true, SITES]);
    await assertForeignKeys(database, keys, tables);

    const env = { GATEWAY_ONE_URL: gateway.url, CLAIM_LEASE: 'PT5S', CLAIM_BATCH: '200' };
    const [lost, refused]: [string[], Set<string>] = [[], new Set()];
    const onFault: Faults = (error, text) =>
      isRefusal(error)
        ? refused.add(`${text.split(' ').slice(0, 2).join(' ')}: ${error.message}`)
        : lost.push(error.message);
    workers.push(...buckets.map((bucket) => bucketWorker(cluster.url, bucket, tables, env, onFault)));
    const processing = Promise.all(
      workers.map(async (worker, index) => {
        while (!(await isProcessed(database, buckets[index]!))) await worker.drain();
      }),
    );
    await until(() => gateway.ledger.charges.length > ORDERS / 3, 300_000);
    expect(lost).toEqual([]);
    const [killed] = cluster.nodes;
    await killed.server.stop('SIGKILL');
    await until(() => lost.length > 0, 120_000);
    await killed.server.start();
    await processing;

    expect(gateway.ledger.doubles()).toEqual([]);
    expect(gateway.ledger.charges).toHaveLength(ORDERS);
    for (const bucket of buckets) {
      const narrowed = within(database, bucket, tables);
      await assertInvariants(narrowed, await booksOf(narrowed));
    }
    expect([...refused]).toEqual([LEFT_OUT]);
    await database.dataSource.destroy();
  },
  1_200_000,
);
