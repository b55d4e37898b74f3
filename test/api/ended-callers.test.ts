import { get as open, type IncomingMessage } from 'node:http';
import { hashPassword } from '#libs/records';
import { Standing } from '../../apps/api/src/http/standing.js';
import { useApi } from '../support/api.js';
import { sessionHeaders } from '../support/api/session.js';
import { useDatabase } from '../support/database.js';
import { keepEvents } from '../support/events/events.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const api = useApi(database, { LIST_READER_GRACE: 'PT10M' });
const given = givenIn(database);

type Headers = Record<string, string>;
const basic = (token: string) => ({ authorization: `Basic ${token}` });
const PASSWORD = 'a long password';

const opened: IncomingMessage[] = [];
afterAll(() => {
  for (const stream of opened) stream.destroy();
});

/** A whole list that nobody reads yet; no socket buffer holds it. */
const openList = (headers: Headers, accept = 'application/json') =>
  new Promise<IncomingMessage>((resolve, reject) => {
    open(`${api.url}/api/Products`, { headers: { ...headers, accept }, agent: false }, (stream) => {
      opened.push(stream);
      resolve(stream);
    }).on('error', reject);
  });

/** Reads what is left of it. @returns whether it came to its end. */
const isWhole = (stream: IncomingMessage) =>
  new Promise<boolean>((resolve) => {
    stream.on('error', () => undefined).on('close', () => resolve(stream.complete));
    stream.resume();
  });

async function shop() {
  const email = 'owner@shop.example';
  const userId = await given.user({ email, passwordHash: await hashPassword(PASSWORD) });
  const [siteId, tokenAuth] = [await given.site(userId), await given.token(userId)];
  await keepEvents(database, siteId);
  await database.query(
    `INSERT INTO products (site_id, title, description, image_url, image_thumb_url)
     SELECT $1, n, text, text, text FROM repeat('coffee ', 280) text, generate_series(1, 1500) n`,
    [siteId],
  );
  const due = await given.scheduledOrder(siteId, await given.customer(siteId));
  await database.query(`UPDATE scheduled_orders SET next_occurrence_utc = '2040-01-01' WHERE id = $1`, [due]);
  return { userId, siteId, tokenAuth, email };
}

it('A caller who ends gets no further piece of what it reads, and waits no longer', async () => {
  const { tokenAuth: token, siteId, userId, email } = await shop();
  const body = { Name: 'reader', SiteIds: [siteId], Access: 'Read' };
  const { Id, Value } = (await api.request('POST', '/api/ApiKeys', { token, body })).body as {
    Id: number;
    Value: string;
  };
  const session = await sessionHeaders(api, { Email: email, Password: PASSWORD });
  const customerId = await given.customer(siteId);
  const ofCustomer = basic(await given.token(userId, { customerId }));
  const callers: [string, Headers, string?][] = [
    ['a key', basic(Value)],
    ['a key, as a table', basic(Value), 'text/csv'],
    ['a session', session],
    ['a customer', ofCustomer],
    ['the owner', basic(token)],
  ];
  const streams = await Promise.all(callers.map(([, headers, accept]) => openList(headers, accept)));
  expect(streams.map(({ statusCode }) => statusCode)).toEqual(callers.map(() => 200));

  const runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query(`LOCK TABLE orders IN ACCESS EXCLUSIVE MODE`);
  const calendar = api.request('GET', `/api/Site/${siteId}/Calendar?From=2040-01-01&To=2040-01-02`, { token: Value });
  const blocked = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%FROM orders w%'`;
  await until(async () => (await database.query(blocked)).length > 0);

  const leave = new AbortController();
  const poll = async (headers: Headers) => {
    const answer = await fetch(`${api.url}/api/Events?WaitSeconds=25`, { headers, signal: leave.signal });
    return [answer.status, ((await answer.json()) as { detail?: string }).detail];
  };
  const watch = jest.spyOn(Standing.prototype, 'watch');
  const ofOwner = poll(basic(token)).catch(() => 'left');
  const polls = [poll(basic(Value)), poll(session)];
  await until(() => watch.mock.calls.length === 3);

  expect((await api.request('DELETE', `/api/ApiKey/${Id}`, { token })).status).toBe(204);
  expect((await api.request('DELETE', '/api/Session', { headers: session })).status).toBe(204);
  expect((await api.request('DELETE', `/api/Customers/${customerId}`, { token })).status).toBe(204);
  const ended = 'The token, session or API key has ended while the answer was made: log in again, or make a new key.';
  // Long before the owner's poll, which began earlier.
  expect(await Promise.race([ofOwner, Promise.all(polls)])).toEqual([
    [401, ended],
    [401, ended],
  ]);
  leave.abort();
  expect(await ofOwner).toBe('left');

  await runner.rollbackTransaction();
  await runner.release();
  expect(await calendar).toMatchObject({ status: 401, body: { detail: ended } });
  const whole = await Promise.all(streams.map(isWhole));
  expect(callers.map(([name], place) => [name, whole[place]])).toEqual(
    callers.map(([name]) => [name, name === 'the owner']),
  );
});
