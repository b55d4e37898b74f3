import { hashPassword } from '#libs/records';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { type OpenApiDocument, type Route, routesOf } from '../support/openapi/document.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const exampleOf = ({ requestBody }: Route) => requestBody!.content!['application/json']!.example as object;

/** Records before what refers to them; changes afterwards; what cannot be undone last. */
const IN_ORDER = [
  'login',
  'createCustomer',
  'createPaymentMethod',
  'createProduct',
  'createShippingRate',
  'createTaxRate',
  'createPaymentIntegration',
  'createScheduledOrder',
  'createScheduledOrderItem',
  'createOrder',
  'generateAccessToken',
  'updateCustomer',
  'updatePaymentMethod',
  'updateProduct',
  'updateShippingRate',
  'updateTaxRate',
  'updatePaymentIntegration',
  'updateScheduledOrderItem',
  'rescheduleScheduledOrder',
  'skipScheduledOrder',
  'processScheduledOrder',
  'updateScheduledOrder',
  'updateOrder',
  'updateSite',
  'createSite',
];

it('every example of a body works as it stands', async () => {
  const document = (await api.request('GET', '/openapi.json')).body as OpenApiDocument;
  const routes = new Map(routesOf(document).map((route) => [route.operationId, route]));
  const withBody = [...routes.values()].filter(({ requestBody }) => requestBody !== undefined);
  expect(withBody.map(({ operationId }) => operationId).sort()).toEqual([...IN_ORDER].sort());
  const { Email, Password } = exampleOf(routes.get('login')!) as { Email: string; Password: string };
  const userId = await given.user({ email: Email, passwordHash: await hashPassword(Password) });
  expect(await given.site(userId)).toBe(1);
  const token = await given.token(userId);
  const statuses: Record<string, unknown> = {};
  for (const operationId of IN_ORDER) {
    const route = routes.get(operationId)!;
    const path = route.path.replace(/\{\w+\}/g, '1');
    const { status, body } = await api.request(route.method, path, { token, body: exampleOf(route) });
    statuses[operationId] = status < 300 ? 'works' : body;
  }
  expect(statuses).toEqual(Object.fromEntries(IN_ORDER.map((operationId) => [operationId, 'works'])));
});
