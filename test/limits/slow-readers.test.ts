import { get as open, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { hashPassword } from '#libs/records';
import { itInAllCases } from '../support/all-cases.js';
import { useApi } from '../support/api.js';
import { BOUNDS } from '../support/bounds.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';

const GRACE_MS = 4_000;

const database = useDatabase();
const api = useApi(database, {
  RATE_LIMIT_PER_SECOND: '0',
  LIST_READER_GRACE: `PT${GRACE_MS / 1_000}S`,
  MIN_LIST_BYTES_PER_SECOND: '50000',
});
const given = givenIn(database);

const opened: IncomingMessage[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.destroy();
});

const MANY = 1_000;
const PATH = '/api/Products';

/** A shop with so many products that no socket buffer holds their JSON. */
async function shop() {
  const merchant = await given.merchant();
  await database.query(
    `INSERT INTO products (site_id, title, description, image_url, image_thumb_url)
     SELECT $1, n, text, text, text FROM repeat('coffee ', 280) text, generate_series(1, ${MANY}) n`,
    [merchant.siteId],
  );
  return merchant;
}

/** A whole list whose reader reads nothing until it is asked to. */
const openList = (token: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    open(api.url + PATH, { headers: { authorization: `Basic ${token}` }, agent: false }, (stream) => {
      // The connection is reset while nobody reads.
      stream.on('error', () => undefined);
      opened.push(stream);
      resolve(stream);
    }).on('error', reject);
  });

const openLists = (count: number, token: string) => Promise.all(Array.from({ length: count }, () => openList(token)));

const statusesOf = (streams: readonly IncomingMessage[]) => streams.map(({ statusCode }) => statusCode).sort();
const repeated = (count: number, status: number) => Array<number>(count).fill(status);

/** All places of the account are free, or soon will be. */
const opensAll = (token: string) =>
  until(async () => {
    const streams = await openLists(5, token);
    for (const stream of streams) stream.destroy();
    return streams.every(({ statusCode }) => statusCode === 200);
  });

async function readWhole(token: string): Promise<number> {
  const { status, body } = await api.request('GET', PATH, { token });
  return status === 200 ? (body as object[]).length : -status;
}

/** Reads so many bytes at a time; gives all, and why it ended. */
async function readSlowly(stream: IncomingMessage, bytes: number, everyMs: number) {
  let [text, error] = ['', null as Error | null];
  stream.on('error', (lost) => (error = lost));
  let hasEnded = false;
  stream.on('end', () => (hasEnded = true)).on('close', () => (hasEnded = true));
  while (!hasEnded && error === null) {
    for (let left = bytes; left > 0;) {
      const piece = stream.read(Math.min(left, stream.readableLength || 1)) as Buffer | null;
      if (piece === null) break;
      text += piece.toString('latin1');
      left -= piece.length;
    }
    await pause(everyMs);
  }
  return { text, error: error };
}

describe('20 readers with a key each of one account that read nothing', () => {
  it('hold a quarter of the places: another account, and the account’s customers, get their lists', async () => {
    const [attacker, other] = [await shop(), await shop()];
    const customer = await given.token(attacker.userId, { customerId: await given.customer(attacker.siteId) });
    const keys = await Promise.all(Array.from({ length: 20 }, () => given.apiKey(attacker.userId, [attacker.siteId])));
    const streams = (await Promise.all(keys.map(({ value }) => openLists(1, value)))).flat();
    expect(statusesOf(streams)).toEqual([...repeated(5, 200), ...repeated(15, 503)]);
    const refused = streams.find(({ statusCode }) => statusCode === 503)!;
    expect(refused.headers['retry-after']).toBe('5');
    expect(JSON.parse((await refused.setEncoding('utf8').toArray()).join(''))).toMatchObject({
      title: 'Service Unavailable',
      detail: 'This account has 5 whole lists already: try again later, or read page by page.',
    });
    expect(await Promise.all([readWhole(other.tokenAuth), readWhole(customer)])).toEqual([MANY, MANY]);
    expect((await api.request('GET', `${PATH}?page=2`, { token: attacker.tokenAuth })).body).toHaveLength(100);
  });

  it('are cut off after the grace, also those that take a few bytes again and again, and their places are free again', async () => {
    const { tokenAuth: token } = await shop();
    const begunMs = performance.now();
    const streams = await openLists(5, token);
    const timer = setInterval(() => streams.slice(2).forEach((stream) => stream.read(500) as unknown), 50);
    expect(await readWhole(token)).toBe(-503);
    await until(async () => (await readWhole(token)) === MANY);
    expect(performance.now() - begunMs).toBeGreaterThan(GRACE_MS);
    await opensAll(token);
    clearInterval(timer);
    const ends = await Promise.all(streams.map((stream) => readSlowly(stream, Infinity, 1)));
    for (const { text, error } of ends) {
      expect(error).toMatchObject({ code: 'ECONNRESET' });
      expect(text.endsWith(']')).toBe(false);
    }
  });
});

it('Customers of an account share places of their own, of which one has 2; its Merchant tokens keep theirs', async () => {
  const { userId, siteId, tokenAuth: merchant } = await shop();
  const customers = await Promise.all([1, 2, 3].map(() => given.customer(siteId)));
  const [one, two, three] = await Promise.all(customers.map((customerId) => given.token(userId, { customerId })));
  expect(statusesOf(await openLists(4, one!))).toEqual([200, 200, 503, 503]);
  expect(statusesOf(await openLists(2, two!))).toEqual([200, 200]);
  expect(statusesOf(await openLists(2, three!))).toEqual([200, 503]);
  expect(await readWhole(merchant)).toBe(MANY);
});

describe('A reader', () => {
  itInAllCases('that pauses for less than the grace, and then takes its time, reads to the end', async () => {
    const { tokenAuth: token } = await shop();
    const stream = await openList(token);
    await pause(GRACE_MS / 2);
    const begunMs = performance.now();
    const { text, error } = await readSlowly(stream, 60_000, 60);
    expect(error).toBeNull();
    expect(JSON.parse(text)).toHaveLength(MANY);
    expect(performance.now() - begunMs).toBeGreaterThan(GRACE_MS);
  });

  it('whose connection ends gives back also the places of lists that waited behind its first', async () => {
    const { tokenAuth: token } = await shop();
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${token}\r\n\r\n`.repeat(5));
    await until(() => socket.readableLength > 0);
    await until(async () => (await readWhole(token)) === -503);
    socket.destroy();
    await opensAll(token);
  });
});

it('While lists and pages wait for the database, health, logins and single records do not wait for them', async () => {
  const { userId, siteId, tokenAuth: token } = await given.merchant();
  const [email, password] = ['waiting@shop.example', 'correct horse battery staple'];
  await database.query(`UPDATE users SET email = $2, password_hash = $3 WHERE id = $1`, [
    userId,
    email,
    await hashPassword(password),
  ]);
  const customerId = await given.customer(siteId);
  const others = await Promise.all([1, 2, 3, 4].map(() => given.merchant()));
  const runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query('LOCK TABLE products IN ACCESS EXCLUSIVE MODE');
  const lists = others.flatMap(({ tokenAuth }) => [
    ...Array.from({ length: 2 }, () => api.request('GET', PATH, { token: tokenAuth })),
    ...Array.from({ length: 25 }, () => api.request('GET', `${PATH}?page=1`, { token: tokenAuth })),
  ]);
  try {
    await until(async () => {
      const [waiting] = await database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'api' AND wait_event_type = 'Lock'`,
      );
      return waiting!.count >= 5;
    });
    const body = { Email: email, Password: password, AccessScope: 'Merchant' };
    const begunMs = performance.now();
    const answers = await Promise.all([
      api.request('GET', '/health/ready'),
      api.request('GET', `/api/Customers/${customerId}`, { token }),
      api.request('POST', '/api/AccessTokens/Login', { body }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(performance.now() - begunMs).toBeLessThan(BOUNDS.answerMs);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
  expect(new Set((await Promise.all(lists)).map(({ status }) => status))).toEqual(new Set([200]));
});
