import { useApi } from '../support/api.js';
import { declaredRoutes } from '../support/api/routes.js';
import { givenSession } from '../support/api/session.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { type OpenApiDocument, routesOf } from '../support/openapi/document.js';

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

/** POSTs and PUTs that take nothing; every other one has a body, and a class that validates it. */
const WITHOUT_BODY = [
  'POST /api/ScheduledOrders/{scheduledOrderId}/Reactivate',
  'POST /api/PaymentIntegration/{paymentIntegrationId}/Verify',
  'POST /api/WebhookDelivery/{webhookDeliveryId}/Resend',
  'POST /api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Push/Retry',
  'POST /api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Push/Accept',
  'POST /api/Site/{siteId}/Shop/Verify',
  'POST /api/Site/{siteId}/Shop/ImportProducts',
];

const JUNK = [
  [{ Junk: 1 }, 'Junk'],
  [[], ''],
  ['text', ''],
  [1, ''],
  [null, ''],
] as const;

/** `import type` of a body's class in a controller, or a forgotten decorator, would let anything pass. */
it('every body refuses junk, whatever it is for', async () => {
  const { tokenAuth: token, userId } = await given.merchant();
  const session = await givenSession(api, database, userId);
  const audiences = declaredRoutes(api.app);
  const { body: document } = await api.request('GET', '/openapi.json');
  const routes = routesOf(document as OpenApiDocument).filter(({ method }) => method === 'POST' || method === 'PUT');
  const [taking, taken]: [string[], string[]] = [[], []];
  const passed: unknown[] = [];
  for (const { method, path, requestBody } of routes) {
    if (requestBody !== undefined) taking.push(`${method} ${path}`);
    if (WITHOUT_BODY.includes(`${method} ${path}`)) continue;
    taken.push(`${method} ${path}`);
    for (const [junk, field] of JUNK) {
      const { status, body } = await api.request(method, path.replace(/\{\w+\}/g, '1'), {
        ...(audiences[`${method} ${path}`] === 'session' ? { headers: session } : { token }),
        body: JSON.stringify(junk),
      });
      const fields = ((body.errors ?? []) as { field: string }[]).map((fault) => fault.field);
      if (status !== 400 || !fields.includes(field)) passed.push({ method, path, junk, status, fields });
    }
  }
  expect(passed).toEqual([]);
  expect(taking).toEqual(taken);
  expect(taking.length).toBeGreaterThanOrEqual(25);
});
