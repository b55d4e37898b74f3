import { get as open, type IncomingMessage } from 'node:http';
import type { InTurn } from '#libs/records';
import { ScheduledOrdersService } from '../../apps/api/src/scheduled-orders/scheduled-orders.service.js';
import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const api = useApi(database, { MAX_LIST_STREAMS: '8' });
const given = givenIn(database);

const MANY = 6_000;

/** So many customers' orders that no socket buffer holds their JSON. */
async function manyOrders() {
  const { tokenAuth: token, siteId } = await given.merchant();
  const customerId = await given.customer(siteId);
  await database.query(
    `INSERT INTO scheduled_orders (site_id, customer_id, status, currency_iso, schedule_anchor_utc, shipping_street1, payment_method_description)
     SELECT $1, $2, 'Pending', 'USD', now(), repeat('s', 255), repeat('é', 255) FROM generate_series(1, ${MANY})`,
    [siteId, customerId],
  );
  return { token, siteId };
}

/** Those of one shop, for all tests that only read them. */
let read: ReturnType<typeof manyOrders> | undefined;
const sameOrders = () => (read ??= manyOrders());

/** A whole list whose reader reads nothing until it is asked to. */
async function openStream(token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Basic ${token}` };
    open(`${api.url}/api/ScheduledOrders`, { headers, agent: false }, resolve).on('error', reject);
  });
}

async function readAll(stream: IncomingMessage): Promise<{ text: string; error: Error | null }> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of stream) pieces.push(piece as Buffer);
    return { text: Buffer.concat(pieces).toString(), error: null };
  } catch (error) {
    return { text: Buffer.concat(pieces).toString(), error: error as Error };
  }
}

const activity = () =>
  database.query<{ state: string; snapshot: string | null }>(
    `SELECT state, backend_xmin::text AS snapshot FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'api' AND (state <> 'idle' OR backend_xmin IS NOT NULL)`,
  );

describe('A whole list', () => {
  it('is a JSON array of everything, by Id, in pieces', async () => {
    const { token } = await sameOrders();
    const stream = await openStream(token);
    expect(stream.statusCode).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'transfer-encoding': 'chunked',
    });
    const { text } = await readAll(stream);
    const ids = (JSON.parse(text) as { Id: number }[]).map(({ Id }) => Id);
    expect(ids).toHaveLength(MANY);
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
  });

  it.each(ALL_CASES ? [0, 1, 49, 50, 51, 549, 550, 551] : [0, 50, 51, 551])('of %i records is whole', async (count) => {
    const { tokenAuth: token, siteId } = await given.merchant();
    await database.query(`INSERT INTO products (site_id, title) SELECT $1, n FROM generate_series(1, $2::int) n`, [
      siteId,
      count,
    ]);
    const { body } = await api.request('GET', '/api/Products', { token });
    expect((body as { Title: string }[]).map(({ Title }) => Number(Title))).toEqual(
      Array.from({ length: count }, (_, index) => index + 1),
    );
  });

  itInAllCases('of 2,000 sites is whole, by Id, and reads no key twice', async () => {
    const { tokenAuth: token, userId, siteId } = await given.merchant();
    const { siteId: othersSite } = await given.merchant();
    await database.query(
      `INSERT INTO sites (user_id, name, type, email) SELECT $1, 'Shop ' || n, 'Custom', 'a@b.example' FROM generate_series(1, 1999) n`,
      [userId],
    );
    // Ids go round the sites; among them are those of another account, and a wide gap.
    await database.query(
      `INSERT INTO products (site_id, title) SELECT CASE WHEN n % 7 = 0 THEN $2 ELSE s.ids[1 + n % 2000] END, n
       FROM generate_series(1, 6000) n, (SELECT array_agg(id ORDER BY id) AS ids FROM sites WHERE user_id = $1) s`,
      [userId, othersSite],
    );
    await database.query(
      `SELECT setval(pg_get_serial_sequence('products', 'id'), (SELECT max(id) FROM products) + 10000000)`,
    );
    await database.query(`INSERT INTO products (site_id, title) SELECT $1, n FROM generate_series(6001, 6700) n`, [
      siteId,
    ]);
    const { body } = await api.request('GET', '/api/Products', { token });
    const titles = (body as { Title: string }[]).map(({ Title }) => Number(Title));
    expect(titles).toEqual(
      Array.from({ length: 6_700 }, (_, index) => index + 1).filter((n) => n > 6_000 || n % 7 !== 0),
    );
  });

  it('has every record that is there throughout once, whatever is made and deleted in the meantime', async () => {
    const { token, siteId } = await manyOrders();
    const customerId = await given.customer(siteId);
    const before = await database.query<{ id: string }>(
      `SELECT id FROM scheduled_orders WHERE site_id = $1 ORDER BY id`,
      [siteId],
    );
    const stream = await openStream(token);
    await until(async () => (await activity()).length === 0);
    await database.query(`UPDATE scheduled_orders SET deleted_utc = now() WHERE site_id = $1 AND id % 3 = 0`, [siteId]);
    await database.query(
      `INSERT INTO scheduled_orders (site_id, customer_id, status, currency_iso, schedule_anchor_utc)
       SELECT $1, $2, 'Pending', 'USD', now() FROM generate_series(1, 1000)`,
      [siteId, customerId],
    );
    const { text, error } = await readAll(stream);
    expect(error).toBeNull();
    const ids = (JSON.parse(text) as { Id: number }[]).map(({ Id }) => Id);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
    const kept = before.map(({ id }) => Number(id)).filter((id) => id % 3 !== 0);
    const found = new Set(ids);
    expect(kept.filter((id) => !found.has(id))).toEqual([]);
    // Those deleted before their piece was read are left out: nearly all, as nobody had read anything.
    expect(ids.length).toBeLessThan(kept.length + 1_500);
  });

  it('is whole when all records of a piece, or those that were to be sent alone, are deleted before it is read', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const customerId = await given.customer(siteId);
    const productId = await given.product(siteId);
    await database.query(
      `INSERT INTO scheduled_orders (site_id, customer_id, status, currency_iso, schedule_anchor_utc)
       SELECT $1, $2, 'Pending', 'USD', now() FROM generate_series(1, 700)`,
      [siteId, customerId],
    );
    const rows = await database.query<{ id: string }>(
      `SELECT id FROM scheduled_orders WHERE site_id = $1 ORDER BY id`,
      [siteId],
    );
    const ids = rows.map(({ id }) => Number(id));
    const large = [ids[10], ids[60], ids[599]];
    await database.query(
      `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
       SELECT $1, o, $2, 1, 1 FROM unnest($3::bigint[]) o, generate_series(1, 600)`,
      [siteId, productId, large],
    );
    const whole = await api.request('GET', '/api/ScheduledOrders', { token });
    expect((whole.body as { Id: number }[]).map(({ Id }) => Id)).toEqual(ids);

    const caller = {
      userId: 0,
      tokenId: 0,
      scope: 'Merchant',
      customerId: null,
      keyAccess: null,
      reach: [null, null, siteId, null],
      isSession: false,
      isConfirmed: true,
    } as const;
    let text = '';
    let statements = 0;
    const remove = (gone: number[]) =>
      database.query(`UPDATE scheduled_orders SET deleted_utc = now() WHERE id = ANY ($1)`, [gone]);
    // The second statement reads the first piece, of 50; large records go between the statement that finds them and
    // their first piece.
    const inTurn: InTurn = async (work) => {
      if (++statements === 2) await remove(ids.slice(0, 50));
      const found = await work();
      const { alone = null } = (found ?? {}) as { alone?: number | null };
      if (alone !== null) await remove([alone]);
      return found;
    };
    const list = api.app.get(ScheduledOrdersService, { strict: false }).list(caller);
    for await (const piece of list.chunks(inTurn)) text += piece.toString();
    expect((JSON.parse(text) as { Id: number }[]).map(({ Id }) => Id)).toEqual(
      ids.slice(50).filter((id) => !large.includes(id)),
    );
  });

  it('takes few orders at once where they have many items', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const customerId = await given.customer(siteId);
    const productId = await given.product(siteId);
    const sizes = [0, 3, 600, 600, 0, 600, 1];
    const ids: number[] = [];
    for (const items of sizes) {
      const id = await given.scheduledOrder(siteId, customerId);
      ids.push(id);
      await database.query(
        `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
         SELECT $1, $2, $3, 1, 1 FROM generate_series(1, $4::int)`,
        [siteId, id, productId, items],
      );
    }
    const caller = {
      userId: 0,
      tokenId: 0,
      scope: 'Merchant',
      customerId: null,
      keyAccess: null,
      reach: [null, null, siteId, null],
      isSession: false,
      isConfirmed: true,
    } as const;
    const pieces: string[] = [];
    for await (const piece of api.app
      .get(ScheduledOrdersService, { strict: false })
      .list(caller)
      .chunks((work) => work()))
      pieces.push(piece.toString());
    const rowsInside = pieces.map((piece) => piece.split('"ScheduledOrderId":').length - 1);
    expect(Math.max(...rowsInside)).toBe(250);
    const { body } = await api.request('GET', '/api/ScheduledOrders', { token });
    const read = body as { Id: number; ScheduledOrderItems: object[] }[];
    expect(read.map(({ Id, ScheduledOrderItems }) => [Id, ScheduledOrderItems.length])).toEqual(
      ids.map((id, index) => [id, sizes[index]]),
    );
  });

  itInAllCases('holds neither a connection nor a snapshot while its reader does not read', async () => {
    const { token } = await sameOrders();
    const stream = await openStream(token);
    await until(async () => (await activity()).length === 0);
    const { text } = await readAll(stream);
    expect(JSON.parse(text)).toHaveLength(MANY);
  });

  it('is 503 with Retry-After when too many are read at once; a reader that goes away makes room', async () => {
    const { token } = await sameOrders();
    const streams = [await openStream(token), await openStream(token)];
    const refused = await api.request('GET', '/api/ScheduledOrders', { token });
    expect(refused).toMatchObject({ status: 503, body: { title: 'Service Unavailable' } });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect((await api.request('GET', '/api/ScheduledOrders?page=1', { token })).status).toBe(200);
    for (const stream of streams) stream.destroy();
    const { body } = await until(async () => {
      const answered = await api.request('GET', '/api/ScheduledOrders', { token });
      return answered.status === 200 && answered;
    });
    expect(body).toHaveLength(MANY);
  });

  it('resets the connection when it fails in the middle, and never writes the closing bracket', async () => {
    const { token } = await sameOrders();
    const stream = await openStream(token);
    await until(async () => (await activity()).length === 0);
    await database.query(`ALTER TABLE products RENAME TO elsewhere`);
    const { text, error } = await readAll(stream);
    await database.query(`ALTER TABLE elsewhere RENAME TO products`);
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    expect(text.startsWith('[')).toBe(true);
    expect(text.endsWith(']')).toBe(false);
    await until(async () => (await api.request('GET', '/api/ScheduledOrders', { token })).status === 200);
  });

  it('that fails before its first byte is an error answer', async () => {
    const { tokenAuth: token } = await given.merchant();
    await database.query(`ALTER TABLE scheduled_orders RENAME TO elsewhere`);
    const answered = await api.request('GET', '/api/ScheduledOrders', { token });
    await database.query(`ALTER TABLE elsewhere RENAME TO scheduled_orders`);
    expect(answered).toMatchObject({ status: 500, body: { title: 'Internal Server Error', status: 500 } });
    expect(JSON.stringify(answered.body)).not.toMatch(/scheduled_orders|relation|SELECT/);
  });

  itInAllCases('has no body for HEAD', async () => {
    const { token } = await sameOrders();
    for (let round = 0; round < 3; round++) {
      const { status, body } = await api.request('HEAD', '/api/ScheduledOrders', { token });
      expect([status, body]).toEqual([200, '']);
    }
  });
});
