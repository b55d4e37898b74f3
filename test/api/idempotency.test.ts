import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const post = (token: string, body: unknown, key: string, path = '/api/Customers') =>
  api.request('POST', path, { token, body, headers: { 'idempotency-key': key } });

const customersOf = async (siteId: number) => {
  const rows = await database.query<{ id: string }>(`SELECT id FROM customers WHERE site_id = $1 ORDER BY id`, [
    siteId,
  ]);
  return rows.map(({ id }) => Number(id));
};

const blocked = () =>
  database
    .query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'api' AND wait_event_type = 'Lock'`,
    )
    .then(([row]) => row?.pid);

/** Whoever wants to insert a customer waits until `work` is done. */
async function whileNobodyInserts<T>(work: () => Promise<T>): Promise<T> {
  const runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.query(`LOCK TABLE customers IN EXCLUSIVE MODE`);
    return await work();
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

describe('Idempotency-Key', () => {
  it('gives the first answer again for the same key and body, and does nothing twice', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const first = await post(token, { FirstName: 'Ada' }, 'k-1');
    const again = await post(token, { FirstName: 'Ada' }, 'k-1');
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(await customersOf(siteId)).toEqual([first.body.Id]);
  });

  it('refuses the key with another body', async () => {
    const { tokenAuth: token } = await given.merchant();
    await post(token, { FirstName: 'Ada' }, 'k-2');
    const other = await post(token, { FirstName: 'Bob' }, 'k-2');
    expect(other).toMatchObject({
      status: 422,
      body: { title: 'Unprocessable Entity', type: '/docs/errors#unprocessable-entity' },
    });
  });

  it('keeps no refusals', async () => {
    const { tokenAuth: token } = await given.merchant();
    expect((await post(token, { FirstName: 1 }, 'k-3')).status).toBe(400);
    expect((await post(token, { FirstName: 'Ada' }, 'k-3')).status).toBe(201);
  });

  it('is one key per route', async () => {
    const { tokenAuth: token } = await given.merchant();
    const customer = await post(token, {}, 'k-4');
    const product = await post(token, {}, 'k-4', '/api/Products');
    const again = await post(token, {}, 'k-4', '/api/customers');
    expect([customer.status, product.status, again.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true']);
    expect(Object.keys(product.body)).toContain('Sku');
  });

  it('is never shared: accounts, customers of one account, and account and customer', async () => {
    const { tokenAuth, userId, siteId } = await given.merchant();
    const customers = [await given.customer(siteId), await given.customer(siteId)];
    const tokens = [
      tokenAuth,
      ...(await Promise.all(customers.map((customerId) => given.token(userId, { customerId })))),
    ];
    const CustomerId = customers[0];
    const answers = [await post(tokens[0]!, { CustomerId }, 'same', '/api/ScheduledOrders')];
    for (const token of tokens.slice(1)) answers.push(await post(token, {}, 'same', '/api/ScheduledOrders'));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.Id as number)).size).toBe(3);
    const refreshed = await given.token(userId, { customerId: customers[0] });
    const again = await post(refreshed, {}, 'same', '/api/ScheduledOrders');
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', answers[1]!.body]);
  });

  it('makes one record of two requests at once; the other is told to wait', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const [first, second] = await whileNobodyInserts(async () => {
      const working = post(token, {}, 'k-5');
      await until(blocked);
      const refused = await post(token, {}, 'k-5');
      return [working, refused] as const;
    }).then(async ([working, refused]) => [await working, refused] as const);
    expect([first.status, second.status]).toEqual([201, 409]);
    expect(await customersOf(siteId)).toEqual([first.body.Id]);
  });

  it('makes one record of many requests at once', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(token, {}, 'k-6')));
    const created = answers.filter(({ status }) => status === 201);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(created.length).toBeGreaterThan(0);
    expect(await customersOf(siteId)).toEqual([created[0]!.body.Id]);
  });

  it('leaves nothing behind when the first request dies in the middle', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const first = await whileNobodyInserts(async () => {
      const working = post(token, {}, 'k-7');
      await database.query(`SELECT pg_terminate_backend($1)`, [await until(blocked)]);
      return working;
    });
    expect(first.status).toBe(503);
    expect(await customersOf(siteId)).toEqual([]);
    const again = await post(token, {}, 'k-7');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect(await customersOf(siteId)).toEqual([again.body.Id]);
  });

  it('is kept encrypted, for 24 hours, and let go of afterwards', async () => {
    const { tokenAuth: token } = await given.merchant();
    const first = await post(token, { FirstName: 'Ada' }, 'k-8');
    const stored = await database.query<{ body: string }>(`SELECT body FROM idempotency_keys WHERE key = 'k-8'`);
    expect(stored).toEqual([{ body: expect.stringMatching(/^v1\./) }]);
    await database.query(
      `UPDATE idempotency_keys SET created_utc = created_utc - interval '24 hours' WHERE key = 'k-8'`,
    );
    const later = await post(token, { FirstName: 'Bob' }, 'k-8');
    expect([later.status, later.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect(later.body.Id).not.toBe(first.body.Id);
    await database.query(`UPDATE idempotency_keys SET created_utc = created_utc - interval '24 hours'`);
    await database.query(`DELETE FROM idempotency_keys WHERE key <> 'k-8'`);
    await post(token, {}, 'k-9');
    expect(await database.query(`SELECT key FROM idempotency_keys WHERE key = 'k-8'`)).toEqual([]);
  });

  it.each(['', 'x'.repeat(256)])('refuses a key of a wrong length', async (key) => {
    const { tokenAuth: token } = await given.merchant();
    const { status, body } = await post(token, {}, key);
    const message = `must have 1 to 255 characters; it has ${key.length}.`;
    expect([status, body.errors]).toEqual([400, [{ field: 'Idempotency-Key', message }]]);
  });

  it('takes 255 characters', async () => {
    const { tokenAuth: token } = await given.merchant();
    expect((await post(token, {}, 'x'.repeat(255))).status).toBe(201);
  });
});
