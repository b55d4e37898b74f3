import { Vault } from '#libs/platform';
import { hashPassword } from '#libs/records';
import { TEST_ENCRYPTION_KEY } from '../api.js';
import { givenWorld } from '../api/reach.js';
import type { TestDatabase } from '../database.js';
import { given as givenIn } from '../given.js';
import type { KnownValues } from './requests.js';

const PASSWORD = 'correct horse battery staple';
const passwordHash = hashPassword(PASSWORD);
const vault = Vault.fromSetting(TEST_ENCRYPTION_KEY);

/** What is no token at all. */
const NOBODYS = 'bm9ib2R5';

export interface FuzzWorld {
  readonly known: KnownValues;
  /** By the name of whose they are, as a failure shows it. */
  readonly tokens: ReadonlyMap<string, string | undefined>;
}

/** Whom requests come from: mostly the account that the records belong to. */
export const SENDERS = [
  ...Array<string>(9).fill('own account'),
  'own customer',
  'own customer',
  'a key',
  'a Read key',
  'another account',
  'an expired token',
  'no token',
  'nobody',
];

/** One record of every kind, what refers to them, and the tokens that requests come with. */
export async function fuzzWorld(database: TestDatabase): Promise<FuzzWorld> {
  const given = givenIn(database);
  const { merchant, siteId, customerId, otherCustomerId, tokens } = await givenWorld(database);
  const email = `merchant${siteId}@shop.example`;
  await database.query(`UPDATE users SET email = $2, password_hash = $3 WHERE id = $1`, [
    merchant.userId,
    email,
    await passwordHash,
  ]);
  const productId = await given.product(siteId);
  const scheduledOrderId = await given.scheduledOrder(siteId, customerId);
  const itemId = await given.item(siteId, scheduledOrderId, productId);
  const revocable = Buffer.from(await given.token(merchant.userId), 'base64').toString();
  const { webhookEndpointId, webhookDeliveryId } = await given.webhook(vault, siteId);
  await database.query(`UPDATE sites SET listens_since_utc = now() WHERE id = $1`, [siteId]);
  const simulatedId = await given.site(merchant.userId, { simulated: true });
  await database.query(`INSERT INTO test_clocks (site_id, now_utc) VALUES ($1, '2026-01-31')`, [simulatedId]);
  const known = {
    SiteId: [siteId, siteId, siteId, simulatedId],
    From: ['2026-01-01'],
    To: ['2026-02-01'],
    By: ['P1D', 'PT1H'],
    CustomerId: [customerId, customerId, customerId, otherCustomerId],
    ProductId: [productId],
    ScheduledOrderId: [scheduledOrderId],
    ScheduledOrderItemId: [itemId],
    OrderId: [await given.order(siteId, customerId)],
    ShippingRateId: [await given.shippingRate(siteId)],
    TaxRateId: [await given.taxRate(siteId)],
    PaymentMethodId: [await given.paymentMethod(siteId, customerId)],
    PaymentIntegrationId: [await given.integration(vault, siteId, { apiKey1: 'sk_test_1' })],
    ApiKeyId: [(await given.apiKey(merchant.userId, [siteId])).id],
    SiteIds: [[siteId]],
    WebhookEndpointId: [webhookEndpointId],
    WebhookDeliveryId: [webhookDeliveryId],
    DifferenceId: [await given.difference(siteId)],
    Url: ['https://hooks.invalid/orders'],
    EventType: ['order.created'],
    EventTypes: [['order.created', 'scheduled_order.*']],
    SinceUtc: ['2026-01-01T00:00:00Z'],
    AccessTokenId: [Number(revocable.split(':')[0])],
    Id: [itemId, undefined],
    Email: [email],
    Password: [PASSWORD],
    CurrencyIso: ['USD', 'JPY', 'KWD'],
    Frequency: [1],
    ShippingCountry: ['US', 'Germany'],
    Country: ['US', 'Germany'],
  };
  const keys = [
    ['a key', (await given.apiKey(merchant.userId, [siteId])).value],
    ['a Read key', (await given.apiKey(merchant.userId, [siteId], { access: 'Read' })).value],
  ] as const;
  return { known, tokens: new Map([...Object.entries(tokens), ...keys, ['nobody', NOBODYS]]) };
}
