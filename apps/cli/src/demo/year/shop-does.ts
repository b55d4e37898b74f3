import { type ProductChange, PRODUCTS, SHIPPING_RATES, type ShippingTerms, type Sku, TAX_RATES } from './catalogue.js';
import type { Step } from './customers-do.js';
import type { Gateway } from './orders.js';
import type { CustomerId } from './people.js';
import type { StoredOrder } from './shop.js';

interface Rate {
  readonly Id: number;
  readonly Name: string | null;
  readonly Country: string | null;
  readonly TaxClass?: string | null;
}

const isSame = (one: Partial<Rate>, other: Partial<Rate>) =>
  one.Name === other.Name &&
  (one.Country ?? null) === (other.Country ?? null) &&
  (one.TaxClass ?? null) === (other.TaxClass ?? null);

/** The rates that are not there yet. */
const addsRates =
  (path: string, rates: readonly Partial<Rate>[]): Step =>
  async (shop) => {
    const present = await shop.session.list<Rate>(path);
    for (const rate of rates.filter((one) => !present.some((other) => isSame(one, other)))) {
      const key = `demo-year-${shop.siteId}-${path}-${rate.Name}-${rate.Country}`;
      await shop.session.create(path, { SiteId: shop.siteId, ...rate }, key);
    }
  };

export const opens: readonly Step[] = [
  addsRates('/api/ShippingRates', SHIPPING_RATES),
  addsRates('/api/TaxRates', TAX_RATES),
  ...PRODUCTS.map(
    (product): Step =>
      (shop) =>
        shop.product(product.Sku, () => ({ SiteId: shop.siteId, ...product })),
  ),
];

interface Integration {
  readonly Id: number;
  readonly PaymentMethodType: Gateway;
}

const INTEGRATIONS = '/api/PaymentIntegrations';

/** The sandbox: no money moves (libs/gateways). */
export const connects =
  (gateway: Gateway): Step =>
  async (shop, nowUtc) => {
    const present = await shop.session.list<Integration>(INTEGRATIONS);
    if (present.some(({ PaymentMethodType }) => PaymentMethodType === gateway)) return;
    const account = gateway === 'GatewayTwo' ? { ApiAccount: 'sandbox' } : {};
    const made = { SiteId: shop.siteId, PaymentMethodType: gateway, ApiKey1: 'sandbox', TestMode: true, ...account };
    await shop.session.create(INTEGRATIONS, made, `demo-year-${shop.siteId}-${gateway}-${nowUtc}`);
  };

/** From then on its orders wait. */
export const disconnects =
  (gateway: Gateway): Step =>
  async (shop) => {
    const present = await shop.session.list<Integration>(INTEGRATIONS);
    for (const { Id, PaymentMethodType } of present) {
      if (PaymentMethodType === gateway) await shop.session.delete(`/api/PaymentIntegration/${Id}`);
    }
  };

export const setsUp =
  (settings: { readonly KeepEvents: boolean }): Step =>
  (shop) =>
    shop.session.put(`/api/Site/${shop.siteId}/Settings`, settings);

export const changesProduct =
  (sku: Sku, change: ProductChange): Step =>
  (shop) =>
    shop.session.put(`/api/Products/${shop.productId(sku)}`, change);

export const changesShipping =
  (name: string, change: Partial<ShippingTerms>): Step =>
  async (shop) => {
    const rates = await shop.session.list<Rate>('/api/ShippingRates');
    for (const { Id } of rates.filter(({ Name }) => Name === name)) {
      await shop.session.put(`/api/ShippingRate/${Id}`, change);
    }
  };

/** Of the product, and of all orders that have it already. */
export const raisesPrice =
  (sku: Sku, Price: number): Step =>
  async (shop) => {
    const productId = shop.productId(sku);
    await shop.session.put(`/api/Products/${productId}`, { Price });
    for (const { ScheduledOrderItems } of await shop.list<StoredOrder>(
      '/api/ScheduledOrders',
      `ProductId=${productId}`,
    )) {
      for (const item of ScheduledOrderItems.filter(({ ProductId }) => ProductId === productId)) {
        await shop.session.put(`/api/ScheduledOrderItems/${item.Id}`, { Price });
      }
    }
  };

/** Orders that became Pending because nothing of them could be sent. */
export const activatesOrdersOf =
  (sku: Sku): Step =>
  async (shop) => {
    const filter = `Problem=1001&Status=Pending&ProductId=${shop.productId(sku)}`;
    for (const { Id } of await shop.list<StoredOrder>('/api/ScheduledOrders', filter)) {
      await shop.session.put(`/api/ScheduledOrders/${Id}`, { Status: 'Active' });
    }
  };

export const exempts =
  (externalId: CustomerId, VatNumber: string): Step =>
  (shop) =>
    shop.session.put(`/api/Customers/${shop.customerId(externalId)}/Settings`, { TaxExempt: true, VatNumber });
