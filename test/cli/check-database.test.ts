import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { useCli } from './run.js';

/** More than the largest piece. */
const MANY = 25_000;
const NOBODY = 999_999_999;

const cli = useCli();
const database = useDatabase();
const make = given(database);

/** A site with a scheduled order, and an Order of its first cycle. */
let shop: {
  siteId: number;
  customerId: number;
  productId: number;
  scheduledOrderId: number;
  orderId: number;
  itemId: number;
};

beforeAll(async () => {
  const { siteId } = await make.merchant();
  const [customerId, productId] = [await make.customer(siteId), await make.product(siteId)];
  const scheduledOrderId = await make.scheduledOrder(siteId, customerId);
  await make.item(siteId, scheduledOrderId, productId);
  const orderId = await make.order(siteId, customerId, { scheduledOrderId, cycle: 1 });
  const itemId = await make.insert('order_items', { siteId, orderId, productId });
  await database.query(
    `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, order_id)
     SELECT $1, $2, cycle, 'Completed', false, now(), $3 FROM generate_series(1, $4::int) cycle`,
    [siteId, scheduledOrderId, orderId, MANY],
  );
  await make.insert('gateway_customers', { customerId, type: 'GatewayOne', gatewayCustomerId: 'cus_1' });
  shop = { siteId, customerId, productId, scheduledOrderId, orderId, itemId };
});

async function check() {
  const { code, stdout, stderr } = await cli(['check:database'], { env: { DATABASE_URL: database.url } });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { code, stderr, summary: lines.at(-1)!, missing: lines.slice(0, -1) };
}

it('finds nothing where every reference leads somewhere, and says what it has read', async () => {
  const { code, stderr, summary, missing } = await check();
  expect([code, stderr, missing]).toEqual([0, '', []]);
  expect(summary).toMatchObject({
    Missing: 0,
    Rows: { orders: 1, order_items: 1, processing_cycles: MANY, scheduled_orders: 1, gateway_customers: 1 },
  });
});

describe('A reference that the database does not check', () => {
  it.each([
    ['orders', 'site_id', 'sites', () => ({ id: shop.orderId })],
    ['orders', 'customer_id', 'customers', () => ({ id: shop.orderId })],
    ['orders', 'scheduled_order_id', 'scheduled_orders', () => ({ id: shop.orderId })],
    ['order_items', 'order_id', 'orders', () => ({ order_id: NOBODY, id: shop.itemId })],
    ['order_items', 'product_id', 'products', () => ({ order_id: shop.orderId, id: shop.itemId })],
  ] as const)('of %s (%s) to %s is found when it is broken', async (table, column, RefersTo, key) => {
    const Key = key();
    const [before] = await database.query<Record<string, string>>(`SELECT ${column} AS value FROM ${table}`);
    await database.query(`UPDATE ${table} SET ${column} = $1`, [NOBODY]);
    const { code, stderr, summary, missing } = await check();
    await database.query(`UPDATE ${table} SET ${column} = $1`, [before!.value]);
    expect([code, summary.Missing]).toEqual([1, 1]);
    expect(stderr).toMatch(/^1 reference leads to rows that do not exist: docs\/operations\.md says what to do .+\n$/);
    expect(missing).toEqual([{ Table: table, Key, Column: column, RefersTo, Id: NOBODY }]);
    // By any other order than that of the index every piece would read the whole table.
    expect(Object.keys(missing[0]!.Key as object)).toEqual(Object.keys(Key));
  });

  it('is found in every piece of a table, also in its last row', async () => {
    await database.query(`UPDATE processing_cycles SET scheduled_order_id = $1 WHERE cycle IN (7, 12345, ${MANY})`, [
      NOBODY,
    ]);
    const { code, summary, missing } = await check();
    await database.query(`UPDATE processing_cycles SET scheduled_order_id = $1 WHERE scheduled_order_id = $2`, [
      shop.scheduledOrderId,
      NOBODY,
    ]);
    expect([code, summary.Missing]).toEqual([1, 3]);
    expect(missing.map(({ Table, Key }) => ({ Table, Key }))).toEqual(
      [7, 12_345, MANY].map((cycle) => ({ Table: 'processing_cycles', Key: { scheduled_order_id: NOBODY, cycle } })),
    );
  });
});

it('finds what the database checks as well, when it was written past the checks, as by a replica', async () => {
  await database.dataSource.transaction(async (tx) => {
    await tx.query(`SET LOCAL session_replication_role = replica`);
    await tx.query(`UPDATE gateway_customers SET customer_id = $1`, [NOBODY]);
  });
  const { code, missing } = await check();
  expect(code).toBe(1);
  expect(missing).toEqual([
    {
      Table: 'gateway_customers',
      Key: { customer_id: NOBODY, type: 'GatewayOne', gateway_customer_id: 'cus_1' },
      Column: 'customer_id',
      RefersTo: 'customers',
      Id: NOBODY,
    },
  ]);
});

it('lists no more than a thousand, and counts them all', async () => {
  await database.query(`UPDATE processing_cycles SET scheduled_order_id = $1`, [NOBODY]);
  const { summary, missing } = await check();
  expect(missing).toHaveLength(1_000);
  expect(summary.Missing).toBe(MANY + 1);
});
