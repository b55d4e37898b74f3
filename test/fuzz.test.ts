import * as fc from 'fast-check';
import { hashPassword } from '#libs/records';
import { Vault } from '#libs/vault';
import { TEST_ENCRYPTION_KEY, useApi } from './support/api.js';
import { useDatabase } from './support/database.js';
import { given as givenIn } from './support/given.js';
import { Answers } from './support/openapi/answers.js';
import { type OpenApiDocument, type Route, routesOf } from './support/openapi/document.js';
import { type FuzzedRequest, type KnownValues, Requests } from './support/openapi/requests.js';
import { givenWorld } from './support/reach.js';

const database = useDatabase();
/** Nobody listens where the gateways are looked for. */
const nowhere = 'http://127.0.0.1:9';
const api = useApi(database, {
  RATE_LIMIT_PER_SECOND: '0',
  GATEWAY_ONE_URL: nowhere,
  GATEWAY_TWO_URL: nowhere,
});
const given = givenIn(database);
const vault = Vault.fromSetting(TEST_ENCRYPTION_KEY);

/** FUZZ_RUNS=300 searches longer than every run of the tests should. */
const REQUESTS_PER_ROUTE = Number(process.env.FUZZ_RUNS ?? 30);
const HANGS_AFTER_MS = 15_000;

const PASSWORD = 'correct horse battery staple';

/** One record of every kind, what refers to them, and the tokens that requests come with. */
async function world(): Promise<{ known: KnownValues; tokens: readonly (string | undefined)[] }> {
  const { merchant, siteId, customerId, otherCustomerId, tokens } = await givenWorld(database);
  const email = `merchant${siteId}@shop.example`;
  const passwordHash = await hashPassword(PASSWORD);
  await database.query(`UPDATE users SET email = $2, password_hash = $3 WHERE id = $1`, [
    merchant.userId,
    email,
    passwordHash,
  ]);
  const productId = await given.product(siteId);
  const scheduledOrderId = await given.scheduledOrder(siteId, customerId);
  const itemId = await given.item(siteId, scheduledOrderId, productId);
  const orderId = await given.order(siteId, customerId);
  const known = {
    SiteId: [siteId],
    CustomerId: [customerId, customerId, customerId, otherCustomerId],
    ProductId: [productId],
    ScheduledOrderId: [scheduledOrderId],
    ScheduledOrderItemId: [itemId],
    OrderId: [orderId],
    ShippingRateId: [await given.shippingRate(siteId)],
    TaxRateId: [await given.taxRate(siteId)],
    PaymentMethodId: [await given.paymentMethod(siteId, customerId)],
    PaymentIntegrationId: [await given.integration(vault, siteId, { apiKey1: 'sk_test_1' })],
    AccessTokenId: [
      Number(
        Buffer.from(await given.token(merchant.userId), 'base64')
          .toString()
          .split(':')[0],
      ),
    ],
    Id: [itemId, undefined],
    Email: [email],
    Password: [PASSWORD],
    CurrencyIso: ['USD', 'JPY', 'KWD'],
    Frequency: [1],
    ShippingCountry: ['US', 'Germany'],
    Country: ['US', 'Germany'],
  };
  const own = Array.from({ length: 9 }, () => tokens['own account']);
  const others = [
    tokens['own customer'],
    tokens['own customer'],
    tokens['another account'],
    tokens['an expired token'],
  ];
  return { known, tokens: [...own, ...others, undefined, 'bm9ib2R5'] };
}

async function send({ method }: Route, { path, headers, body }: FuzzedRequest, token: string | undefined) {
  const response = await fetch(api.url + path, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(token === undefined ? {} : { authorization: `Basic ${token}` }) },
    body,
    signal: AbortSignal.timeout(HANGS_AFTER_MS),
  });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

describe('Whatever is sent to any route', () => {
  it(
    'is answered, never with 500, always as the document says',
    async () => {
      const document = (await api.request('GET', '/openapi.json')).body as OpenApiDocument;
      const answers = await Answers.of(document);
      const routes = routesOf(document);
      const succeeded = new Set<string>();
      const statuses: Record<number, number> = {};
      for (const route of routes) {
        const { known, tokens } = await world();
        const requests = fc.tuple(new Requests(document, known).of(route), fc.constantFrom(...tokens));
        const property = fc.asyncProperty(requests, async ([request, token]) => {
          const answer = await send(route, request, token);
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
          if (answer.status < 300) succeeded.add(route.operationId);
          const fault = answer.status >= 500 ? `${answer.status}: ${answer.text}` : answers.fault(route, answer);
          if (fault !== null) throw new Error(`${route.method} ${route.path}: ${fault}`);
        });
        await fc.assert(property, { numRuns: REQUESTS_PER_ROUTE });
      }
      const total = Object.values(statuses).reduce((sum, count) => sum + count, 0);
      expect(total).toBeGreaterThanOrEqual(routes.length * REQUESTS_PER_ROUTE);
      // What nothing ever gets through to proves little.
      expect(succeeded.size / routes.length).toBeGreaterThan(0.7);
    },
    REQUESTS_PER_ROUTE * 10_000,
  );
});
