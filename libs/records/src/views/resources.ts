import {
  AccessToken,
  ApiKey,
  Customer,
  Order,
  OrderItem,
  PaymentIntegration,
  PaymentMethod,
  Product,
  ScheduledOrder,
  ScheduledOrderItem,
  ShippingRate,
  Site,
  TaxRate,
} from '#libs/entities';
import { BILLING_ADDRESS, SHIPPING_ADDRESS } from './address.js';
import { encrypted } from './encrypted.js';
import { embedded, inside } from './nested.js';
import { readyMade, utcSql, type View, view } from './view.js';

const STAMPS = ['createdUtc', 'updatedUtc'] as const;

const always = (name: string, value: 'NULL' | `'${string}'::text`) => ({ name, sql: () => value });

export const customerView = readyMade(
  view(Customer, 'customers', [
    'id',
    'siteId',
    'externalId',
    'email',
    'firstName',
    'lastName',
    'created',
    ...SHIPPING_ADDRESS,
    ...BILLING_ADDRESS,
    ...STAMPS,
  ]),
);

export const productView = readyMade(
  view(Product, 'products', [
    'id',
    'siteId',
    'externalId',
    'availability',
    'stockLevel',
    'type',
    'sku',
    'title',
    'description',
    'price',
    'salePrice',
    'length',
    'width',
    'height',
    'weight',
    'shippingClass',
    'taxClass',
    'imageUrl',
    'imageThumbUrl',
    ...STAMPS,
  ]),
);

export const scheduledOrderItemView = view(ScheduledOrderItem, 'scheduled_order_items', [
  'id',
  'scheduledOrderId',
  'productId',
  embedded('Product', () => productView, 'product_id'),
  'price',
  'salePrice',
  'quantity',
  ...STAMPS,
]);

/** The whole order; `items` is SQL: the items `i` of the order with this id (also SQL). */
const scheduledOrderWith = (items: (id: string) => string) =>
  view(ScheduledOrder, 'scheduled_orders', [
    'id',
    'customerId',
    embedded('Customer', () => customerView, 'customer_id', ['externalId', 'email', 'firstName', 'lastName']),
    'lastOccurrenceUtc',
    'nextOccurrenceUtc',
    'status',
    'frequencyType',
    'frequency',
    'cycles',
    'currencyIso',
    'paymentMethodType',
    'paymentMethodCustomerId',
    'paymentMethodId',
    'paymentMethodDescription',
    'shippingTotal',
    'taxTotal',
    'total',
    ...SHIPPING_ADDRESS,
    inside('ScheduledOrderItems', scheduledOrderItemView, items),
    ...STAMPS,
  ]);

export const scheduledOrderView = scheduledOrderWith((id) => `i.scheduled_order_id = ${id} AND i.deleted_utc IS NULL`);

/** A deleted order with the items that were deleted with it: `ix_scheduled_order_items_deleted`. */
export const deletedScheduledOrderView: View = {
  ...scheduledOrderWith(
    (id) =>
      `i.scheduled_order_id = ${id} AND i.deleted_utc = (SELECT o.deleted_utc FROM scheduled_orders o WHERE o.id = ${id})`,
  ),
  isOfDeleted: true,
};

export const orderItemView = view(OrderItem, 'order_items', [
  'id',
  'orderId',
  'productId',
  embedded('Product', () => productView, 'product_id'),
  'name',
  'subtotal',
  'total',
  'taxTotal',
  'quantity',
  'isRecurring',
  ...STAMPS,
]);

export const orderView = view(Order, 'orders', [
  'id',
  'externalId',
  'orderNumber',
  'customerId',
  'dateCreated',
  'dateCompleted',
  'datePaid',
  'subtotal',
  'total',
  'shippingTotal',
  'taxTotal',
  'isRecurring',
  ...SHIPPING_ADDRESS,
  ...BILLING_ADDRESS,
  inside('OrderItems', orderItemView, (id) => `i.order_id = ${id}`),
  ...STAMPS,
]);

const LOCATION = ['country', 'state', 'city', 'postcode'] as const;

export const shippingRateView = view(ShippingRate, 'shipping_rates', [
  'id',
  'siteId',
  'shippingClass',
  ...LOCATION,
  'pricePerUnit',
  'basePrice',
  'minUnits',
  'minCycles',
  'minSubtotal',
  'name',
  ...STAMPS,
]);

export const taxRateView = view(TaxRate, 'tax_rates', [
  'id',
  'siteId',
  'taxClass',
  ...LOCATION,
  'rate',
  'isCompound',
  'name',
  ...STAMPS,
]);

/** What a tax rate has beyond the contract (decisions.md §12). */
export const taxRateTermsView = view(TaxRate, 'tax_rates', ['priority', 'appliesToShipping']);

/** What a customer has beyond the contract. */
export const customerSettingsView = view(Customer, 'customers', ['taxExempt', 'vatNumber']);

/** `ApiAccount` and the keys come out encrypted. `viewsFor` decrypts them for callers who may read them. */
export const paymentIntegrationView = view(PaymentIntegration, 'payment_integrations', [
  'id',
  'siteId',
  'paymentMethodType',
  encrypted('apiAccount'),
  encrypted('apiKey1'),
  encrypted('apiKey2'),
  'testMode',
  ...STAMPS,
]);

export const paymentMethodView = view(PaymentMethod, 'payment_methods', [
  'id',
  'customerId',
  'type',
  'gatewayCustomerId',
  'gatewayPaymentId',
  'description',
  ...BILLING_ADDRESS,
  ...STAMPS,
]);

/** The keys come out encrypted; see `siteSnapshotView` for logs. */
export const siteView = view(Site, 'sites', [
  'id',
  'userId',
  'url',
  'type',
  'name',
  'email',
  encrypted('apiKey1'),
  encrypted('apiKey2'),
  encrypted('apiKey3'),
  'currencyIso',
  ...STAMPS,
]);

/** A site in logs: the contract's fields without secrets. */
export const siteSnapshotView = view(Site, 'sites', [
  'id',
  'userId',
  'url',
  'type',
  'name',
  'email',
  always('ApiKey1', 'NULL'),
  always('ApiKey2', 'NULL'),
  always('ApiKey3', 'NULL'),
  'currencyIso',
  ...STAMPS,
]);

/** A token in all answers except those of Login and Generate: its secret is not stored. */
export const accessTokenView = view(AccessToken, 'access_tokens', [
  'id',
  'userId',
  always('TokenAuth', 'NULL'),
  'accessScope',
  'customerId',
  ...STAMPS,
  'expiresUtc',
]);

/** An API key in all answers; the answer that makes it has its value besides. */
export const apiKeyView = view(ApiKey, 'api_keys', [
  'id',
  'name',
  {
    name: 'SiteIds',
    sql: (alias) =>
      `(SELECT json_agg(s.site_id ORDER BY s.site_id) FROM api_key_sites s WHERE s.api_key_id = ${alias}.id)`,
  },
  'access',
  'expiresUtc',
  'lastUsedUtc',
  'createdUtc',
]);

/** In place of none: an AccessToken of the contract always has a time at which it expires. */
const NEVER = `'9999-12-31T23:59:59.999Z'`;

/** An API key in logs, in the form of the contract's AccessToken. */
export const apiKeyTokenView = view(ApiKey, 'api_keys', [
  'id',
  'userId',
  always('TokenAuth', 'NULL'),
  always('AccessScope', `'Merchant'::text`),
  always('CustomerId', 'NULL'),
  ...STAMPS,
  { name: 'ExpiresUtc', sql: (alias: string) => `coalesce(${utcSql(`${alias}.expires_utc`)}, ${NEVER})` },
]);

/**
 * SQL: stands in logs in place of a token where a command changed an order: a Merchant token of the site's account with
 * the id 0. `siteId`: SQL as well.
 */
export const commandTokenSql = (siteId: string): string => `json_build_object('Id', 0,
  'UserId', (SELECT s.user_id FROM sites s WHERE s.id = ${siteId}), 'TokenAuth', NULL, 'AccessScope', 'Merchant', 'CustomerId', NULL,
  'CreatedUtc', ${utcSql('now()')}, 'UpdatedUtc', ${utcSql('now()')}, 'ExpiresUtc', ${NEVER})`;
