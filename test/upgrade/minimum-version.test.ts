import { MINIMUM_VERSION, SCHEMA_VERSION } from '#libs/entities';
import { claimAgain, claimProbes, lockDue, takeOver } from '#libs/ledger';
import { endApis, startApi } from '../support/api-process.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { until } from '../support/until.js';
import { createWorker, ENCRYPTION_KEY, givenShop, knownDatabase, startWorker, stopWorkers } from '../support/worker.js';

const database = useDatabase();

const askFor = (schemaVersion: number) =>
  database.query(`UPDATE minimum_version SET schema_version = $1`, [schemaVersion]);
const TOO_OLD = `This process is too old for the database, which needs schema version ${SCHEMA_VERSION + 1} or newer; this one has ${SCHEMA_VERSION}: deploy the newer version.`;

/** Whether a worker's round has begun since, and has gone on to something else or ended. */
const hasAskedSince = async (utc: Date) =>
  (
    await database.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'scheduled-orders-worker'
         AND state = 'idle' AND query = $1 AND query_start > $2`,
      [MINIMUM_VERSION.text, utc],
    )
  ).length > 0;

afterEach(async () => {
  endApis();
  await stopWorkers();
  await askFor(SCHEMA_VERSION);
});

describe('A database that asks for a newer version', () => {
  it('gets nothing claimed by a worker, until it allows its version again', async () => {
    const shop = await givenShop(database);
    const worker = await startWorker(database, { PROCESSOR_CRON: '* * * * * *' });
    const ready = async () => {
      const response = await fetch(`${worker.url}/health/ready`);
      return [response.status, await response.json()];
    };
    await until(async () => (await ready())[0] === 200);
    await askFor(SCHEMA_VERSION + 1);
    expect(await ready()).toEqual([503, { status: 'not ready', reason: TOO_OLD }]);
    await until(() => worker.output().includes(`${TOO_OLD} Nothing is claimed.`));
    const id = await shop.dueOrder();
    const [due] = await database.query<{ utc: Date }>(`SELECT clock_timestamp() AS utc`);
    await until(() => hasAskedSince(due!.utc));
    expect(await database.query(`SELECT 1 FROM processing_cycles`)).toEqual([]);
    expect(worker.output().split(TOO_OLD)).toHaveLength(2);
    await askFor(SCHEMA_VERSION);
    await until(async () => {
      const [cycle] = await database.query(`SELECT state FROM processing_cycles WHERE scheduled_order_id = $1`, [id]);
      return cycle?.state === 'Completed';
    });
    // Webhooks and numbers of events have rounds of their own.
    await until(async () => (await ready())[0] === 200);
  });

  it('has nothing claimed, whichever statement claims', async () => {
    await askFor(SCHEMA_VERSION + 1);
    const { pool } = database;
    const known = await knownDatabase(database);
    const claimant = { worker: 'old', leaseMs: 1_000, known };
    const start = { dueUtc: new Date(0), scheduledOrderId: 0 };
    for (const claim of [
      () => pool.transaction((tx) => lockDue(tx, { longestPauseMs: 1_000, known }, 1, start)),
      () => claimAgain(pool, claimant, 1, []),
      () => takeOver(pool, claimant, 1),
      () => claimProbes(pool, claimant, 1),
    ])
      await expect(claim()).rejects.toMatchObject({ code: 'SO002' });
  });

  it('ends a worker that is to process what is due once', async () => {
    const shop = await givenShop(database);
    const id = await shop.dueOrder();
    await askFor(SCHEMA_VERSION + 1);
    const worker = await startWorker(database, {}, ['--once']);
    expect([await worker.exited, worker.output()]).toEqual([1, expect.stringContaining('FATAL: Nothing was charged.')]);
    expect(await database.query(`SELECT 1 FROM processing_cycles WHERE scheduled_order_id = $1`, [id])).toEqual([]);
  });

  it('lets a worker finish what it has sent', async () => {
    const gateway = await StripeStandIn.start();
    const shop = await givenShop(database, { apiKey1: 'sk_test_sent' });
    const id = await shop.dueOrder();
    const worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
    gateway.latencyMs = 500;
    const drained = worker.drain();
    await until(() => gateway.ledger.capturesOf(id).length === 1);
    await askFor(SCHEMA_VERSION + 1);
    await drained;
    await worker.end();
    await gateway.stop();
    const cycles = `SELECT state FROM processing_cycles WHERE scheduled_order_id = $1`;
    expect(await database.query(cycles, [id])).toEqual([{ state: 'Completed' }]);
  });

  it('is served by an API with 503 and what to do, reads and writes', async () => {
    const shop = await givenShop(database);
    const id = await shop.dueOrder();
    const url = await startApi({ DATABASE_URL: database.url, ENCRYPTION_KEY }).url();
    const ask = async (method: string, path: string, body?: object) => {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Basic ${shop.tokenAuth}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, retryAfter: response.headers.get('retry-after'), json: await response.json() };
    };
    const order = `/api/ScheduledOrders/${id}`;
    const pause = () => ask('PUT', order, { Status: 'Paused' });
    expect((await ask('GET', order)).status).toBe(200);
    await askFor(SCHEMA_VERSION + 1);
    const refused = { status: 503, retryAfter: '5', json: expect.objectContaining({ detail: TOO_OLD }) };
    expect(await ask('GET', '/health/ready')).toEqual(refused);
    // Known for a second.
    await until(async () => (await ask('GET', order)).status === 503);
    expect(await pause()).toEqual(refused);
    expect(await ask('GET', order)).toEqual(refused);
    expect((await ask('GET', '/health/live')).status).toBe(200);
    await askFor(SCHEMA_VERSION);
    await until(async () => (await pause()).status === 200);
    expect(await database.query(`SELECT status FROM scheduled_orders WHERE id = $1`, [id])).toEqual([
      { status: 'Paused' },
    ]);
  });
});

describe('assert_same_database', () => {
  it('is SO002 for a process that is too old, whatever it knows of the database', async () => {
    const assert = (writtenFor: number) =>
      database.query(`SELECT assert_same_database(d.generation, '0/0'::pg_lsn, $1) AS same FROM deployment d`, [
        writtenFor,
      ]);
    const worker = createWorker(database);
    await worker.drain();
    await worker.end();
    await database.query(`UPDATE deployment SET timeline = (SELECT timeline FROM database_here())`);
    expect(await assert(SCHEMA_VERSION)).toEqual([{ same: true }]);
    await askFor(SCHEMA_VERSION + 1);
    await expect(assert(SCHEMA_VERSION)).rejects.toMatchObject({ driverError: { code: 'SO002' } });
    expect(await assert(SCHEMA_VERSION + 1)).toEqual([{ same: true }]);
    await database.query(`UPDATE deployment SET generation = generation + 1`);
    await expect(
      database.query(`SELECT assert_same_database(0, '0/0'::pg_lsn, $1)`, [SCHEMA_VERSION + 1]),
    ).rejects.toMatchObject({ driverError: { code: 'SO001' } });
  });
});
