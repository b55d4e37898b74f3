import { randomUUID } from 'node:crypto';
import { dataSchemaOf, exampleDataOf, OUTWARD_TYPES, type OutwardEvent, type OutwardType } from '#libs/events';
import { type Difference, integrationChanged, reportDifference } from '#libs/ledger';
import { readers } from '../processor/readers.js';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { eventsOf, keepEvents } from '../support/events/events.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { Answers } from '../support/openapi/answers.js';
import type { OpenApiDocument, Schema } from '../support/openapi/document.js';
import { createWorker, type GivenShop, givenShop, type TestWorker } from '../support/worker.js';

/** What other parts of the product write. */
const OF_OTHERS: readonly OutwardType[] = [
  'order.pushed',
  'order.push_failed',
  'order.total_differs',
  'order.twin_removed',
  'order.cancelled_in_shop',
  'order.refunded_in_shop',
  'shop.refused',
  'webhook_endpoint.disabled',
  'test_clock.ready',
];

type Webhooks = Record<
  OutwardType,
  { post: { requestBody: { content: { 'application/json': { schema: Schema; example: unknown } } } } }
>;

describe('The types of events', () => {
  const database = useDatabase();
  const api = useApi(database);
  const { comeDue, probeComes } = readers(database);
  const seen = new Map<string, OutwardEvent>();
  let gateway: StripeStandIn;
  let worker: TestWorker;
  let shop: GivenShop;
  let before = 0;

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url, GATEWAY_TIMEOUT: 'PT2S' });
  });
  beforeEach(async () => {
    shop = await givenShop(database, { apiKey1: `sk_test_types_${randomUUID()}` });
    await keepEvents(database, shop.siteId);
    before = 0;
  });
  afterEach(() => gateway.faults.none());
  afterAll(async () => {
    await worker.end();
    await gateway.stop();
  });

  /** The events since the last call, without what is the same in all of them. */
  async function published(): Promise<[string, Record<string, unknown>][]> {
    const events = await eventsOf(database, shop.siteId);
    const fresh = events.slice(before);
    before = events.length;
    for (const event of fresh) seen.set(event.Type, event);
    return fresh.map(({ Type, Data: { Sequence, SiteId, Simulated, ...facts } }) => {
      expect([Number(Sequence) > 0, SiteId, Simulated]).toEqual([true, shop.siteId, false]);
      return [Type, Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== null))];
    });
  }
  const request = async (method: string, path: string, body?: unknown) => {
    const answer = await api.request(method, path, { token: shop.tokenAuth, body });
    expect([path, answer.status < 300 ? '' : answer.body]).toEqual([path, '']);
    return answer.body as { Id: number; NextOccurrenceUtc: string };
  };
  const later = async () => shop.dueOrder({ nextOccurrenceUtc: new Date(Date.now() + 30 * 86_400_000) });

  it('of requests', async () => {
    const card = { PaymentMethodType: 'GatewayOne', PaymentMethodCustomerId: 'cus_1', PaymentMethodId: 'pm_1' };
    const schedule = { FrequencyType: 'Months', Frequency: 1 };
    const { Id: ScheduledOrderId } = await request('POST', '/api/ScheduledOrders', {
      CustomerId: shop.customerId,
      ...schedule,
      ...card,
      ScheduledOrderItems: [{ ProductId: shop.productId }],
    });
    const order = `/api/ScheduledOrders/${ScheduledOrderId}`;
    const facts = { ScheduledOrderId };
    expect(await published()).toEqual([['scheduled_order.created', facts]]);
    await request('PUT', order, { Frequency: 2 });
    await request('PUT', order, { Status: 'Paused' });
    await request('PUT', order, { Status: 'Active' });
    expect(await published()).toEqual([
      ['scheduled_order.updated', facts],
      ['scheduled_order.paused', facts],
      ['scheduled_order.activated', facts],
    ]);
    const { Id: itemId } = await request('POST', '/api/ScheduledOrderItems', {
      ScheduledOrderId,
      ProductId: shop.productId,
    });
    await request('PUT', `/api/ScheduledOrderItems/${itemId}`, { Quantity: 3 });
    await api.request('DELETE', `/api/ScheduledOrderItems/${itemId}`, { token: shop.tokenAuth });
    const item = { ...facts, ScheduledOrderItemId: itemId };
    expect(await published()).toEqual([
      ['scheduled_order.item_created', item],
      ['scheduled_order.item_updated', item],
      ['scheduled_order.item_deleted', item],
    ]);
    await request('PUT', `${order}/NextOccurrenceUtc`, { NextOccurrenceUtc: '2040-01-31T09:00:00Z' });
    await request('POST', `${order}/Skip`);
    await request('POST', `${order}/Process`);
    await request('POST', `${order}/Cancel`, { Reason: 'Moved.' });
    await request('POST', `${order}/Reactivate`);
    await api.request('DELETE', order, { token: shop.tokenAuth });
    expect(await published()).toEqual([
      ['scheduled_order.rescheduled', facts],
      ['scheduled_order.skipped', facts],
      ['scheduled_order.retry_requested', facts],
      ['scheduled_order.cancelled', facts],
      ['scheduled_order.updated', facts],
      ['scheduled_order.deleted', facts],
    ]);
    const { Id: OrderId } = await request('POST', '/api/Orders', { CustomerId: shop.customerId, Total: 12.5 });
    expect(await published()).toEqual([['order.created', { OrderId }]]);
  });

  it('of a customer who is deleted: of each of the orders', async () => {
    const [one, other] = [await later(), await later()];
    await api.request('DELETE', `/api/Customers/${shop.customerId}`, { token: shop.tokenAuth });
    expect(await published()).toEqual([
      ['scheduled_order.deleted', { ScheduledOrderId: one }],
      ['scheduled_order.deleted', { ScheduledOrderId: other }],
    ]);
  });

  it('of a completed cycle', async () => {
    const id = await shop.dueOrder();
    await worker.drain();
    const [row] = await database.query<{ id: string }>(`SELECT id FROM orders WHERE scheduled_order_id = $1`, [id]);
    const facts = { ScheduledOrderId: id, Cycle: 1, OrderId: Number(row!.id), Amount: 1250, CurrencyIso: 'USD' };
    expect(await published()).toEqual([
      ['scheduled_order.processed', facts],
      ['order.created', facts],
    ]);
    const [logged] = await database.query<{ type: string }>(
      `SELECT l.event_type AS type FROM outbox x JOIN event_logs l ON l.scheduled_order_id = x.scheduled_order_id AND l.id = x.log_id
       WHERE x.type = 'scheduled_order.processed' AND x.scheduled_order_id = $1`,
      [id],
    );
    expect(logged).toEqual({ type: 'ScheduledOrderProcessed' });
  });

  it('of a declined payment: with the next try, and without one', async () => {
    const id = await shop.dueOrder({ paymentMethodId: 'pm_insufficient_funds' });
    await worker.drain();
    const [[type, facts]] = (await published()) as [[string, Record<string, unknown>]];
    expect([type, facts]).toEqual([
      'scheduled_order.payment_failed',
      {
        ScheduledOrderId: id,
        Cycle: 1,
        Amount: 1250,
        CurrencyIso: 'USD',
        FailureCode: 2000,
        NextAttemptUtc: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      },
    ]);
    const hard = await shop.dueOrder({ paymentMethodId: 'pm_lost_card' });
    await worker.drain();
    const failed = { ScheduledOrderId: hard, Cycle: 1, FailureCode: 2000 };
    expect(await published()).toEqual([
      ['scheduled_order.payment_failed', { ...failed, Amount: 1250, CurrencyIso: 'USD' }],
      ['scheduled_order.failed', failed],
    ]);
  });

  it('of an order that cannot be processed, and of a gateway that is unavailable', async () => {
    const id = await shop.dueOrder({ paymentMethodId: null });
    await worker.drain();
    expect(await published()).toEqual([
      ['scheduled_order.failed', { ScheduledOrderId: id, Cycle: 1, FailureCode: 1004 }],
    ]);
    gateway.faults.always('rateLimited');
    const waits = await shop.dueOrder();
    await worker.drain();
    expect(await published()).toEqual([
      [
        'scheduled_order.waiting',
        { ScheduledOrderId: waits, Cycle: 1, FailureCode: 2001, NextAttemptUtc: expect.any(String) as string },
      ],
    ]);
  });

  it.each([
    ['succeeded', true],
    ['requires_payment_method', false],
  ] as const)('of an unknown outcome that proves %s', async (status, Charged) => {
    gateway.faults.next('undecided');
    const id = await shop.dueOrder();
    await worker.drain();
    const paid = { ScheduledOrderId: id, Cycle: 1, Amount: 1250, CurrencyIso: 'USD' };
    expect(await published()).toEqual([
      ['scheduled_order.outcome_unknown', { ...paid, FailureCode: 2001, RetriesExhausted: false }],
    ]);
    gateway.finish(gateway.undecidedIds.at(-1)!, status);
    await comeDue(id);
    await worker.drain();
    const [settled, next] = await published();
    expect([settled, next![0]]).toEqual([
      ['scheduled_order.outcome_settled', { ...paid, Charged }],
      Charged ? 'scheduled_order.processed' : 'scheduled_order.payment_failed',
    ]);
  });

  it('of the settlement of a deleted order’s charge, after its deletion', async () => {
    gateway.faults.next('errorAfter');
    const id = await shop.dueOrder();
    await worker.drain();
    await api.request('DELETE', `/api/ScheduledOrders/${id}`, { token: shop.tokenAuth });
    await comeDue(id);
    await worker.drain();
    expect((await published()).map(([type]) => type)).toEqual([
      'scheduled_order.outcome_unknown',
      'scheduled_order.deleted',
      'scheduled_order.outcome_settled',
      'scheduled_order.processed',
      'order.created',
    ]);
  });

  it('of an integration that is missing, and comes back', async () => {
    await database.query(`UPDATE payment_integrations SET deleted_utc = now() WHERE id = $1`, [shop.integrationId]);
    const id = await shop.dueOrder();
    await worker.drain();
    const waiting = ['scheduled_order.waiting', { ScheduledOrderId: id, Cycle: 1, FailureCode: 1003 }];
    const integration = { PaymentMethodType: 'GatewayOne', PaymentIntegrationId: shop.integrationId };
    expect(await published()).toEqual([
      waiting,
      ['payment_integration.refused', { PaymentMethodType: 'GatewayOne', Reason: 'Missing' }],
    ]);
    await probeComes(shop.siteId);
    await worker.drain();
    expect(await published()).toEqual([]);
    await database.query(`UPDATE payment_integrations SET deleted_utc = NULL WHERE id = $1`, [shop.integrationId]);
    await database.pool.transaction((tx) => integrationChanged(tx, shop.siteId, 'GatewayOne'));
    await worker.drain();
    const types = await published();
    expect(types.map(([type]) => type).sort()).toEqual([
      'order.created',
      'payment_integration.recovered',
      'scheduled_order.processed',
    ]);
    expect(types.find(([type]) => type === 'payment_integration.recovered')).toEqual([
      'payment_integration.recovered',
      integration,
    ]);
  });

  it('of an integration whose credentials are refused', async () => {
    const shopKey = `sk_test_refused_${shop.siteId}`;
    const refused = await givenShop(database, { apiKey1: shopKey });
    await keepEvents(database, refused.siteId);
    gateway.revoked.add(shopKey);
    await refused.dueOrders(3);
    await worker.drain();
    const events = await eventsOf(database, refused.siteId);
    expect(events.filter(({ Type }) => Type === 'payment_integration.refused').map(({ Data }) => Data)).toEqual([
      expect.objectContaining({ PaymentIntegrationId: refused.integrationId, Reason: 'Refused' }),
    ]);
    expect(events.filter(({ Type }) => Type === 'scheduled_order.waiting')).toHaveLength(3);
    await database.query(`UPDATE payment_integrations SET deleted_utc = now() WHERE id = $1`, [refused.integrationId]);
  });

  it('of an occurrence that comes', async () => {
    const soon = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 2 * 86_400_000);
    const id = await shop.dueOrder({ nextOccurrenceUtc: soon });
    await worker.drain();
    expect(await published()).toEqual([
      [
        'scheduled_order.upcoming',
        {
          ScheduledOrderId: id,
          Amount: 1250,
          ShippingTotal: 0,
          TaxTotal: 0,
          CurrencyIso: 'USD',
          OccurrenceUtc: soon.toISOString(),
        },
      ],
    ]);
  });

  it('of a payment that gateway and ledger say differently, once', async () => {
    const difference: Difference = {
      siteId: shop.siteId,
      kind: 'AmountDiffers',
      paymentIntegrationId: shop.integrationId,
      paymentMethodType: 'GatewayOne',
      transactionId: 'pi_differs',
      scheduledOrderId: null,
      cycle: null,
      orderId: null,
      ours: null,
      theirs: null,
    };
    const [reported] = await reportDifference(database.pool, difference);
    expect(await reportDifference(database.pool, difference)).toEqual([]);
    await worker.drain();
    expect(await published()).toMatchObject([
      ['payment.differs', { DifferenceId: reported!.id, Kind: 'AmountDiffers' }],
    ]);
  });

  describe('as the OpenAPI document describes them', () => {
    let webhooks: Webhooks;
    let answers: Answers;

    beforeAll(async () => {
      const document = (await api.request('GET', '/openapi.json')).body as OpenApiDocument & { webhooks: Webhooks };
      webhooks = document.webhooks;
      answers = await Answers.create(document);
    });

    const contentOf = (type: OutwardType) => webhooks[type].post.requestBody.content['application/json'];

    it('are all there', () => expect(Object.keys(webhooks)).toEqual(OUTWARD_TYPES));

    it.each(OUTWARD_TYPES)('%s: its example, and what was really written', (type) => {
      const { schema, example } = contentOf(type);
      expect(answers.faultOf(schema, example)).toBeNull();
      if (OF_OTHERS.includes(type)) return;
      const { Type, TimestampUtc, Data } = seen.get(type)!;
      expect(answers.faultOf(schema, { type: Type, timestamp: TimestampUtc, data: Data })).toBeNull();
      expect(
        answers.faultOf(schema, { type: Type, timestamp: TimestampUtc, data: { ...Data, Other: 1 } }),
      ).not.toBeNull();
      expect(Object.keys(Data)).toEqual(Object.keys(dataSchemaOf(type).properties));
      expect(Object.keys(exampleDataOf(type))).toEqual(Object.keys(Data));
    });

    it('have small facts', async () => {
      const [row] = await database.query<{ most: number }>(`SELECT max(length(facts::text)) AS most FROM outbox`);
      expect(row!.most).toBeLessThanOrEqual(300);
    });
  });
});
