import { hash } from '@node-rs/argon2';
import { columnOf } from '#libs/entities';
import type { Vault } from '#libs/platform';
import { apiKeyValue, newSecret, tokenAuth } from '#libs/records';
import type { TestDatabase } from './database.js';
import { encryptedValues } from './encrypted.js';

type Values = Record<string, unknown>;

/** An account with one site and a Merchant token, as most tests need it. */
export interface GivenMerchant {
  userId: number;
  siteId: number;
  /** Goes behind `Authorization: Basic`. */
  tokenAuth: string;
}

/** Signs requests to an Http receiver. */
export const SHOP_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A hash of a password that is checked at once: one of the product's takes 20 ms of the processor at each login. */
export const quickHash = (password: string): Promise<string> =>
  hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });

let sequence = 0;
const next = () => ++sequence;
const emailOfMerchant = () => `merchant${next()}-${process.pid}@shop.example`;

/** Inserts real rows. Required arguments are what a row cannot exist without; the rest is what the test is about. */
export function given(database: TestDatabase) {
  async function insert(table: string, values: Values): Promise<number> {
    const names = Object.keys(values);
    const [row] = await database.query<{ id: string }>(
      `INSERT INTO ${table} (${names.map(columnOf).join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')}) RETURNING *`,
      Object.values(values),
    );
    return Number(row!.id);
  }

  const user = (values: Values = {}) =>
    insert('users', { email: emailOfMerchant(), passwordHash: 'unusable', ...values });

  const site = (userId: number, values: Values = {}) =>
    insert('sites', { userId, name: `Shop ${next()}`, url: 'https://shop.example', ...values });

  async function token(userId: number, values: Values = {}): Promise<string> {
    const { secret, secretHash } = newSecret();
    const id = await insert('access_tokens', {
      userId,
      secretHash,
      accessScope: values.customerId === undefined ? 'Merchant' : 'Customer',
      expiresUtc: new Date(Date.now() + 3_600_000),
      ...values,
    });
    return tokenAuth(id, secret);
  }

  /** A key of these sites, with Access Full unless said otherwise. */
  async function apiKey(userId: number, siteIds: readonly number[], values: Values = {}) {
    const { secret, secretHash } = newSecret();
    const [row] = await database.query<{ id: string }>(
      `SELECT nextval(pg_get_serial_sequence('access_tokens', 'id')) AS id`,
    );
    const id = await insert('api_keys', { id: row!.id, userId, name: 'Shop', secretHash, access: 'Full', ...values });
    await database.query(`INSERT INTO api_key_sites (api_key_id, site_id) SELECT $1, unnest($2::bigint[])`, [
      id,
      siteIds,
    ]);
    return { id, value: apiKeyValue(id, secret) };
  }

  /** In one statement: most tests begin with it. */
  async function merchant(siteValues: Values = {}): Promise<GivenMerchant> {
    const { secret, secretHash } = newSecret();
    const shop = { name: `Shop ${next()}`, url: 'https://shop.example', ...siteValues };
    const names = Object.keys(shop);
    const [row] = await database.query<{ id: string; user_id: string; site_id: string }>(
      `WITH account AS (INSERT INTO users (email, password_hash) VALUES ($1, 'unusable') RETURNING id),
         shop AS (INSERT INTO sites (user_id, ${names.map(columnOf).join(', ')})
           SELECT id, ${names.map((_, i) => `$${i + 4}`).join(', ')} FROM account RETURNING id)
       INSERT INTO access_tokens (user_id, secret_hash, access_scope, expires_utc)
       SELECT id, $2, 'Merchant', $3 FROM account RETURNING id, user_id, (SELECT id FROM shop) AS site_id`,
      [emailOfMerchant(), secretHash, new Date(Date.now() + 3_600_000), ...Object.values(shop)],
    );
    const [userId, siteId] = [Number(row!.user_id), Number(row!.site_id)];
    return { userId, siteId, tokenAuth: tokenAuth(Number(row!.id), secret) };
  }

  const customer = (siteId: number, values: Values = {}) =>
    insert('customers', { siteId, email: `customer${next()}@mail.example`, firstName: 'Ada', ...values });

  const product = (siteId: number, values: Values = {}) =>
    insert('products', { siteId, title: `Coffee ${next()}`, price: '12.50', ...values });

  /** Active, monthly, due in a day, for 0 in USD unless said otherwise; without items. */
  const scheduledOrder = (siteId: number, customerId: number, values: Values = {}) =>
    insert('scheduled_orders', {
      siteId,
      customerId,
      status: 'Active',
      frequencyType: 'Months',
      frequency: 1,
      currencyIso: 'USD',
      scheduleAnchorUtc: new Date('2026-01-15T10:00:00Z'),
      nextOccurrenceUtc: new Date(Date.now() + 86_400_000),
      ...values,
    });

  /** More of one, each with its columns; without items. */
  async function copiesOf(scheduledOrderId: number, count: number): Promise<number[]> {
    const columns = await database.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'scheduled_orders' AND column_name <> 'id'`,
    );
    const names = columns.map(({ name }) => name).join(', ');
    const copies = await database.query<{ id: string }>(
      `INSERT INTO scheduled_orders (${names}) SELECT ${names} FROM scheduled_orders, generate_series(1, $2::int) WHERE id = $1 RETURNING id`,
      [scheduledOrderId, count],
    );
    return copies.map(({ id }) => Number(id));
  }

  const item = (siteId: number, scheduledOrderId: number, productId: number, values: Values = {}) =>
    insert('scheduled_order_items', { siteId, scheduledOrderId, productId, price: '12.50', quantity: 1, ...values });

  const order = (siteId: number, customerId: number, values: Values = {}) =>
    insert('orders', { siteId, customerId, ...values });

  const shippingRate = (siteId: number, values: Values = {}) => insert('shipping_rates', { siteId, ...values });
  const taxRate = (siteId: number, values: Values = {}) => insert('tax_rates', { siteId, ...values });

  const paymentMethod = (siteId: number, customerId: number, values: Values = {}) =>
    insert('payment_methods', { siteId, customerId, type: 'GatewayOne', ...values });

  /** In test mode; its credentials as they are in clear. */
  async function integration(
    vault: Vault,
    siteId: number,
    { apiAccount = null, apiKey1 = 'sandbox', apiKey2 = null, ...values }: Values = {},
  ): Promise<number> {
    const [row] = await database.query<{ id: string }>(
      `SELECT nextval(pg_get_serial_sequence('payment_integrations', 'id')) AS id`,
    );
    const credentials = { apiAccount, apiKey1, apiKey2 } as Record<string, string | null>;
    const encrypted = encryptedValues(vault, 'payment_integrations', Number(row!.id), credentials);
    const integration = { id: row!.id, siteId, paymentMethodType: 'GatewayOne', testMode: true };
    return insert('payment_integrations', { ...integration, ...encrypted, ...values });
  }

  /** An endpoint, and an event that was delivered to it. */
  async function webhook(
    vault: Vault,
    siteId: number,
  ): Promise<{ webhookEndpointId: number; webhookDeliveryId: number }> {
    const [row] = await database.query<{ id: string }>(
      `SELECT nextval(pg_get_serial_sequence('webhook_endpoints', 'id')) AS id`,
    );
    const encrypted = encryptedValues(vault, 'webhook_endpoints', Number(row!.id), { secret: SHOP_SECRET });
    const url = 'https://shop.example/hooks';
    const webhookEndpointId = await insert('webhook_endpoints', { id: row!.id, siteId, url, ...encrypted });
    const webhookDeliveryId = await insert('webhook_deliveries', {
      siteId,
      webhookEndpointId,
      sequence: 1,
      eventId: '0198c0de-0000-7000-8000-000000000001',
      eventType: 'order.created',
      state: 'Delivered',
    });
    return { webhookEndpointId, webhookDeliveryId };
  }

  /** Of a receiver that is ready, unless said otherwise; nothing is pushed. */
  async function shop(vault: Vault, siteId: number, values: Values = {}): Promise<void> {
    const { secret } = encryptedValues(vault, 'site_shops', siteId, { secret: SHOP_SECRET });
    await insert('site_shops', { siteId, receiver: 'Http', state: 'Ready', secret, ...values });
  }

  /** The Order of a completed cycle, which is in the shop unless said otherwise. `id`: of its scheduled order. */
  async function push(siteId: number, customerId: number, { id, ...values }: Values = {}) {
    const scheduledOrderId = await scheduledOrder(siteId, customerId, id === undefined ? {} : { id });
    const key = { siteId, scheduledOrderId, cycle: 1 };
    const orderId = await order(siteId, customerId, { scheduledOrderId, cycle: 1, total: '32.06' });
    await insert('processing_cycles', { ...key, orderId, state: 'Completed', open: false, dueUtc: new Date() });
    const pushName = `installation-${scheduledOrderId}-1`;
    await insert('order_pushes', { ...key, orderId, pushName, state: 'Pushed', sentUtc: new Date(), ...values });
    return { scheduledOrderId, cycle: 1, orderId };
  }

  const difference = (siteId: number, values: Values = {}): Promise<number> =>
    insert('payment_differences', { siteId, kind: 'AmountDiffers', fact: 'given', holds: false, ...values });

  return {
    insert,
    difference,
    shop,
    push,
    webhook,
    integration,
    user,
    site,
    token,
    apiKey,
    merchant,
    customer,
    product,
    scheduledOrder,
    copiesOf,
    item,
    order,
    shippingRate,
    taxRate,
    paymentMethod,
  };
}
