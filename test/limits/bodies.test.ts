import { monitorEventLoopDelay } from 'node:perf_hooks';
import { useApi } from '../support/api.js';
import { measured } from '../support/bounds.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

/** What one body may hold up the event loop. */
const LONGEST_BLOCK_MS = measured(167);
const MIB = 1024 * 1024;

/** As many of `element` as 1 MiB takes. */
function filled(head: string, element: string, tail: string): string {
  const count = Math.floor((MIB - head.length - tail.length) / (element.length + 1));
  return head + Array(count).fill(element).join(',') + tail;
}

const fields = (count: number, item: number) =>
  `{${Array.from({ length: count }, (_, field) => `"f${item}_${field}":1`).join(',')}}`;

/** What brackets and commas alone can do; counted before anything is parsed. */
const MANY_VALUES = /The JSON has more than 40000 values/;

async function shop() {
  const merchant = await given.merchant();
  const customerId = await given.customer(merchant.siteId);
  const productId = await given.product(merchant.siteId);
  const token = merchant.tokenAuth;
  const customerToken = await given.token(merchant.userId, { customerId });
  const create = (body: unknown, as = token) => api.request('POST', '/api/ScheduledOrders', { token: as, body });
  return { ...merchant, token, customerToken, customerId, productId, create };
}

describe('A body of 1 MiB', () => {
  it.each([
    ['empty items', filled('{"ScheduledOrderItems":[', '{}', ']}'), MANY_VALUES],
    ['items that are numbers', filled('{"ScheduledOrderItems":[', '0', ']}'), MANY_VALUES],
    ['numbers', filled('[', '0', ']'), MANY_VALUES],
    ['arrays of arrays', filled('{"CustomerId":[', `${'['.repeat(30)}${']'.repeat(30)}`, ']}'), MANY_VALUES],
    ['one text', `{"CustomerId":"${',['.repeat(MIB / 2 - 10)}"}`, /must be an integer/],
    ['unknown fields', fields(39_000, 0), /errors lists the first 100 faults; the rest was not checked/],
    [
      'unknown fields of items',
      `{"ScheduledOrderItems":[${Array.from({ length: 500 }, (_, item) => fields(75, item)).join(',')}]}`,
      /errors lists the first 100 faults; the rest was not checked/,
    ],
  ])('of %s is refused without holding up anybody', async (_, body, detail) => {
    const { create } = await shop();
    await create('{}'); // what is loaded once is not measured
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const answered = await create(body);
    delay.disable();
    expect(answered.status).toBe(400);
    expect(answered.body.detail).toMatch(detail);
    expect(answered.body.errors.length).toBeLessThanOrEqual(100);
    expect(delay.max / 1e6).toBeLessThan(LONGEST_BLOCK_MS);
  });
});

it('lists 100 faults, and says that there are more', async () => {
  const { create, customerId } = await shop();
  const items = (count: number) => Array.from({ length: count }, () => ({ ProductId: 'coffee' }));
  const hundred = await create({ CustomerId: customerId, ScheduledOrderItems: items(100) });
  expect(hundred.body.errors).toHaveLength(100);
  expect(hundred.body.detail).toBe('100 fields of the request are wrong; errors says how.');
  const more = await create({ CustomerId: customerId, ScheduledOrderItems: items(101) });
  expect(more.body.errors).toEqual(hundred.body.errors);
  expect(more.body.detail).toBe('errors lists the first 100 faults; the rest was not checked.');
});

describe('JSON nested deeper than 32 levels', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  it.each([32, 50_000])('is 400, %i levels below an object that is kept under an Idempotency-Key', async (levels) => {
    const { token } = await shop();
    const answered = await api.request('POST', '/api/Customers', {
      token,
      headers: { 'idempotency-key': crypto.randomUUID() },
      body: `{"Id":${nested(levels)}}`,
    });
    expect(answered).toMatchObject({
      status: 400,
      body: { errors: [{ field: '', message: 'The JSON is nested deeper than 32 levels: send a flatter body.' }] },
    });
  });

  it('is counted outside of texts, and up to 32 is ignored where the service sets the field', async () => {
    const { token } = await shop();
    const body = `{"FirstName":${JSON.stringify(`\\"${'['.repeat(40)}`)},"Id":${nested(31)}}`;
    const { status } = await api.request('POST', '/api/Customers', { token, body });
    expect(status).toBe(201);
  });
});
