import { itInAllCases } from '../support/all-cases.js';
import { type Answered, type TestApi, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const one = useApi(database);
const other = useApi(database);
const unlimited = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => ({ NextOccurrenceUtc: new Date(Date.now() + hours * HOUR_MS).toISOString() });

/** A shop with a customer that has some orders. */
async function shop(orders = 1, values: Record<string, unknown> = {}) {
  const { userId, siteId, tokenAuth: merchant } = await given.merchant();
  const customerId = await given.customer(siteId);
  const ids: number[] = [];
  for (let index = 0; index < orders; index++) ids.push(await given.scheduledOrder(siteId, customerId, values));
  return { userId, siteId, merchant, customer: await given.token(userId, { customerId }), ids, id: ids[0]! };
}

const act = (api: TestApi, token: string, id: number, verb: 'Process' | 'Skip', headers = {}) =>
  api.request('POST', `/api/ScheduledOrders/${id}/${verb}`, { token, headers });
const move = (token: string, id: number, body: object) =>
  one.request('PUT', `/api/ScheduledOrders/${id}/NextOccurrenceUtc`, { token, body });

async function times(count: number, call: (index: number) => Promise<Answered>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) statuses.push((await call(index)).status);
  return statuses;
}

const all = (count: number, status: number) => Array.from({ length: count }, () => status);

/** As if an hour had passed. */
const anHourLater = () => database.query(`UPDATE limited_calls SET expires_utc = expires_utc - interval '1 hour'`);

/** As if what was called once had been called so many times. */
const multiply = (userId: number, count: number) =>
  database.query(
    `INSERT INTO limited_calls (subject, expires_utc)
     SELECT subject, expires_utc FROM limited_calls, generate_series(2, $2) WHERE subject LIKE '%:account:' || $1`,
    [userId, count],
  );

describe('Process by a Customer token', () => {
  it('works five times an hour and order, over all processes of the API together', async () => {
    const { merchant, customer, ids } = await shop(2);
    const [id, second] = ids as [number, number];
    const process = (index: number) => act(index % 2 === 0 ? one : other, customer, id, 'Process');
    expect(await times(7, process)).toEqual([...all(5, 202), 429, 429]);
    const refused = await process(0);
    expect(refused.body).toMatchObject({
      title: 'Too Many Requests',
      detail: expect.stringMatching(
        /^Process, or moving .+, of this order by Customer tokens: at most 5 an hour\. Try again in \d+ seconds\.$/,
      ),
    });
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(3_500);
    expect(seconds).toBeLessThanOrEqual(3_600);
    expect((await act(one, merchant, id, 'Process')).status).toBe(202);
    expect((await act(one, customer, second, 'Process')).status).toBe(202);
    await anHourLater();
    expect(await times(6, process)).toEqual([...all(5, 202), 429]);
  });

  it('works five times also when all calls come at once', async () => {
    const { customer, id } = await shop();
    const calls = Array.from({ length: 20 }, (_, index) => act(index % 2 === 0 ? one : other, customer, id, 'Process'));
    const statuses = (await Promise.all(calls)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...all(5, 202), ...all(15, 429)]);
  });

  it('is counted with other tokens of the same customer', async () => {
    const { userId, customer, id } = await shop();
    const { body } = await one.request('GET', `/api/ScheduledOrders/${id}`, { token: customer });
    const second = await given.token(userId, { customerId: body.CustomerId });
    expect(await times(6, (index) => act(one, index % 2 === 0 ? customer : second, id, 'Process'))).toEqual([
      ...all(5, 202),
      429,
    ]);
  });

  it('is not counted when it is refused, or answered again', async () => {
    const { merchant, customer, id } = await shop(1, { status: 'Paused' });
    expect(await times(8, () => act(one, customer, id, 'Process'))).toEqual(all(8, 409));
    await one.request('PUT', `/api/ScheduledOrders/${id}`, { token: merchant, body: { Status: 'Active' } });
    const again = () => act(one, customer, id, 'Process', { 'idempotency-key': 'again' });
    expect(await times(8, again)).toEqual(all(8, 202));
    expect(await times(5, () => act(one, customer, id, 'Process'))).toEqual([...all(4, 202), 429]);
  });

  it('is what a move to within the hour is, too', async () => {
    const { merchant, customer, id } = await shop();
    expect(await times(30, () => move(customer, id, inHours(2)))).toEqual(all(30, 200));
    expect(await times(6, (index) => move(customer, id, inHours(index % 2 === 0 ? 0.9 : -1)))).toEqual([
      ...all(5, 200),
      429,
    ]);
    expect((await act(one, customer, id, 'Process')).status).toBe(429);
    expect((await move(merchant, id, inHours(0))).status).toBe(200);
    expect((await move(customer, id, inHours(48))).status).toBe(200);
  });

  it('works sixty times an hour for all orders of a customer together, with Skip', async () => {
    const { siteId, userId, customer, ids } = await shop(13);
    const call = (index: number) =>
      act(one, customer, ids[Math.floor(index / 5)]!, index % 5 === 0 ? 'Skip' : 'Process');
    expect(await times(61, call)).toEqual([...expect60(), 429]);
    const neighbour = await given.customer(siteId);
    const order = await given.scheduledOrder(siteId, neighbour);
    const token = await given.token(userId, { customerId: neighbour });
    expect((await act(one, token, order, 'Process')).status).toBe(202);
  });

  const expect60 = () => Array.from({ length: 60 }, (_, index) => (index % 5 === 0 ? 200 : 202));
});

describe('Skip by a Customer token', () => {
  it('works twenty times an hour and order', async () => {
    const { merchant, customer, id } = await shop();
    expect(await times(21, () => act(one, customer, id, 'Skip'))).toEqual([...all(20, 200), 429]);
    expect((await act(one, merchant, id, 'Skip')).status).toBe(200);
  });
});

describe('Process and Skip by Merchant tokens', () => {
  itInAllCases('work 1,200 times a minute and account, and leave the customers theirs', async () => {
    const { userId, merchant, customer, id } = await shop();
    expect((await act(one, merchant, id, 'Process')).status).toBe(202);
    await multiply(userId, 1_199);
    expect((await act(one, merchant, id, 'Process')).status).toBe(202);
    const refused = await act(other, merchant, id, 'Process');
    expect(refused).toMatchObject({
      status: 429,
      body: { detail: expect.stringContaining('of this account: at most 1200 a minute.') },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await act(one, merchant, id, 'Skip')).status).toBe(429);
    expect((await act(one, customer, id, 'Process')).status).toBe(202);
    const stranger = await shop();
    expect((await act(one, stranger.merchant, stranger.id, 'Process')).status).toBe(202);
  });
});

describe('Verify, and changes of payment integrations', () => {
  it('work sixty times a minute and account', async () => {
    const { userId, tokenAuth: token } = await given.merchant();
    const body = { PaymentMethodType: 'GatewayOne', ApiKey1: 'sandbox_key', TestMode: true };
    const made = await one.request('POST', '/api/PaymentIntegrations', { token, body });
    const path = `/api/PaymentIntegration/${made.body.Id}`;
    const verify = () => one.request('POST', `${path}/Verify`, { token });
    await multiply(userId, 58);
    expect(await times(3, verify)).toEqual([200, 200, 429]);
    expect((await other.request('PUT', path, { token, body: { ApiKey1: 'sandbox_2' } })).status).toBe(429);
    expect((await one.request('DELETE', path, { token })).status).toBe(429);
    expect((await one.request('GET', path, { token })).body.ApiKey1).toBe('sandbox_key');
  });
});

it('RATE_LIMIT_PER_SECOND=0 switches the limits of calls off', async () => {
  const { customer, id } = await shop();
  expect(await times(8, () => act(unlimited, customer, id, 'Process'))).toEqual(all(8, 202));
});

it('Calls that no longer count are forgotten', async () => {
  const { customer, id } = await shop();
  await act(one, customer, id, 'Process');
  await anHourLater();
  const left = async () => (await database.query(`SELECT FROM limited_calls WHERE expires_utc < now()`)).length;
  while ((await left()) > 0) {
    const before = await left();
    const next = await shop();
    await act(one, next.customer, next.id, 'Process');
    expect(await left()).toBe(Math.max(0, before - 20));
  }
});
