import { hashPassword } from '#libs/records';
import { ALL_CASES } from '../../support/all-cases.js';
import type { TestApi } from '../../support/api.js';
import type { TestDatabase } from '../../support/database.js';
import { given as givenIn } from '../../support/given.js';

export const PASSWORD = 'correct horse battery staple';

/** `npm run test:exhaustion` and `test:full`. */
export const IS_WHOLE = ALL_CASES || process.env.EXHAUSTION_SECONDS !== undefined;

/** Long enough that a list of them fills every buffer between two processes. */
const ORDERS = IS_WHOLE ? 20_000 : 12_000;
const MOST_ITEMS = 500;
/** An answer of an order's logs has at most 20; a few such answers are more than the API's heap anyway. */
const LOG_ENTRIES = IS_WHOLE ? 20 : 8;
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
  return { ...shop, largestOrder, largestOrderId };
}
