import pg from 'pg';
import { connectionTo, type EphemeralDatabase, freePort, startEphemeralDatabase } from '#libs/platform';
import { cli } from '../cli/run.js';
import { readers } from '../processor/readers.js';
import { itInAllCases } from '../support/all-cases.js';
import { endApis, startApi } from '../support/api-process.js';
import { useDatabase } from '../support/database.js';
import { Network } from '../support/postgres/network.js';
import { until } from '../support/until.js';
import { ENCRYPTION_KEY, givenShop, startWorker, stopWorkers } from '../support/worker.js';

describe('A DATABASE_URL with several hosts', () => {
  const database = useDatabase();
  const hostOf = (url: string) => new URL(url).host;
  const urlOf = (hosts: readonly string[], query = '') => {
    const { username, password, pathname } = new URL(database.url);
    return `postgres://${username}:${password}@${hosts.join(',')}${pathname}${query}`;
  };
  let dead: string;
  let readOnly: EphemeralDatabase;
  let replica: string;

  beforeAll(async () => {
    dead = `127.0.0.1:${await freePort()}`;
    readOnly = await startEphemeralDatabase({ default_transaction_read_only: 'on' });
    const url = new URL(readOnly.url);
    const { username, password, pathname } = new URL(database.url);
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query('SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE');
    await client.query(`CREATE DATABASE ${pathname.slice(1)}`);
    await client.query(`ALTER ROLE ${username} PASSWORD '${password}'`);
    await client.end();
    replica = url.host;
  });
  afterEach(async () => {
    endApis();
    await stopWorkers();
  });
  afterAll(() => readOnly.stop());

  const portOf = async (pool: pg.Pool) =>
    (await pool.query<{ port: string }>(`SELECT current_setting('port') AS port`)).rows[0]!.port;
  const poolTo = (url: string) => new pg.Pool({ ...connectionTo({ url, applicationName: 'test' }), max: 2 });

  it.each([
    ['without target_session_attrs', '', () => hostOf(database.url)],
    ['read-write', '?target_session_attrs=read-write', () => hostOf(database.url)],
    ['primary', '?target_session_attrs=primary', () => replica],
    ['any', '?target_session_attrs=any', () => replica],
  ])('leads, %s, to the first that is what it asks for', async (_, query, expected) => {
    const pool = poolTo(urlOf([dead, replica, hostOf(database.url)], query));
    expect(await portOf(pool)).toBe(expected().split(':')[1]);
    await pool.end();
  });

  it('says of each host why it is none, and tries again', async () => {
    const pool = poolTo(urlOf([dead, replica]));
    await expect(pool.query('SELECT 1')).rejects.toMatchObject({
      code: 'ENOHOST',
      message: `${dead}: nothing listens there; ${replica}: it is read-only`,
    });
    await pool.end();
    const { stderr } = await cli(['migrate'], { env: { DATABASE_URL: urlOf([dead, replica]) } });
    expect(stderr).toContain(`cannot be reached: ${dead}: nothing listens there; ${replica}: it is read-only.`);
    expect(stderr).not.toContain(new URL(database.url).password);
  });

  it('leads on from a host that falls silent, within the time of one connection', async () => {
    const network = await Network.before(database);
    network.isSwallowing = true;
    const pool = poolTo(urlOf([hostOf(network.url), hostOf(database.url)]));
    expect((await pool.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
    await network.stop();
  });

  itInAllCases('is followed by API and worker when their host goes away', async () => {
    const [one, two] = [await Network.before(database), await Network.before(database)];
    const url = urlOf([dead, hostOf(one.url), replica, hostOf(two.url)]);
    const shop = await givenShop(database);
    const first = await shop.dueOrder();
    const api = startApi({ DATABASE_URL: url, ENCRYPTION_KEY });
    const worker = await startWorker({ url }, { PROCESSOR_CRON: '* * * * * *' });
    const get = async () =>
      (await fetch(`${await api.url()}/api/Products`, { headers: { authorization: `Basic ${shop.tokenAuth}` } }))
        .status;
    expect(await get()).toBe(200);
    await until(async () => (await readers(database).statesOf(first))[0] === 'Completed');
    await one.stop();
    const second = await shop.dueOrder();
    await until(async () => (await get()) === 200);
    await until(async () => (await readers(database).statesOf(second))[0] === 'Completed');
    await until(async () => (await fetch(`${worker.url}/health/ready`)).status === 200);
    endApis();
    await stopWorkers();
    await two.stop();
  });
});
