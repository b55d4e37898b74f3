import { ApiSession } from './api-session.js';
import { DEMO_EMAIL, DEMO_PASSWORD, DOWNLOADS } from './demo-account.js';
import { CUSTOMERS, downloadRate, ORDERS, SANDBOX, SHIPPING_RATES, SIMULATED_SHOP } from './demo-shop.js';
import { yearBefore } from './year/dates.js';

interface Known {
  readonly Id: number;
  readonly ExternalId: string | null;
}

/**
 * Creates rates, customers and scheduled orders of the demo shop, some of them due at once, through the API at
 * `apiUrl`. The shop keeps its events. A second one, simulated, has the same products and rates, and a test clock that
 * says what the time was a year ago: its year is still to come (year/). After an interruption, a second run completes
 * it.
 * @returns the id of the simulated site.
 */
export async function fillDemo(apiUrl: string, now: Date): Promise<number> {
  const shop = await ApiSession.login(apiUrl, DEMO_EMAIL, DEMO_PASSWORD);
  const [site] = await shop.list<{ readonly Id: number }>('/api/Sites');
  await shop.put(`/api/Site/${site!.Id}/Settings`, { KeepEvents: true });
  for (const [index, rate] of [...SHIPPING_RATES, downloadRate(DOWNLOADS)].entries()) {
    await shop.create('/api/ShippingRates', rate, `demo-shipping-rate-${index}`);
  }
  const customerIds = new Map<string, number>();
  for (const customer of CUSTOMERS) {
    const { Id } = await shop.create('/api/Customers', customer, `demo-customer-${customer.ExternalId}`);
    customerIds.set(customer.ExternalId, Id);
  }
  const products = await shop.list<Known>('/api/Products');
  const productIds = new Map(products.map(({ Id, ExternalId }) => [ExternalId, Id]));
  for (const [index, order] of ORDERS.entries()) {
    const { Id } = await shop.create(
      '/api/ScheduledOrders',
      {
        CustomerId: customerIds.get(order.customer),
        ...order.fields,
        ScheduledOrderItems: Object.entries(order.items).map(([externalId, Quantity]) => ({
          ProductId: productIds.get(externalId),
          Quantity,
        })),
      },
      `demo-order-${index}`,
    );
    if (order.dueInSeconds === undefined) continue;
    const due = new Date(now.getTime() + order.dueInSeconds * 1_000);
    await shop.put(`/api/ScheduledOrders/${Id}/NextOccurrenceUtc`, { NextOccurrenceUtc: due.toISOString() });
  }
  const simulatedSiteId = await simulate(shop, site!.Id, now);
  // Last, because its presence shows that the demo is complete.
  await shop.create('/api/PaymentIntegrations', SANDBOX, 'demo-payment-integration');
  return simulatedSiteId;
}

async function simulate(shop: ApiSession, siteId: number, now: Date): Promise<number> {
  const clocks = await shop.list<{ readonly SiteId: number; readonly Name: string | null }>('/api/TestClocks');
  const present = clocks.find(({ Name }) => Name === SIMULATED_SHOP);
  if (present !== undefined) return present.SiteId;
  const clock = { Name: SIMULATED_SHOP, NowUtc: yearBefore(now).toISOString(), CopyOf: siteId };
  const { SiteId } = await shop.post<{ readonly SiteId: number }>('/api/TestClocks', clock, 'demo-test-clock');
  return SiteId;
}
