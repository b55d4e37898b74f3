import { hashPassword } from '#libs/records';
import type { TestApi } from '../../support/api.js';
import type { TestDatabase } from '../../support/database.js';
import { given as givenIn } from '../../support/given.js';

export const PASSWORD = 'correct horse battery staple';

/** Long enough that a list of them fills every buffer between two processes. */
const ORDERS = 20_000;
const MOST_ITEMS = 500;
const KEYS = 20;
/** As many as an account may have by default (`MAX_SITES_PER_ACCOUNT`), and a site (`MAX_RATES_PER_SITE`). */
const SITES = 200;
const RATES = 100_000;
/**
 * Of these, as many taxes apply to each line of the heavy order as are calculated at most; and so many shipping rates
 * are compared.
 */
const TAXES = 200;
const SHIPPING_RATES = 100;
/** An answer of an order's logs has at most 20; a few such answers are more than the API's heap anyway. */
const LOG_ENTRIES = 20;
/** The longest text that a product's field takes. */
const LONGEST_TEXT = 'coffee '.repeat(285);

export interface Shop {
  readonly email: string;
  readonly token: string;
  readonly siteId: number;
  readonly customerId: number;
  readonly productId: number;
  readonly scheduledOrderId: number;
}

export interface AttackedShop extends Shop {
  /** As large as an order may be. */
  readonly largestOrder: object;
  readonly largestOrderId: number;
  /** The same items, to a place with as many rates as are calculated. */
  readonly heavyOrderId: number;
  /** Of the same account. */
  readonly keys: readonly string[];
}

/** A small shop, as most are. */
export async function givenShop(database: TestDatabase, product: Record<string, unknown> = {}): Promise<Shop> {
  const given = givenIn(database);
  const { userId, siteId, tokenAuth: token } = await given.merchant();
  const email = `merchant${userId}@shop.example`;
  const passwordHash = await hashPassword(PASSWORD);
  await database.query(`UPDATE users SET email = $2, password_hash = $3 WHERE id = $1`, [userId, email, passwordHash]);
  const customerId = await given.customer(siteId);
  const productId = await given.product(siteId, product);
  const scheduledOrderId = await given.scheduledOrder(siteId, customerId);
  await given.item(siteId, scheduledOrderId, productId);
  return { email, token, siteId, customerId, productId, scheduledOrderId };
}

/** A shop with a long list of orders, and one order with as many items, texts and logs as the limits allow. */
export async function givenAttackedShop(database: TestDatabase, request: TestApi['request']): Promise<AttackedShop> {
  const shop = await givenShop(database, { description: LONGEST_TEXT, imageUrl: LONGEST_TEXT });
  const { siteId, customerId, productId, token } = shop;
  await database.query(
    `INSERT INTO scheduled_orders (site_id, customer_id, status, frequency_type, frequency, currency_iso, schedule_anchor_utc, next_occurrence_utc)
     SELECT $1, $2, 'Active', 'Months', 1, 'USD', now(), now() + interval '1 day' FROM generate_series(1, $3::int)`,
    [siteId, customerId, ORDERS],
  );
  const items = Array.from({ length: MOST_ITEMS }, () => ({ ProductId: productId }));
  const largestOrder = { CustomerId: customerId, ScheduledOrderItems: items };
  const created = await request('POST', '/api/ScheduledOrders', { token, body: largestOrder });
  expect(created.status).toBe(201);
  const { Id: largestOrderId } = created.body as { Id: number };
  const updated = await request('PUT', `/api/ScheduledOrders/${largestOrderId}`, { token, body: { Cycles: 1 } });
  expect(updated.status).toBe(200);
  await database.query(
    `INSERT INTO action_logs (site_id, scheduled_order_id, action_type, access_token, previous_scheduled_order, new_scheduled_order)
     SELECT site_id, scheduled_order_id, action_type, access_token, previous_scheduled_order, new_scheduled_order
     FROM action_logs, generate_series(1, $2::int) WHERE scheduled_order_id = $1 AND action_type = 'UpdateScheduledOrder'`,
    [largestOrderId, LOG_ENTRIES],
  );
  const heavyOrderId = await givenHeavyOrder(database, shop);
  const keys: string[] = [];
  for (let n = 0; n < KEYS; n++) {
    const values = { Name: `Key ${n}`, SiteIds: [siteId], Access: 'Read' };
    const { status, body } = await request('POST', '/api/ApiKeys', { token, body: values });
    expect(status).toBe(201);
    keys.push((body as { Value: string }).Value);
  }
  return { ...shop, largestOrder, largestOrderId, heavyOrderId, keys };
}

/** And all other sites and rates that the account may have. */
async function givenHeavyOrder(database: TestDatabase, { siteId, customerId, productId }: Shop): Promise<number> {
  await database.query(
    `INSERT INTO sites (user_id, name) SELECT user_id, 'Shop ' || n FROM sites, generate_series(2, $2::int) n WHERE id = $1`,
    [siteId, SITES],
  );
  await database.query(
    `INSERT INTO tax_rates (site_id, name, country, state, rate)
     SELECT $1, 'Tax ' || n, 'US', CASE WHEN n > $3 THEN 'State ' || n END, 0.01 FROM generate_series(1, $2::int) n`,
    [siteId, RATES - SHIPPING_RATES, TAXES],
  );
  await database.query(
    `INSERT INTO shipping_rates (site_id, country, base_price, min_cycles) SELECT $1, 'US', 5, n FROM generate_series(1, $2::int) n`,
    [siteId, SHIPPING_RATES],
  );
  const order = await givenIn(database).scheduledOrder(siteId, customerId, { shippingCountry: 'US', status: 'Active' });
  await database.query(
    `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, quantity, price)
     SELECT $1, $2, $3, 1, 1 FROM generate_series(1, $4::int)`,
    [siteId, order, productId, MOST_ITEMS],
  );
  return order;
}
