import { openDataSource } from '#libs/entities';
import { createPool } from '../../apps/worker/src/database/pool.js';
import { inTransaction } from '../../apps/worker/src/database/transaction.js';
import { readers } from '../processor/readers.js';
import { itInAllCases } from '../support/all-cases.js';
import { endApis, startApi } from '../support/api-process.js';
import { measured } from '../support/bounds.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { Network } from '../support/postgres/network.js';
import { until } from '../support/until.js';
import { createWorker, ENCRYPTION_KEY, givenShop, startWorker, stopWorkers } from '../support/worker.js';

const SETTINGS = [
  'TimeZone',
  'DateStyle',
  'statement_timeout',
  'lock_timeout',
  'default_transaction_isolation',
  'work_mem',
];
const LOOK = `SELECT ${SETTINGS.map((name) => `current_setting('${name}') AS "${name}"`).join(', ')}`;

describe('A session', () => {
  const database = useDatabase();
  const name = () => new URL(database.url).pathname.slice(1);
  const HOSTILE = {
    DateStyle: 'German',
    TimeZone: 'Asia/Tokyo',
    statement_timeout: '1',
    default_transaction_isolation: 'serializable',
  };
  afterEach(() => database.query(`ALTER DATABASE ${name()} RESET ALL`));

  it('is ours whatever the database says: the worker reads times and processes', async () => {
    for (const [setting, value] of Object.entries(HOSTILE))
      await database.query(`ALTER DATABASE ${name()} SET ${setting} = '${value}'`);
    const shop = await givenShop(database);
    const id = await shop.dueOrder();
    const worker = createWorker(database);
    await worker.drain();
    await worker.end();
    expect(await readers(database).statesOf(id)).toEqual(['Completed']);
  });

  it('is ours whatever the URL says, and what else the URL says holds', async () => {
    const url = new URL(database.url);
    const options = { ...HOSTILE, work_mem: '7MB' };
    url.searchParams.set(
      'options',
      Object.entries(options)
        .map(([key, value]) => `-c ${key}=${value}`)
        .join(' '),
    );
    url.searchParams.set('statement_timeout', '1');
    url.searchParams.set('lock_timeout', '1');
    url.searchParams.set('query_timeout', '1');
    const pool = createPool({ url: url.href, connections: 1, onLost: () => undefined });
    const dataSource = await openDataSource({
      url: url.href,
      session: { lock_timeout: '5s', statement_timeout: '15s' },
    });
    const ours = {
      TimeZone: 'UTC',
      DateStyle: 'ISO, MDY',
      statement_timeout: '15s',
      default_transaction_isolation: 'read committed',
      work_mem: '7MB',
    };
    const [row] = await pool.execute(LOOK);
    expect(Object.values(row!)).toEqual(SETTINGS.map((setting) => ({ ...ours, lock_timeout: '800ms' })[setting]));
    expect(await dataSource.query(LOOK)).toEqual([{ ...ours, lock_timeout: '5s' }]);
    await pool.end();
    await dataSource.destroy();
  });
});

describe('A database that falls silent', () => {
  const database = useDatabase();
  afterAll(async () => {
    endApis();
    await stopWorkers();
  });

  itInAllCases('costs a request, and a worker, a quarter of a minute', async () => {
    const network = await Network.before(database);
    const shop = await givenShop(database);
    const api = startApi({ DATABASE_URL: network.url, ENCRYPTION_KEY });
    const worker = await startWorker(network, { PROCESSOR_CRON: '* * * * * *' });
    const products = `${await api.url()}/api/Products`;
    const get = () => fetch(products, { headers: { authorization: `Basic ${shop.tokenAuth}` } });
    expect((await get()).status).toBe(200);
    network.isSwallowing = true;
    const before = performance.now();
    expect((await get()).status).toBe(503);
    await until(() => worker.output().includes('The database cannot be reached: processing pauses until it can.'));
    expect(performance.now() - before).toBeLessThan(measured(28_000));
    network.isSwallowing = false;
    const id = await shop.dueOrder();
    await until(async () => (await readers(database).statesOf(id))[0] === 'Completed');
    expect((await get()).status).toBe(200);
    endApis();
    await stopWorkers();
    await network.stop();
  });
});

describe('A statement that takes too long', () => {
  const database = useDatabase();

  /** Freezing one cycle takes so long. */
  const slowly = async (seconds: number, condition = 'true') => {
    await database.query(`CREATE OR REPLACE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(${seconds}); RETURN NEW; END $$`);
    await database.query(`DROP TRIGGER IF EXISTS dawdle ON processing_cycles`);
    await database.query(`CREATE TRIGGER dawdle BEFORE UPDATE ON processing_cycles FOR EACH ROW
      WHEN (OLD.state = 'Claimed' AND NEW.state = 'Charging' AND ${condition}) EXECUTE FUNCTION dawdle()`);
  };

  itInAllCases('is done for half of the orders at a time, and then half of those', async () => {
    const gateway = await StripeStandIn.start();
    const shop = await givenShop(database, { apiKey1: 'sk_test_slow' });
    const ids = await shop.dueOrders(8);
    // Two of them are quick enough, four are not; every other statement has the time that a busy machine needs.
    await slowly(0.6);
    const worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url }, { longestStatementMs: 2_000 });
    await worker.drain();
    await worker.end();
    for (const id of ids) expect(await readers(database).statesOf(id)).toEqual(['Completed']);
    await assertInvariants(database, gateway.ledger);
    await gateway.stop();
  });

  it('for one order alone is a technical failure, tried again by its schedule and not at once', async () => {
    const shop = await givenShop(database);
    const [slow, ...others] = await shop.dueOrders(4);
    await slowly(8, `NEW.scheduled_order_id = ${slow!}`);
    const worker = createWorker(database, {}, { longestStatementMs: 2_000 });
    await worker.drain();
    await worker.end();
    expect(await readers(database).statesOf(slow!)).toEqual(['Retrying']);
    for (const id of others) expect(await readers(database).statesOf(id)).toEqual(['Completed']);
  });
});

describe('A primary that becomes a standby', () => {
  const database = useDatabase();
  const name = () => new URL(database.url).pathname.slice(1);
  afterEach(async () => {
    await primary();
    await stopWorkers();
  });

  /** To new connections the server only lets read. */
  const standby = async () => {
    await database.query(`ALTER DATABASE ${name()} SET default_transaction_read_only = on`);
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'scheduled-orders%'`,
    );
  };
  const primary = () =>
    database.query(`BEGIN READ WRITE; ALTER DATABASE ${name()} RESET default_transaction_read_only; COMMIT`);

  it('is waited for like a lost database: not ready, nothing put down as a failure, and then recorded once', async () => {
    const gateway = await StripeStandIn.start();
    gateway.latencyMs = 1_000;
    const shop = await givenShop(database, { apiKey1: 'sk_test_standby' });
    const ids = await shop.dueOrders(20);
    const worker = await startWorker(database, { GATEWAY_ONE_URL: gateway.url, PROCESSOR_CRON: '* * * * * *' });
    const ready = async () => (await fetch(`${worker.url}/health/ready`)).status;
    expect(await ready()).toBe(200);
    await until(() => gateway.ledger.charges.length > 0);
    await standby();
    await until(async () => (await ready()) === 503);
    await until(() => worker.output().includes('The database cannot be written to: processing pauses until it can.'));
    await primary();
    await until(async () => (await ready()) === 200);
    for (const id of ids) await until(async () => (await readers(database).statesOf(id))[0] === 'Completed');
    expect(gateway.ledger.charges).toHaveLength(20);
    expect(worker.output()).not.toMatch(/ERROR/);
    await assertInvariants(database, gateway.ledger);
    await gateway.stop();
  });

  it('is let go by the transaction that met it', async () => {
    const pool = createPool({ url: database.url, connections: 1, onLost: () => undefined });
    await standby();
    const write = () => inTransaction(pool, (tx) => tx.execute('CREATE TABLE IF NOT EXISTS notes (id int)'));
    await expect(write()).rejects.toMatchObject({ code: '25006' });
    await primary();
    await write(); // by another connection: to the one before, the database is read-only to its end
    await pool.end();
  });
});
