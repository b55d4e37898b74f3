import { hashPassword } from '#libs/records';
import { endApis, startApi } from './support/api-process.js';
import { clientOf, type components } from './support/client/client.js';
import { useDatabase } from './support/database.js';
import { given as givenIn } from './support/given.js';
import { until } from './support/until.js';
import { ENCRYPTION_KEY, startWorker, stopWorkers } from './support/worker.js';

const database = useDatabase();
const given = givenIn(database);

afterAll(async () => {
  endApis();
  await stopWorkers();
});

const LOGIN = { Email: 'merchant@shop.example', Password: 'correct horse battery staple' };

/** What the typed client gives, or a test that ends here. */
async function ok<T>(answer: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await answer;
  if (data === undefined) throw new Error(`${response.status}: ${JSON.stringify(error)}`);
  return data;
}

type ScheduledOrder = components['schemas']['ScheduledOrder'];

const totals = ({ ShippingTotal, TaxTotal, Total }: ScheduledOrder) => [ShippingTotal, TaxTotal, Total];

it('a shop’s whole life, through the typed client, with an API and a worker as they are run for real', async () => {
  const userId = await given.user({ email: LOGIN.Email, passwordHash: await hashPassword(LOGIN.Password) });
  await given.site(userId, { name: 'Coffee & Co', currencyIso: 'USD' });
  const url = await startApi({ DATABASE_URL: database.url, ENCRYPTION_KEY }).url();
  const anyone = clientOf(url);

  const token = await ok(anyone.POST('/api/AccessTokens/Login', { body: { ...LOGIN, AccessScope: 'Merchant' } }));
  const shop = clientOf(url, token.TokenAuth!);

  const customer = await ok(
    shop.POST('/api/Customers', {
      body: { ExternalId: '1042', Email: 'ada@mail.example', ShippingCountry: 'US', BillingCity: 'Austin' },
    }),
  );
  const product = await ok(
    shop.POST('/api/Products', { body: { Title: 'Coffee, 1 kg', Price: 12.5, SalePrice: 9.99, TaxClass: 'food' } }),
  );
  await ok(shop.POST('/api/ShippingRates', { body: { Country: 'US', BasePrice: 5, Name: 'Ground' } }));
  await ok(shop.POST('/api/TaxRates', { body: { TaxClass: 'food', Country: 'US', Rate: 8.25, Name: 'Sales tax' } }));
  await ok(
    shop.POST('/api/PaymentIntegrations', {
      body: { PaymentMethodType: 'GatewayOne', ApiKey1: 'sandbox', TestMode: true },
    }),
  );

  const created = await ok(
    shop.POST('/api/ScheduledOrders', {
      params: { header: { 'Idempotency-Key': 'order-1' } },
      body: {
        CustomerId: customer.Id,
        FrequencyType: 'Months',
        Frequency: 1,
        PaymentMethodType: 'GatewayOne',
        PaymentMethodCustomerId: 'cus_1',
        PaymentMethodId: 'pm_1',
        PaymentMethodDescription: 'Visa ending in 4242',
        ScheduledOrderItems: [{ ProductId: product.Id, Quantity: 2 }],
      },
    }),
  );
  expect([created.Status, created.ShippingCountry, ...totals(created)]).toEqual(['Active', 'US', 500, 165, 2663]);
  const path = { params: { path: { scheduledOrderId: created.Id } } };

  const [item] = created.ScheduledOrderItems;
  const changed = await ok(
    shop.PUT('/api/ScheduledOrders/{scheduledOrderId}', {
      ...path,
      body: { ...created, ScheduledOrderItems: [{ Id: item!.Id, Quantity: 3 }] },
    }),
  );
  expect(totals(changed)).toEqual([500, 247, 3744]);

  const hers = await ok(
    anyone.POST('/api/AccessTokens/Login', { body: { ...LOGIN, AccessScope: 'Customer', CustomerId: customer.Id } }),
  );
  const ada = clientOf(url, hers.TokenAuth!);
  const paused = await ok(ada.PUT('/api/ScheduledOrders/{scheduledOrderId}', { ...path, body: { Status: 'Paused' } }));
  expect([paused.Status, paused.NextOccurrenceUtc]).toEqual(['Paused', created.NextOccurrenceUtc]);
  const refused = await ada.POST('/api/ScheduledOrders/{scheduledOrderId}/Process', path);
  expect([refused.response.status, refused.error?.title]).toEqual([409, 'Conflict']);
  const resumed = await ok(ada.PUT('/api/ScheduledOrders/{scheduledOrderId}', { ...path, body: { Status: 'Active' } }));
  expect(resumed.Status).toBe('Active');

  const quote = await ok(ada.GET('/api/ScheduledOrders/{scheduledOrderId}/Quote', path));
  expect([quote.Subtotal, quote.Total, quote.Problems]).toEqual([2997, 3744, []]);
  await startWorker(database, { PROCESSOR_CRON: '* * * * * *' });
  const called = await ok(shop.POST('/api/ScheduledOrders/{scheduledOrderId}/Process', path));
  expect(called.Status).toBe('Active');

  const order = await until(async () => (await ok(shop.GET('/api/Orders')))[0]);
  expect(order).toMatchObject({
    CustomerId: customer.Id,
    ExternalId: null,
    IsRecurring: true,
    Subtotal: 29.97,
    ShippingTotal: 5,
    TaxTotal: 2.47,
    Total: 37.44,
    ShippingCountry: 'US',
    BillingCity: 'Austin',
    OrderItems: [{ ProductId: product.Id, Name: 'Coffee, 1 kg', Quantity: 3, Total: 29.97 }],
  });
  const known = await ok(
    shop.PUT('/api/Orders/{orderId}', {
      params: { path: { orderId: String(order.Id) } },
      body: { ...order, ExternalId: '98231', OrderNumber: 'A-1' },
    }),
  );
  expect([known.ExternalId, known.Total]).toEqual(['98231', 37.44]);

  const after = await ok(shop.GET('/api/ScheduledOrders/{scheduledOrderId}', path));
  expect([after.Cycles, after.Status]).toEqual([1, 'Active']);
  expect(after.NextOccurrenceUtc! > resumed.NextOccurrenceUtc!).toBe(true);
  const events = await ok(ada.GET('/api/ScheduledOrders/{scheduledOrderId}/EventLogs', path));
  expect(events.map(({ EventType }) => EventType)).toEqual(['ScheduledOrderProcessed']);
  const actions = await ok(shop.GET('/api/ScheduledOrders/{scheduledOrderId}/ActionLogs', path));
  expect(actions.map(({ ActionType, AccessToken }) => [ActionType, AccessToken.AccessScope])).toEqual([
    ['RetryScheduledOrder', 'Merchant'],
    ['ActivateScheduledOrder', 'Customer'],
    ['PauseScheduledOrder', 'Customer'],
    ['UpdateScheduledOrder', 'Merchant'],
    ['CreateScheduledOrder', 'Merchant'],
  ]);
  expect(await ok(shop.GET('/api/ScheduledOrders/{scheduledOrderId}/ErrorLog', path))).toEqual([]);
  const cycles = await ok(shop.GET('/api/ScheduledOrders/{scheduledOrderId}/Cycles', path));
  expect(cycles.map(({ Cycle, State, OrderId, Amount }) => [Cycle, State, OrderId, Amount])).toEqual([
    [1, 'Completed', order.Id, 3744],
  ]);
});
