import { Vault } from '#libs/platform';
import { ALL_CASES } from '../support/all-cases.js';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { type Asker, givenKeys, givenWorld, type KeyAsker, type World } from '../support/api/reach.js';
import { declaredRoutes } from '../support/api/routes.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
// Without limits: one scene is asked for in all routes.
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

type Ids = Record<string, number>;

/** One record of every kind, the first customer's where it is a customer's, by the names that paths give their ids. */
async function records({ merchant, siteId, customerId }: World): Promise<Ids> {
  const productId = await given.product(siteId, { price: '1' });
  // Whatever a person may decide of it is possible.
  const push = await given.push(siteId, customerId, { state: 'Differs', shopOrderId: '98231' });
  const { scheduledOrderId } = push;
  // A while ago: a Process call is no repetition of it.
  await database.query(
    `UPDATE processing_cycles SET updated_utc = now() - interval '2 minutes' WHERE scheduled_order_id = $1`,
    [scheduledOrderId],
  );
  await given.shop(Vault.fromSetting(TEST_ENCRYPTION_KEY), siteId, { receiver: 'WooCommerceRest' });
  await database.query(`INSERT INTO product_imports (site_id, state) VALUES ($1, 'Done')`, [siteId]);
  // A clock of its own makes it a site for the routes of test clocks as well.
  await database.query(`INSERT INTO test_clocks (site_id, now_utc) VALUES ($1, now())`, [siteId]);
  return {
    siteId,
    customerId,
    productId,
    ...push,
    scheduledOrderItemId: await given.item(siteId, scheduledOrderId, productId),
    shippingRateId: await given.shippingRate(siteId),
    taxRateId: await given.taxRate(siteId),
    paymentMethodId: await given.paymentMethod(siteId, customerId),
    paymentIntegrationId: await given.integration(Vault.fromSetting(TEST_ENCRYPTION_KEY), siteId),
    differenceId: await given.difference(siteId),
    ...(await given.webhook(Vault.fromSetting(TEST_ENCRYPTION_KEY), siteId)),
    accessTokenId: Number(atob(await given.token(merchant.userId)).split(':')[0]),
    apiKeyId: (await given.apiKey(merchant.userId, [siteId])).id,
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
  'POST /api/ApiKeys': ({ siteId }) => ({ Name: 'Shop', SiteIds: [siteId], Access: 'Read' }),
  'POST /api/WebhookEndpoints': ({ siteId }) => ({ SiteId: siteId, Url: 'https://shop.example/hooks' }),
  'POST /api/Site/{siteId}/Explain/Rates': ({ productId, customerId, taxRateId, shippingRateId }) => ({
    Address: { ShippingCountry: 'US' },
    Lines: [{ ProductId: productId }],
    CustomerId: customerId,
    TaxRates: [{ Id: taxRateId }],
    ShippingRates: [{ Id: shippingRateId }],
  }),
  'POST /api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Push/Link': () => ({ ShopOrderId: '98232' }),
  'POST /api/WebhookEndpoint/{webhookEndpointId}/Recover': () => ({ SinceUtc: '2026-01-01', Which: 'Failed' }),
  'POST /api/Difference/{differenceId}/Settle': () => ({ As: 'Accepted' }),
  'POST /api/TestClocks': ({ siteId }) => ({ Name: 'A year', NowUtc: '2026-01-31', CopyOf: siteId }),
  'POST /api/TestClock/{siteId}/Advance': () => ({ By: 'P1D' }),
  'POST /api/TestClock/{siteId}/Outage': () => ({ By: 'P1D' }),
  'PUT /api/ScheduledOrders/{scheduledOrderId}/NextOccurrenceUtc': () => ({ NextOccurrenceUtc: '2040-01-01' }),
};

/** What a path must bring besides. */
const QUERIES: Record<string, string> = {
  'GET /api/Site/{siteId}/Calendar': '?From=2026-01-01&To=2026-02-01',
  'GET /api/Site/{siteId}/Forecast': '?From=2040-01-01&To=2040-02-01',
};

type Caller = Asker | KeyAsker;

/** Where decisions.md §3 says otherwise than `isAllowed`. */
const EXCEPTIONS: Record<string, Partial<Record<Caller, boolean>>> = {
  // Those of its site.
  'GET /api/Products/{productId}': { 'another customer': true },
  // It changes nothing.
  'POST /api/Site/{siteId}/Explain/Rates': { 'a Read key of its site': true },
  // None but itself; with an API key none but Customer tokens (test/api/api-keys.test.ts), and no key but itself.
  'DELETE /api/AccessTokens/{accessTokenId}': {
    'own customer': false,
    'a key of its site': false,
    'a key of several sites': false,
  },
  'DELETE /api/ApiKey/{apiKeyId}': { 'a key of its site': false, 'a key of several sites': false },
};

/**
 * Merchants reach what is their account's, keys what is on their sites, customers what is their own; lists hold nothing
 * else. A Read key calls GET only, unless said otherwise, and no key makes keys or sites; a new site is whoever's makes
 * it.
 */
function isAllowed(route: string, audience: string, caller: Caller): boolean {
  const exception = EXCEPTIONS[route]?.[caller];
  if (exception !== undefined) return exception;
  // Of a browser alone (test/api/sessions.test.ts).
  if (audience === 'session') return false;
  if (audience !== 'both' && caller.endsWith('customer')) return false;
  if (audience === 'account' && caller.includes(' key ')) return false;
  if (caller.startsWith('a Read key') && !route.startsWith('GET ')) return false;
  const namesRecord = route.includes('{') || route in BODIES;
  return OWN.includes(caller) || !namesRecord;
}

const OWN: readonly Caller[] = [
  'own account',
  'own customer',
  'a key of its site',
  'a key of several sites',
  'a Read key of its site',
];

/** Who finds nobody: refused before anything else. */
const NOBODY: readonly Caller[] = ['no token', 'an expired token', 'a revoked key', 'an expired key'];

const DENIED_FIRST: readonly Caller[] = [
  ...NOBODY,
  'another account',
  'a key of another account',
  'a key of another site',
  'a Read key of another site',
  'another customer',
  'own customer',
  'a Read key of its site',
  'a key of several sites',
  'a key of its site',
  'own account',
];

/** Refused, or let in, by what all routes share. */
const LIKE_OTHERS: readonly Caller[] = [
  'an expired token',
  'a revoked key',
  'an expired key',
  'a key of another account',
  'a Read key of another site',
  'a key of several sites',
];
const CALLERS = ALL_CASES ? DENIED_FIRST : DENIED_FIRST.filter((caller) => !LIKE_OTHERS.includes(caller));

function expectedOf(route: string, audience: string, caller: Caller): number | 'success' {
  if (!NOBODY.includes(caller)) return isAllowed(route, audience, caller) ? 'success' : 403;
  return caller !== 'no token' && route === 'POST /api/AccessTokens/Generate' ? 403 : 401;
}

/** One record of every kind, and whoever may ask for them. */
interface Scene {
  readonly ids: Ids;
  readonly tokens: Readonly<Record<Caller, string | undefined>>;
}

async function givenScene(): Promise<Scene> {
  const world = await givenWorld(database);
  const ids = await records(world);
  const tokens = { ...world.tokens, ...(await givenKeys(database, world)) };
  // The event feed is of sites that listen.
  await database.query(`UPDATE sites SET listens_since_utc = now() WHERE listens_since_utc IS NULL`);
  return { ids, tokens };
}

async function statusOf(route: string, caller: Caller, { ids, tokens }: Scene): Promise<number> {
  const [method, template] = route.split(' ') as [string, string];
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? `no-${name}`));
  const query = QUERIES[route] ?? '';
  const body = method === 'GET' || method === 'DELETE' ? undefined : (BODIES[route]?.(ids) ?? {});
  return (await api.request(method, path + query, { token: tokens[caller], body })).status;
}

/**
 * Whoever adds a route meets this: it is asked for by everybody; those who may change something do it to other records.
 * What is not possible any more after another one did it, as deleting, is asked for again with records of one's own.
 */
it('every route is open to whom it is for, and to nobody else', async () => {
  const routes = Object.entries(declaredRoutes(api.app)).filter(([, audience]) => audience !== 'anyone');
  const wrong: unknown[] = [];
  const unchanged = await givenScene();
  let changed = await givenScene();
  const statusOfChange = async (route: string, caller: Caller) => {
    const status = await statusOf(route, caller, changed);
    if (status < 300) return status;
    changed = await givenScene();
    return statusOf(route, caller, changed);
  };
  for (const [route, audience] of routes) {
    for (const caller of CALLERS) {
      const expected = expectedOf(route, audience!, caller);
      const changes = expected === 'success' && !route.startsWith('GET ');
      const status = changes ? await statusOfChange(route, caller) : await statusOf(route, caller, unchanged);
      const found = status < 300 ? 'success' : status;
      if (found !== expected) wrong.push({ route, caller, found, expected });
    }
  }
  expect(wrong).toEqual([]);
  expect(routes.length).toBeGreaterThanOrEqual(68);
});
