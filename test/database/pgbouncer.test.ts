import { PassThrough } from 'node:stream';
import pg from 'pg';
import { connectionTo, isLost } from '#libs/platform';
import { Readiness } from '../../apps/worker/src/operations/readiness.js';
import { useCli } from '../cli/run.js';
import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { openApi } from '../support/api.js';
import { endApis, startApi } from '../support/api-process.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import { assertInvariants } from '../support/invariants.js';
import { Bouncer, type BouncerSettings, describeWithBouncer } from '../support/postgres/pgbouncer.js';
import { until } from '../support/until.js';
import { createWorker, ENCRYPTION_KEY, givenShop, startWorker, stopWorkers } from '../support/worker.js';

/** Enough for several batches. */
const DUE = ALL_CASES ? 120 : 40;
const POOL_SIZE = 3;
const ROUNDS = ALL_CASES ? 40 : 10;
const POOLER = { DATABASE_POOLER: 'transaction' };

/** What all the pooler's connections to the server listen to: a LISTEN stays on the one that was given out for it. */
async function channelsOf(url: string, connections: number): Promise<string[]> {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: url }));
  const channels: string[] = [];
  for (const client of clients) {
    await client.connect();
    await client.query('BEGIN');
    const { rows } = await client.query<{ channel: string }>('SELECT pg_listening_channels() AS channel');
    channels.push(...rows.map(({ channel }) => channel));
  }
  for (const client of clients) await client.end();
  return channels;
}

describeWithBouncer('Behind PgBouncer in transaction mode', () => {
  const database = useDatabase();
  const cli = useCli();
  const bouncers: Bouncer[] = [];
  const open: { close(): Promise<void> }[] = [];
  const bouncer = async (settings?: BouncerSettings) => {
    const made = await Bouncer.before(database, settings);
    bouncers.push(made);
    return made;
  };
  afterEach(async () => {
    endApis();
    await stopWorkers();
    for (const one of open.splice(0)) await one.close();
    for (const made of bouncers.splice(0)) await made.stop();
  });

  it('the worker charges and records everything that is due, and hears of new work without LISTEN', async () => {
    const gateway = await StripeStandIn.start();
    const { url } = await bouncer({ poolSize: POOL_SIZE });
    const shop = await givenShop(database, { apiKey1: 'sk_test_bouncer' });
    await shop.dueOrders(DUE);
    const env = { ...POOLER, GATEWAY_ONE_URL: gateway.url, PROCESSOR_CRON: '* * * * * *', LOG_LEVEL: 'info' };
    // One as it is run for real, which ticks every second; and another one in this process.
    const log = new PassThrough();
    const worker = await startWorker({ url }, env);
    const other = createWorker({ url }, env, {}, {}, log);
    open.push({ close: () => other.end() });
    await other.start();
    const completed = async () =>
      Number((await database.query<{ n: string }>(`SELECT count(*) AS n FROM orders`))[0]!.n);
    await until(async () => (await completed()) === DUE);
    await shop.dueOrders(5);
    await until(async () => (await completed()) === DUE + 5);
    expect(gateway.ledger.charges).toHaveLength(DUE + 5);
    expect((await fetch(`${worker.url}/health/ready`)).status).toBe(200);
    expect(await (await other.part(Readiness)).unreadyBecause()).toBeNull();
    for (const output of [worker.output(), String(log.read() ?? '')]) expect(output).not.toMatch(/ERROR|WARN/);
    await assertInvariants(database, gateway.ledger);
    await stopWorkers();
    await open.pop()!.close();
    expect(await channelsOf(url, POOL_SIZE)).toEqual([]);
    await gateway.stop();
  });

  itInAllCases('two APIs write the columns that were sent, and no other', async () => {
    const { url } = await bouncer();
    const make = given(database);
    const { siteId, tokenAuth } = await make.merchant();
    const mine = await make.product(siteId, { price: '10', salePrice: '9' });
    const yours = await make.product(siteId, { price: '10', salePrice: '9' });
    const settings = { ...POOLER, RATE_LIMIT_PER_SECOND: '0' };
    const apis = [await openApi(url, settings), await openApi(url, settings)];
    open.push(...apis);
    const urls = apis.map((api) => api.url);
    const statuses = new Set<number>();
    const headers = { authorization: `Basic ${tokenAuth}`, 'content-type': 'application/json' };
    const put = async (which: number, id: number, body: object) => {
      const address = `${urls[which]!}/api/Products/${id}`;
      const answer = await fetch(address, { method: 'PUT', headers, body: JSON.stringify(body) });
      statuses.add(answer.status);
    };
    const list = async (which: number) => {
      const answer = await fetch(`${urls[which]!}/api/Products`, { headers });
      statuses.add(answer.status);
      expect(await answer.json()).toHaveLength(2);
    };
    const wrong: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all([
        ...[1, 2, 3].flatMap(() => [put(0, mine, { Price: 20 + (round % 5) }), put(1, yours, { SalePrice: 5 })]),
        list(0),
        list(1),
      ]);
      const rows = await database.query<{ id: string; price: string; sale_price: string }>(
        `SELECT id, price, sale_price FROM products WHERE id = ANY ($1::bigint[])`,
        [[mine, yours]],
      );
      for (const { id, price, sale_price } of rows) {
        if (Number(id) === mine && Number(sale_price) !== 9) wrong.push(`SalePrice became ${sale_price}`);
        if (Number(id) === yours && Number(price) !== 10) wrong.push(`Price became ${price}`);
      }
    }
    expect(wrong).toEqual([]);
    expect([...statuses]).toEqual([200]);
  });

  const UNSUITED: readonly [how: string, ignored: string, sentence: RegExp][] = [
    [
      'as it comes',
      'extra_float_digits',
      /does not take the startup parameter "options": set DATABASE_POOLER=transaction/,
    ],
    [
      'that drops options',
      'extra_float_digits, options',
      /a pooler in between drops them\. Set DATABASE_POOLER=transaction/,
    ],
  ];
  it.each(ALL_CASES ? UNSUITED : UNSUITED.slice(1))(
    '%s, API, worker and command line end at once and say which setting is missing',
    async (_, ignoredParameters, sentence) => {
      const { url } = await bouncer({ ignoredParameters });
      const api = startApi({ DATABASE_URL: url, ENCRYPTION_KEY });
      expect(await api.exited).toBe(1);
      expect(api.output()).toMatch(sentence);
      // The others connect in the same way (libs/platform/src/database).
      if (!ALL_CASES) return;
      const worker = await startWorker({ url });
      expect(await worker.exited).toBe(1);
      expect(worker.output()).toMatch(sentence);
      const command = await cli(['cycles:stuck'], { env: { DATABASE_URL: url } });
      expect(command).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) });
    },
  );

  it('commands work, and migrations say that they need a connection of their own', async () => {
    const { url } = await bouncer();
    const env = { ...POOLER, DATABASE_URL: url };
    expect(await cli(['cycles:stuck'], { env })).toMatchObject({ code: 0, stderr: '' });
    expect(await cli(['migrate'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Migrations need a direct connection'),
    });
  });

  describe('a pool', () => {
    const session = { lock_timeout: '777ms', statement_timeout: '3s' };
    const withPool = async (
      settings: BouncerSettings,
      use: (pool: pg.Pool) => Promise<void>,
      longestAnswerMs?: number,
    ) => {
      const { url } = await bouncer(settings);
      const pool = new pg.Pool({
        ...connectionTo({ url, pooler: 'transaction', applicationName: 'test', session, longestAnswerMs }),
        max: 4,
      });
      pool.on('error', () => undefined);
      try {
        await use(pool);
      } finally {
        await pool.end();
      }
    };
    const LOOK = `SELECT current_setting('lock_timeout') AS lock, current_setting('TimeZone') AS zone, current_setting('DateStyle') AS style`;
    const OURS = { lock: '777ms', zone: 'UTC', style: 'ISO, MDY' };
    const name = () => new URL(database.url).pathname.slice(1);

    it('has its settings in every statement, and leaves none to other clients', async () => {
      await database.query(`ALTER DATABASE ${name()} SET DateStyle = 'German'`);
      await database.query(`ALTER DATABASE ${name()} SET TimeZone = 'Asia/Tokyo'`);
      try {
        await withPool({ poolSize: 1 }, async (pool) => {
          expect((await pool.query(LOOK)).rows).toEqual([OURS]);
          const client = await pool.connect();
          const answers = await Promise.all([
            client.query('START TRANSACTION'),
            client.query(LOOK),
            client.query('SELECT now() AS now, $1::timestamptz AS given', [new Date(0)]),
            client.query('COMMIT'),
            client.query(LOOK),
          ]);
          client.release();
          expect(answers[1].rows).toEqual([OURS]);
          expect(answers[2].rows).toEqual([{ now: expect.any(Date), given: new Date(0) }]);
          expect(answers[4].rows).toEqual([OURS]);
          const other = new pg.Client({ connectionString: bouncers.at(-1)!.url });
          await other.connect();
          expect((await other.query<object>(LOOK)).rows).toEqual([
            { lock: '0', zone: 'Asia/Tokyo', style: 'German, DMY' },
          ]);
          await other.end();
        });
      } finally {
        await database.query(`ALTER DATABASE ${name()} RESET ALL`);
      }
    });

    it('fails one statement of a round trip, and none of its neighbours', async () => {
      await withPool({ poolSize: 1 }, async (pool) => {
        const client = await pool.connect();
        const settled = await Promise.allSettled([
          client.query('SELECT 1 AS n'),
          client.query('SELECT 1 / $1::int AS n', [0]),
          client.query('SELECT pg_sleep(30)'),
          client.query('SELECT 2 AS n'),
        ]);
        client.release();
        expect(settled).toMatchObject([
          { status: 'fulfilled', value: { rows: [{ n: 1 }] } },
          { status: 'rejected', reason: { code: '22012' } },
          { status: 'rejected', reason: { code: '57014' } },
          { status: 'fulfilled', value: { rows: [{ n: 2 }] } },
        ]);
      });
    });

    it('says that a statement failed when only its COMMIT did', async () => {
      await database.query(`CREATE TABLE parents (id int PRIMARY KEY);
        CREATE TABLE children (parent int REFERENCES parents DEFERRABLE INITIALLY DEFERRED)`);
      await withPool({}, async (pool) => {
        await expect(pool.query('INSERT INTO children VALUES (1)')).rejects.toMatchObject({ code: '23503' });
        expect((await pool.query('SELECT parent FROM children')).rows).toEqual([]);
      });
    });

    it('gives up an answer that does not come, and ends no statement of another client', async () => {
      await withPool(
        { poolSize: 1 },
        async (pool) => {
          const other = new pg.Client({ connectionString: bouncers.at(-1)!.url });
          other.on('error', () => undefined);
          await other.connect();
          const held = await other.query('BEGIN').then(() => other.query('SELECT pg_sleep(0)'));
          expect(held.rowCount).toBe(1);
          // The pooler has no connection left: the statement waits there. The pool tells of the time-out or of the
          // connection that it ended, whichever it hears of first.
          const error: unknown = await pool.query('SELECT 1').catch((thrown: unknown) => thrown);
          expect([error, isLost(error)]).toEqual([expect.any(Error), true]);
          expect((await other.query<{ n: number }>('SELECT 5 AS n')).rows).toEqual([{ n: 5 }]);
          await other.query('COMMIT');
          expect((await pool.query<{ n: number }>('SELECT 6 AS n')).rows).toEqual([{ n: 6 }]);
          await other.end();
        },
        3_000,
      );
    });
  });
});
