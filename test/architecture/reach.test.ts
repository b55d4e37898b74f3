import { Vault } from '#libs/vault';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { type Asker, givenWorld, type World } from '../support/reach.js';
import { declaredRoutes } from '../support/routes.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

type Ids = Record<string, number>;

/** One record of every kind, the first customer's where it is a customer's, by the names that paths give their ids. */
async function records({ merchant, siteId, customerId }: World): Promise<Ids> {
  const productId = await given.product(siteId, { price: '1' });
  const scheduledOrderId = await given.scheduledOrder(siteId, customerId);
  return {
    siteId,
    customerId,
    productId,
    scheduledOrderId,
    scheduledOrderItemId: await given.item(siteId, scheduledOrderId, productId),
    orderId: await given.order(siteId, customerId),
    shippingRateId: await given.shippingRate(siteId),
    taxRateId: await given.taxRate(siteId),
    paymentMethodId: await given.paymentMethod(siteId, customerId),
    paymentIntegrationId: await given.integration(Vault.fromSetting(TEST_ENCRYPTION_KEY), siteId),
    ...(await given.webhook(Vault.fromSetting(TEST_ENCRYPTION_KEY), siteId)),
    accessTokenId: Number(atob(await given.token(merchant.userId)).split(':')[0]),
  };
}

/** What a request must bring to succeed, where `{}` is not enough; each names a record of the first account. */
const BODIES: Record<string, (ids: Ids) => object> = {
  'POST /api/AccessTokens/Generate': ({ customerId }) => ({ AccessScope: 'Customer', CustomerId: customerId }),
  'POST /api/ScheduledOrders': ({ customerId }) => ({ CustomerId: customerId, ShippingCountry: 'US' }),
  'POST /api/ScheduledOrderItems': ({ scheduledOrderId, productId }) => ({
    ScheduledOrderId: scheduledOrderId,
    ProductId: productId,
  }),
  'POST /api/Customers': ({ siteId }) => ({ SiteId: siteId }),
  'POST /api/Orders': ({ customerId }) => ({ CustomerId: customerId }),
  'POST /api/Products': ({ siteId }) => ({ SiteId: siteId }),
  'POST /api/ShippingRates': ({ siteId }) => ({ SiteId: siteId }),
  'POST /api/TaxRates': ({ siteId }) => ({ SiteId: siteId }),
  'POST /api/PaymentIntegrations': ({ siteId }) => ({ SiteId: siteId, PaymentMethodType: 'GatewayTwo' }),
  'POST /api/WebhookEndpoints': ({ siteId }) => ({ SiteId: siteId, Url: 'https://shop.example/hooks' }),
  'POST /api/WebhookEndpoint/{webhookEndpointId}/Recover': () => ({ SinceUtc: '2026-01-01', Which: 'Failed' }),
  'PUT /api/ScheduledOrders/{scheduledOrderId}/NextOccurrenceUtc': () => ({ NextOccurrenceUtc: '2040-01-01' }),
};

/** Where decisions.md §3 says otherwise than `isAllowed`. */
const EXCEPTIONS: Record<string, Partial<Record<Asker, boolean>>> = {
  // Those of its site.
  'GET /api/Products/{productId}': { 'another customer': true },
  // None but itself.
  'DELETE /api/AccessTokens/{accessTokenId}': { 'own customer': false },
};

/** Merchants reach what is their account's, customers what is their own; lists hold nothing else, and a new site is whoever's makes it. */
function isAllowed(route: string, audience: string, asker: Asker): boolean {
  const exception = EXCEPTIONS[route]?.[asker];
  if (exception !== undefined) return exception;
  if (audience === 'merchant' && asker.endsWith('customer')) return false;
  const namesRecord = route.includes('{') || route in BODIES;
  return asker === 'own account' || asker === 'own customer' || !namesRecord;
}

const DENIED_FIRST: readonly Asker[] = [
  'no token',
  'an expired token',
  'another account',
  'another customer',
  'own customer',
  'own account',
];

/** Whoever adds a route meets this: it is asked for by everybody, with a record of its own for each. */
it('every route is open to whom it is for, and to nobody else', async () => {
  const routes = Object.entries(declaredRoutes(api.app)).filter(([, audience]) => audience !== 'anyone');
  const wrong: unknown[] = [];
  for (const [route, audience] of routes) {
    for (const asker of DENIED_FIRST) {
      const world = await givenWorld(database);
      const ids = await records(world);
      const [method, template] = route.split(' ') as [string, string];
      const path = template.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? `no-${name}`));
      const body = method === 'GET' || method === 'DELETE' ? undefined : (BODIES[route]?.(ids) ?? {});
      const { status } = await api.request(method, path, { token: world.tokens[asker], body });
      const bad = asker === 'an expired token' && route === 'POST /api/AccessTokens/Generate' ? 403 : 401;
      const expected = asker.endsWith('token') ? bad : isAllowed(route, audience!, asker) ? 'success' : 403;
      const found = status < 300 ? 'success' : status;
      if (found !== expected) wrong.push({ route, asker, found, expected });
    }
  }
  expect(wrong).toEqual([]);
  expect(routes.length).toBeGreaterThanOrEqual(65);
}, 120_000);
