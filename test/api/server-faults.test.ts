import { Writable } from 'node:stream';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn, quickHash } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
let written = '';
const log = new Writable({ write: (chunk, _encoding, done) => ((written += String(chunk)), done()) });
const api = useApi(database, { LOG_LEVEL: 'warn', LOG_FORMAT: 'json', RATE_LIMIT_PER_SECOND: '0' }, log);
const given = givenIn(database);

const PASSWORD = 'correct horse battery staple';

async function account() {
  const email = `${crypto.randomUUID()}@shop.example`;
  const userId = await given.user({ email, passwordHash: await quickHash(PASSWORD) });
  const siteId = await given.site(userId);
  const body = { Email: email, Password: PASSWORD, AccessScope: 'Merchant' };
  const login = () => api.request('POST', '/api/AccessTokens/Login', { body });
  return { siteId, token: await given.token(userId), login };
}

const logged = () =>
  written
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { level: string; msg: string; code?: string; err?: object });

beforeEach(() => (written = ''));

describe('A fault of ours', () => {
  it('leaves no password hash in the log, though the statement that failed had it among its parameters', async () => {
    const { login } = await account();
    await database.query(`ALTER TABLE users ALTER password_hash TYPE json USING to_json(password_hash)`);
    try {
      expect((await login()).status).toBe(500);
    } finally {
      await database.query(`ALTER TABLE users ALTER password_hash TYPE varchar(255) USING password_hash #>> '{}'`);
    }
    expect(logged()).toEqual([
      expect.objectContaining({
        level: 'error',
        err: {
          type: 'DatabaseError',
          message: 'operator does not exist: json = unknown',
          stack: expect.stringContaining('auth/logins'),
          code: '42883',
        },
      }),
    ]);
    expect(written).not.toContain('$argon2');
  });

  it('leaves no row in the log, though PostgreSQL quotes the one that it refused', async () => {
    const { token } = await account();
    await database.query(
      `ALTER TABLE customers ADD CONSTRAINT ck_no_garden CHECK (billing_street1 <> '7 Secret Garden')`,
    );
    const body = { BillingStreet1: '7 Secret Garden' };
    expect((await api.request('POST', '/api/Customers', { token, body })).status).toBe(500);
    expect(logged()).toEqual([
      expect.objectContaining({
        err: {
          type: 'DatabaseError',
          message: 'new row for relation "customers" violates check constraint "ck_no_garden"',
          stack: expect.any(String),
          code: '23514',
          constraint: 'ck_no_garden',
        },
      }),
    ]);
    expect(written).not.toContain('Secret Garden');
  });
});

describe('A failover', () => {
  const READ_ONLY = 'The database is read-only: it is a standby, or was the primary until a failover.';
  const CANNOT_WRITE = { code: '25006', cause: expect.stringContaining('in a read-only transaction') };
  const name = () => new URL(database.url).pathname.slice(1);
  /** What their sessions say last is sent before they are gone. */
  async function endConnections(): Promise<void> {
    const ended = await database.query<{ pid: number }>(
      `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'api'`,
    );
    const pids = ended.map(({ pid }) => pid);
    await until(async () => {
      const left = await database.query(`SELECT FROM pg_stat_activity WHERE pid = ANY ($1::int[])`, [pids]);
      return left.length === 0;
    });
  }

  /** To the API's new connections the server is a standby: they only read. */
  async function standby(): Promise<void> {
    await database.query(`ALTER DATABASE ${name()} SET default_transaction_read_only = on`);
    await endConnections();
  }
  const primary = () => database.query(`ALTER DATABASE ${name()} RESET default_transaction_read_only`);

  it('that leads to a standby is 503 in a sentence, until there is a primary', async () => {
    const { token, login } = await account();
    const create = () => api.request('POST', '/api/Customers', { token, body: { FirstName: 'Ada' } });
    await standby();
    try {
      for (const refused of [await create(), await login()]) {
        expect(refused).toMatchObject({
          status: 503,
          body: { detail: `${READ_ONLY} Repeat the request later.` },
        });
        expect(refused.headers.get('retry-after')).toBe('5');
      }
      expect((await api.request('GET', '/api/Customers', { token })).status).toBe(200);
      expect((await api.request('GET', '/health/ready')).body).toEqual({ status: 'ready', writes: READ_ONLY });
      const { body } = await api.request('GET', '/api/Operations', { token });
      expect(body.Writes).toEqual({ Accepted: false, Refusal: READ_ONLY });
      await Promise.all(Array.from({ length: 5 }, create));
    } finally {
      await primary();
    }
    expect(written).not.toContain('$argon2');
    const requests = logged().filter(({ code }) => code === undefined);
    expect(requests.map(({ level, err }) => [level, err])).toEqual(Array(7).fill(['warn', undefined]));
    // By the first request, and by the look at the database: once each.
    expect(logged().filter(({ code }) => code !== undefined)).toMatchObject([
      { msg: 'Requests are answered 503, because the database refuses or delays them.', ...CANNOT_WRITE },
      { msg: READ_ONLY, ...CANNOT_WRITE },
    ]);
    expect((await create()).status).toBe(201);
    expect((await login()).status).toBe(200);
  });
});
