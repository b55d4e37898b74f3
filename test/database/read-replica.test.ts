import { PassThrough } from 'node:stream';
import pg from 'pg';
import { openDataSource } from '#libs/entities';
import { introduceDeployment } from '#libs/ledger';
import { type ConnectionPool, type EphemeralDatabase, openPool, startEphemeralDatabase } from '#libs/platform';
import { Database, Replica, type ReplicaFault } from '#libs/records';
import { openReplica } from '../../apps/api/src/replica.js';
import { itInAllCases } from '../support/all-cases.js';
import { type Answered, type OpenApi, openApi, requestTo } from '../support/api.js';
import { endApis, startApi } from '../support/api-process.js';
import { cloneDatabase, dropDatabase, type TestDatabase } from '../support/database.js';
import { poolOf } from '../support/postgres/pool-of.js';
import { canMakeStandby, type Standby, standbyOf } from '../support/postgres/standby.js';
import { until } from '../support/until.js';
import { ENCRYPTION_KEY, type GivenShop, givenShop, vault } from '../support/worker.js';

const LISTS = 'scheduled-orders-api-lists';

(canMakeStandby ? describe : describe.skip)('Lists and reports with READ_DATABASE_URL', () => {
  let primary: EphemeralDatabase;
  let standby: Standby;
  let shop: GivenShop;
  let api: OpenApi;
  /** Without the setting. */
  let other: OpenApi;
  const log = new PassThrough();
  let output = '';
  log.on('data', (chunk) => (output += String(chunk)));
  const database = {} as TestDatabase;

  beforeAll(async () => {
    primary = await startEphemeralDatabase({ wal_level: 'replica', max_wal_senders: '4', synchronous_commit: 'on' });
    const dataSource = await openDataSource({ url: primary.url });
    await dataSource.runMigrations();
    await introduceDeployment(poolOf(dataSource));
    Object.assign(database, { url: primary.url, dataSource, query: dataSource.query.bind(dataSource) });
    standby = await standbyOf(primary);
    shop = await givenShop(database);
    await shop.dueOrders(3, { nextOccurrenceUtc: new Date('2030-01-15T09:00:00Z') });
    api = await open({ READ_DATABASE_URL: standby.url });
    other = await open({});
  });
  afterAll(async () => {
    endApis();
    await api.close();
    await other.close();
    await database.dataSource.destroy();
    await standby.stop();
    await primary.stop();
  });

  const open = (env: Record<string, string>) => {
    const settings = { ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'info', LOG_FORMAT: 'text' };
    return openApi(primary.url, { ...settings, ...env }, log);
  };
  const get = (path: string, headers = {}) => api.request('GET', path, { token: shop.tokenAuth, headers });
  const onStandby = async <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: standby.url });
    await client.connect();
    return client
      .query<Row>(sql)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  };
  /** How many lists and reports the API has read from each. */
  const counts = async (url = api.url) => {
    const page = await (await fetch(`${url}/metrics`)).text();
    const count = (place: string) =>
      Number(new RegExp(`^scheduled_orders_replica_reads_total\\{read_from="${place}"\\} (\\d+)$`, 'm').exec(page)![1]);
    return { replica: count('replica'), primary: count('primary') };
  };
  const newCustomer = async (FirstName: string): Promise<number> => {
    const made = await api.request('POST', '/api/Customers', { token: shop.tokenAuth, body: { FirstName } });
    expect(made.status).toBe(201);
    return (made.body as { Id: number }).Id;
  };
  const idsOf = ({ body }: Answered) => (body as { Id: number }[]).map(({ Id }) => Id);
  /** When it was asked differs. */
  const timeless = ({ body }: Answered) =>
    (Array.isArray(body) || typeof body === 'string' ? body : { ...body, AsOfUtc: '' }) as object | string;
  /** The answer of a request that a list was read from the replica for. */
  const readThere = (path: string, headers = {}) =>
    until(async () => {
      const before = await counts();
      const answered = await get(path, headers);
      return (await counts()).replica > before.replica ? answered : undefined;
    });

  it('shows a record at once to whoever has made it', async () => {
    const before = await counts();
    for (let nth = 0; nth < 20; nth++) {
      const id = await newCustomer(`Customer ${nth}`);
      expect(idsOf(await get('/api/Customers'))).toContain(id);
      expect(idsOf(await get('/api/Customers?sort=-Id&limit=1'))).toEqual([id]);
    }
    const { replica, primary } = await counts();
    expect(replica - before.replica + primary - before.primary).toBe(40);
    // How many the standby has answered depends on how fast it replays.
    const id = await newCustomer('Read there');
    expect(idsOf(await readThere('/api/Customers'))).toContain(id);
    const sessions = await onStandby<{ query: string }>(
      `SELECT query FROM pg_stat_activity WHERE application_name = '${LISTS}'`,
    );
    expect(sessions.map(({ query }) => query).join()).toContain('FROM customers');
  });

  const RANGE = 'From=2030-01-01&To=2030-01-31';
  it.each([
    ['/api/Customers', {}],
    ['/api/Customers?page=1', {}],
    ['/api/Customers/Count?q=Customer', {}],
    ['/api/Products?sort=-Id', {}],
    ['/api/ScheduledOrders', {}],
    ['/api/ScheduledOrders?Status=Active', {}],
    ['/api/ScheduledOrders?Status=Active', { accept: 'text/csv' }],
    ['/api/ScheduledOrders?Deleted=true', {}],
    ['/api/Orders?page=1', {}],
    ['/api/TaxRates?page=1', {}],
    ['/api/PaymentIntegrations', {}],
    [`/api/Site/1/Calendar?${RANGE}`, {}],
    [`/api/Site/1/Forecast?${RANGE}`, {}],
  ])('answers %s %j from the standby as from the primary', async (path, headers) => {
    const answered = await other.request('GET', path, { token: shop.tokenAuth, headers });
    expect(answered.status).toBe(200);
    expect(timeless(await readThere(path, headers))).toEqual(timeless(answered));
  });

  it('counts the figures of the overview there, too', async () => {
    expect((await readThere('/api/Site/1/Overview')).body).toMatchObject({ Today: [] });
  });

  it('reads single records, their logs and the caller from the primary', async () => {
    const before = await counts();
    const [id] = idsOf(await get('/api/ScheduledOrders?page=1'));
    const after = await counts();
    expect(after.replica + after.primary).toBe(before.replica + before.primary + 1);
    for (const path of ['', '/EventLogs', '/Cycles', '/Quote', '/Timeline', '/Explain'])
      expect((await get(`/api/ScheduledOrders/${id}${path}`)).status).toBe(200);
    expect(await counts()).toEqual(after);
  });

  it('reads from the primary while the standby is behind, and says nothing', async () => {
    const saidBefore = output.length;
    await onStandby('SELECT pg_wal_replay_pause()');
    await until(
      async () => (await onStandby('SELECT 1 WHERE pg_get_wal_replay_pause_state() = $$paused$$')).length === 1,
    );
    const before = await counts();
    const id = await newCustomer('Behind');
    expect(idsOf(await get('/api/Customers'))).toContain(id);
    expect(await counts()).toEqual({ ...before, primary: before.primary + 1 });
    await onStandby('SELECT pg_wal_replay_resume()');
    expect(idsOf(await readThere('/api/Customers'))).toContain(id);
    expect(output.slice(saidBefore)).not.toContain('WARN');
  });

  describe('in the process', () => {
    let pools: ConnectionPool[];
    let faults: (ReplicaFault | null)[];
    let replica: Replica;
    let records: Database;
    beforeEach(() => {
      faults = [];
      const pool = openPool({ url: standby.url, applicationName: 'test-lists' }, { connections: 2 });
      pools = [pool];
      replica = new Replica(pool, poolOf(database.dataSource), (fault) => faults.push(fault));
      records = new Database(poolOf(database.dataSource), vault, replica);
    });
    afterEach(() => Promise.all(pools.map((pool) => pool.end())));

    const WHERE = `SELECT pg_is_in_recovery() AS "isStandby"`;
    const begun = () =>
      until(async () => {
        const reads = records.forList();
        const [row] = await reads.execute<{ isStandby: boolean }>(WHERE);
        return row!.isStandby ? reads : undefined;
      });

    it('reads a list to its end from the primary, when the standby has ended one of its statements', async () => {
      const reads = await begun();
      const slow = reads.execute<{ isStandby: boolean }>(
        `${WHERE}, CASE WHEN pg_is_in_recovery() THEN pg_sleep(30)::text END AS slept`,
      );
      await until(
        async () =>
          (
            await onStandby(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name = 'test-lists' AND wait_event = 'PgSleep'`)
          ).length === 1,
      );
      expect(await slow).toMatchObject([{ isStandby: false }]);
      expect(await reads.execute(WHERE)).toEqual([{ isStandby: false }]);
      expect(await (await begun()).execute(WHERE)).toEqual([{ isStandby: true }]);
    });

    it.each([
      ['40001', 'a conflict with its replay', false],
      ['XX001', 'damage', false],
      ['22012', 'anything else', true],
    ])('after the error %s, %s: throws %p', async (code, _, isThrown) => {
      await database.query(`CREATE OR REPLACE FUNCTION fails_on_standby() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
        IF pg_is_in_recovery() THEN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END IF; RETURN false; END $$`);
      const read = (await begun()).execute(`SELECT fails_on_standby() AS "isStandby"`);
      if (isThrown) await expect(read).rejects.toMatchObject({ code });
      else expect(await read).toEqual([{ isStandby: false }]);
    });

    it('does not read a standby that a promotion of another one has left behind', async () => {
      const [before] = await database.query<{ timeline: string }>(`SELECT timeline FROM deployment`);
      await begun();
      // As the row is there until the first worker of the new primary has been seen here.
      await database.query(`UPDATE deployment SET timeline = '0000000A'`);
      expect(await replica.look()).toMatchObject({ kind: 'behind' });
      expect(await records.forList().execute(WHERE)).toEqual([{ isStandby: false }]);
      await database.query(`UPDATE deployment SET timeline = $1`, [before!.timeline]);
      await begun();
      expect(faults).toEqual([]);
    });
  });

  describe('at the start of an API', () => {
    const silent = { info: () => undefined, warn: () => undefined };
    let elsewhere: TestDatabase;
    beforeAll(async () => void (elsewhere = await cloneDatabase()));
    afterAll(() => dropDatabase(elsewhere));

    itInAllCases('another database ends the process', async () => {
      const env = { DATABASE_URL: primary.url, ENCRYPTION_KEY, READ_DATABASE_URL: elsewhere.url };
      const refused = startApi(env);
      expect(await refused.exited).toBe(1);
      expect(refused.output()).toContain('which is no standby of the database in DATABASE_URL: name one');
    });

    it('another database ends it', async () => {
      const sentence = await openReplica(poolOf(database.dataSource), { url: elsewhere.url }, silent);
      expect(sentence).toContain('which is no standby of the database in DATABASE_URL: name one');
      expect(sentence).not.toContain('ephemeral');
    });

    it('a wrong password ends it', async () => {
      const url = standby.url.replace(/:[^:@]+@/, ':wrong@');
      const sentence = await openReplica(poolOf(database.dataSource), { url }, silent);
      expect(sentence).toContain('READ_DATABASE_URL: The database 127.0.0.1:');
      expect(sentence).not.toContain('wrong@');
    });

    it('a standby that is away does not', async () => {
      const url = standby.url.replace(/:\d+\//, ':1/');
      const started = startApi({ DATABASE_URL: primary.url, ENCRYPTION_KEY, READ_DATABASE_URL: url });
      const request = requestTo(await started.url());
      expect((await request('GET', '/api/Products', { token: shop.tokenAuth })).status).toBe(200);
      expect(started.output()).toContain(
        'Lists and reports are read from DATABASE_URL: the replica 127.0.0.1:1/postgres: nothing listens there.',
      );
      expect((await request('GET', '/health/ready')).status).toBe(200);
      expect((await counts(await started.url())).replica).toBe(0);
      started.child.kill('SIGKILL');
    });
  });

  it('does not read a standby that was promoted by itself', async () => {
    await standby.promote();
    await onStandby(`UPDATE customers SET first_name = 'Elsewhere'`);
    const before = await counts();
    expect(JSON.stringify((await get('/api/Customers')).body)).not.toContain('Elsewhere');
    expect((await counts()).replica).toBe(before.replica);
    await until(() => output.includes('it is no standby.'));
  });

  it('goes on without it when it is gone', async () => {
    await standby.stop();
    const saidBefore = output.length;
    await until(async () => {
      expect((await get('/api/Customers')).status).toBe(200);
      return output.slice(saidBefore).includes('nothing listens there.');
    });
  });
});
