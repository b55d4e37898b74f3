import type { Frequency, Gateway, OrderName, PlannedOrder } from './orders.js';
import type { Address, CustomerId, Person } from './people.js';
import type { Shop, StoredOrder } from './shop.js';

/**
 * Something that happens in the simulated shop at an instant of its clock. After an interruption the steps of the
 * latest instant are done once more: each does nothing where it has been done.
 */
export type Step = (shop: Shop, nowUtc: string) => Promise<unknown>;

const addressed = (kind: 'Shipping' | 'Billing', to: Address) =>
  Object.fromEntries(Object.entries(to).map(([name, value]) => [`${kind}${name}`, value as string | null]));

const customerOf = (order: OrderName): string => order.split('/')[0]!;

const path = (orderId: number) => `/api/ScheduledOrders/${orderId}`;

export const joins =
  ({ externalId, email, firstName, lastName, address }: Person): Step =>
  (shop, nowUtc) =>
    shop.customer(externalId, () => ({
      SiteId: shop.siteId,
      ExternalId: externalId,
      Email: email,
      FirstName: firstName,
      LastName: lastName,
      Created: nowUtc,
      ShippingFirstName: firstName,
      ShippingLastName: lastName,
      BillingFirstName: firstName,
      BillingLastName: lastName,
      ...addressed('Shipping', address),
      ...addressed('Billing', address),
    }));

export const orders =
  ({ name, basket, frequency: [type, every], gateway, hasCard }: PlannedOrder): Step =>
  (shop) =>
    shop.order(name, () => ({
      CustomerId: shop.customerId(customerOf(name)),
      FrequencyType: type,
      Frequency: every,
      ...(hasCard ? cardOf(customerOf(name), gateway, 'first') : {}),
      ScheduledOrderItems: Object.entries(basket).map(([sku, Quantity]) => ({
        ProductId: shop.productId(sku),
        Quantity,
      })),
    }));

/** Never twice in a row: a skipped newest cycle shows that it has been done. */
export const skips =
  (order: OrderName): Step =>
  async (shop, nowUtc) => {
    const id = shop.orderId(order);
    const [newest] = await shop.session.list<{ readonly State: string }>(`${path(id)}/Cycles`);
    if (newest?.State === 'Skipped') return;
    const customer = await shop.sessionOf(customerOf(order));
    await customer.post(`${path(id)}/Skip`, {}, `demo-year-skip-${id}-${nowUtc}`);
  };

const changes =
  (order: OrderName, change: object): Step =>
  async (shop) =>
    (await shop.sessionOf(customerOf(order))).put(path(shop.orderId(order)), change);

export const pauses = (order: OrderName): Step => changes(order, { Status: 'Paused' });

export const resumes = (order: OrderName): Step => changes(order, { Status: 'Active' });

/** Another rhythm counts from now on. */
export const orderEvery = (order: OrderName, ...[FrequencyType, Frequency]: Frequency): Step =>
  changes(order, { FrequencyType, Frequency });

export const cancels =
  (order: OrderName): Step =>
  async (shop) =>
    (await shop.sessionOf(customerOf(order))).delete(path(shop.orderId(order)));

export const reschedules =
  (order: OrderName, days: number): Step =>
  async (shop, nowUtc) => {
    const due = new Date(Date.parse(nowUtc) + days * 86_400_000);
    const customer = await shop.sessionOf(customerOf(order));
    await customer.put(`${path(shop.orderId(order))}/NextOccurrenceUtc`, { NextOccurrenceUtc: due.toISOString() });
  };

/** Wants it now, in place of the next time. */
export const wantsNow =
  (order: OrderName): Step =>
  async (shop, nowUtc) => {
    const id = shop.orderId(order);
    const customer = await shop.sessionOf(customerOf(order));
    await customer.post(`${path(id)}/Process`, {}, `demo-year-process-${id}-${nowUtc}`);
  };

export const wantsMore =
  (order: OrderName, quantity: number): Step =>
  async (shop) => {
    const id = shop.orderId(order);
    const { ScheduledOrderItems: items } = await shop.session.get<StoredOrder>(path(id));
    const changed = items.slice(0, 1).map(({ Id }) => ({ Id, Quantity: quantity }));
    await (await shop.sessionOf(customerOf(order))).put(path(id), { ScheduledOrderItems: changed });
  };

export const moves =
  (externalId: CustomerId, to: Address): Step =>
  async (shop) => {
    const customer = await shop.sessionOf(externalId);
    const shipping = addressed('Shipping', to);
    await customer.put(`/api/Customers/${shop.customerId(externalId)}`, { ...shipping, ...addressed('Billing', to) });
    for (const { Id } of await shop.ordersOf(externalId)) await customer.put(path(Id), shipping);
  };

/** The gateway tells the shop of it; all orders with this card follow. */
export const cardFails =
  (externalId: CustomerId, card: Extract<Card, 'expired' | 'lost'>): Step =>
  async (shop) => {
    const methods = `/api/Customers/${shop.customerId(externalId)}/PaymentMethods`;
    for (const { Id, Type } of await shop.session.list<{ Id: number; Type: 'GatewayOne' | 'GatewayTwo' }>(methods)) {
      const { PaymentMethodId, PaymentMethodDescription } = cardOf(externalId, Type, card);
      await shop.session.put(`${methods}/${Id}`, {
        GatewayPaymentId: PaymentMethodId,
        Description: PaymentMethodDescription,
      });
    }
  };

/** For all orders of the customer. Those that processing has given up are active again. */
export const givesAnotherCard =
  (externalId: CustomerId): Step =>
  async (shop) => {
    const customer = await shop.sessionOf(externalId);
    for (const { Id, Status, PaymentMethodType } of await shop.ordersOf(externalId)) {
      const status = Status === 'Pending' ? { Status: 'Active' } : {};
      await customer.put(path(Id), { ...cardOf(externalId, PaymentMethodType ?? 'GatewayOne', 'second'), ...status });
    }
  };

const BRANDS = ['Visa', 'Mastercard', 'American Express'];

/** The sandbox declines what has `declined` in its id, and for good what has `declined_hard`. */
const CARDS = {
  first: { suffix: '', more: '' },
  expired: { suffix: '_declined', more: ', expired' },
  lost: { suffix: '_declined_hard', more: ', reported lost' },
  second: { suffix: '_b', more: '' },
} as const;

export type Card = keyof typeof CARDS;

/** The payment fields of a customer's orders. All their ids in the gateway are made of the customer's. */
export function cardOf(externalId: string, gateway: Gateway, card: Card) {
  const { suffix, more } = CARDS[card];
  const number = Number(externalId) + (card === 'second' ? 1 : 0);
  const digits = 1_000 + ((number * 7_919) % 9_000);
  return {
    PaymentMethodType: gateway,
    PaymentMethodCustomerId: gateway === 'GatewayOne' ? `cus_${externalId}` : `90${externalId}`,
    PaymentMethodId: `${gateway === 'GatewayOne' ? 'pm_' : '80'}${externalId}${suffix}`,
    PaymentMethodDescription: `${BRANDS[number % BRANDS.length]!} ending in ${digits}${more}`,
  };
}
