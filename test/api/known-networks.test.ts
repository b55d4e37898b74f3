import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn, quickHash } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const api = useApi(database, { TRUST_PROXY: 'loopback' });
const given = givenIn(database);

const PASSWORD = 'correct horse battery staple';
let passwordHash: string;
beforeAll(async () => {
  passwordHash = await quickHash(PASSWORD);
});

let sequence = 0;
const newAddress = () => `10.1.${Math.floor(++sequence / 250)}.${sequence % 250}`;

async function account() {
  const email = `known${++sequence}@shop.example`;
  const userId = await given.user({ email, passwordHash });
  return { email, userId };
}

const login = (email: string, ip: string, password = PASSWORD) =>
  api.request('POST', '/api/AccessTokens/Login', {
    body: { Email: email, Password: password, AccessScope: 'Merchant' },
    headers: { 'x-forwarded-for': ip },
  });
const guess = (email: string, ip: string) => login(email, ip, 'wrong');

async function lock(email: string): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 10 }, () => guess(email, newAddress())));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(400));
}

/** So that the next try at a locked account need not wait for its turn. */
const tenSecondsLater = () =>
  database.query(
    `UPDATE login_attempts SET attempted_utc = attempted_utc - interval '10 seconds' WHERE subject LIKE 'locked:%'`,
  );

const retryAfter = ({ headers }: { headers: Headers }) => Number(headers.get('retry-after'));
/** For 15 minutes, of which no more have passed than since then. */
function expectLockedSince(sinceMs: number, waitSeconds: number): void {
  expect(waitSeconds).toBeGreaterThanOrEqual(899 - Math.ceil((Date.now() - sinceMs) / 1_000));
  expect(waitSeconds).toBeLessThanOrEqual(900);
}
const accountSubject = `'account:' || encode(sha256(convert_to($1, 'UTF8')), 'hex')`;

describe('A locked account', () => {
  it('lets the right password pass from an address that has logged in, once in 10 seconds', async () => {
    const { email } = await account();
    const [home, elsewhere] = [newAddress(), newAddress()];
    expect((await login(email, home)).status).toBe(200);
    const sinceMs = Date.now();
    await lock(email);
    const locked = await login(email, elsewhere);
    expect(locked.status).toBe(429);
    expectLockedSince(sinceMs, retryAfter(locked));
    const passed = await login(email, home);
    expect(passed.status).toBe(200);
    expect((await api.request('GET', '/api/Products', { token: passed.body.TokenAuth })).status).toBe(200);
    const tooSoon = await login(email, home);
    expect(tooSoon.status).toBe(429);
    expect(retryAfter(tooSoon)).toBeGreaterThan(0);
    expect(retryAfter(tooSoon)).toBeLessThanOrEqual(10);
    await tenSecondsLater();
    expect((await login(email, home)).status).toBe(200);
    expect((await login(email, elsewhere)).status).toBe(429);
  });

  it('knows a /64 of IPv6, and an address for 30 days after its last login', async () => {
    const { email, userId } = await account();
    expect((await login(email, '2001:db8:1:2::1')).status).toBe(200);
    await lock(email);
    expect((await login(email, '2001:db8:1:2:ffff::9')).status).toBe(200);
    expect((await login(email, '2001:db8:1:3::1')).status).toBe(429);
    const daysAgo = (days: number) =>
      database.query(`UPDATE known_networks SET last_login_utc = now() - $2 * interval '1 day' WHERE user_id = $1`, [
        userId,
        days,
      ]);
    await daysAgo(29);
    await tenSecondsLater();
    expect((await login(email, '2001:db8:1:2::7')).status).toBe(200);
    await daysAgo(31);
    await tenSecondsLater();
    expect((await login(email, '2001:db8:1:2::7')).status).toBe(429);
  });

  it('answers a wrong password from a known address, the right one from another, and an unknown account alike', async () => {
    const { email } = await account();
    const home = newAddress();
    await login(email, home);
    const nobody = `nobody${++sequence}@shop.example`;
    const sinceMs = Date.now();
    await Promise.all([lock(email), lock(nobody)]);
    const tries = [() => guess(email, home), () => login(email, newAddress()), () => guess(nobody, home)];
    const shown = async (request: () => ReturnType<typeof login>) => {
      const { status, body, headers } = await request();
      expectLockedSince(sinceMs, retryAfter({ headers }));
      return { status, body: { ...body, instance: '' } };
    };
    const [first, ...others] = [await shown(tries[0]!), await shown(tries[1]!), await shown(tries[2]!)];
    expect(first).toMatchObject({ status: 429, body: { title: 'Too Many Requests' } });
    expect(others).toEqual([first, first]);
    // The next ones come too soon, also alike.
    const [again, unknownAgain] = [await guess(email, home), await guess(nobody, home)];
    expect(unknownAgain.body.detail).toBe(again.body.detail);
    for (const tooSoon of [again, unknownAgain]) expect(retryAfter(tooSoon)).toBeLessThanOrEqual(10);
  });

  it('costs a caller the same time, whoever it is', async () => {
    const { email } = await account();
    const nobody = `nobody${++sequence}@shop.example`;
    const took = async (request: () => Promise<unknown>) => {
      // Of the processor: what else the machine does is none of it.
      const begun = process.cpuUsage();
      await request();
      const { user, system } = process.cpuUsage(begun);
      return user + system;
    };
    await lock(email);
    const [unlocked, locked] = [[] as number[], [] as number[]];
    for (let round = 0; round < 5; round++) {
      unlocked.push(await took(() => guess(nobody, newAddress())));
      locked.push(await took(() => guess(email, newAddress())));
    }
    expect(Math.min(...locked)).toBeGreaterThan(Math.min(...unlocked) / 2);
  });

  it('is free again after 15 minutes: tries at it in the meantime do not prolong that', async () => {
    const { email } = await account();
    await lock(email);
    await database.query(
      `UPDATE login_attempts SET attempted_utc = attempted_utc - interval '14 minutes' WHERE subject = ${accountSubject}`,
      [email],
    );
    expect((await guess(email, newAddress())).status).toBe(429);
    await database.query(
      `UPDATE login_attempts SET attempted_utc = attempted_utc - interval '61 seconds' WHERE subject = ${accountSubject}`,
      [email],
    );
    expect((await login(email, newAddress())).status).toBe(200);
  });
});

it('An address with 100 failures logs in to no account, known there or not', async () => {
  const { email } = await account();
  const home = newAddress();
  expect((await login(email, home)).status).toBe(200);
  await database.query(`INSERT INTO login_attempts (subject) SELECT $1 FROM generate_series(1, 100)`, [
    `address:${home}`,
  ]);
  expect((await login(email, home)).status).toBe(429);
});

describe('Known networks', () => {
  it('are kept as hashes, of each account another, and the 50 newest of an account', async () => {
    const [one, other] = [await account(), await account()];
    const home = newAddress();
    await login(one.email, home);
    await login(other.email, home);
    await login(one.email, home);
    const hashes = await database.query<{ hash: string }>(
      `SELECT encode(network_hash, 'hex') AS hash FROM known_networks WHERE user_id = ANY ($1::bigint[])`,
      [[one.userId, other.userId]],
    );
    expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(2);
    for (const { hash } of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/);
    await database.query(
      `INSERT INTO known_networks (user_id, network_hash, last_login_utc)
       SELECT $1, sha256(n::text::bytea), now() - n * interval '1 hour' FROM generate_series(1, 70) n`,
      [one.userId],
    );
    await login(one.email, newAddress());
    const [left] = await database.query(
      `SELECT count(*)::int AS count, max(now() - last_login_utc) < interval '49 hours' AS newest FROM known_networks WHERE user_id = $1`,
      [one.userId],
    );
    expect(left).toEqual({ count: 50, newest: true });
  });

  it('are not made by a login that fails', async () => {
    const { email, userId } = await account();
    await guess(email, newAddress());
    expect(await database.query(`SELECT FROM known_networks WHERE user_id = $1`, [userId])).toEqual([]);
  });
});

describe('A login that is being checked', () => {
  const given10 = (email: string, seconds: number) =>
    database.query(
      `INSERT INTO login_attempts (subject, checking_until_utc)
       SELECT ${accountSubject}, now() + $2 * interval '1 second' FROM generate_series(1, 10)`,
      [email, seconds],
    );

  it('is not a failure: others wait for it, and succeed', async () => {
    const { email } = await account();
    await given10(email, 60);
    const [{ begun }] = (await database.query<{ begun: Date }>(`SELECT now() AS begun`)) as [{ begun: Date }];
    let isAnswered = false;
    const answering = login(email, newAddress()).finally(() => (isAnswered = true));
    const looks = new Set<string>();
    await until(async () => {
      const sent = `SELECT query_start::text AS at FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'api' AND query_start > $1`;
      for (const { at } of await database.query<{ at: string }>(sent, [begun])) looks.add(at);
      return looks.size > 10;
    });
    expect(isAnswered).toBe(false);
    await database.query(`DELETE FROM login_attempts WHERE subject = ${accountSubject}`, [email]);
    expect((await answering).status).toBe(200);
  });

  it('counts as failed when its process has died', async () => {
    const { email } = await account();
    await given10(email, -1);
    expect((await login(email, newAddress())).status).toBe(429);
  });
});

it('60 right logins at once from one address all succeed', async () => {
  const accounts = [await account(), await account()];
  const home = newAddress();
  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => login(accounts[index % 2]!.email, home)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const [left] = await database.query(`SELECT count(*)::int AS count FROM login_attempts WHERE subject = $1`, [
    `address:${home}`,
  ]);
  expect(left).toEqual({ count: 0 });
});
