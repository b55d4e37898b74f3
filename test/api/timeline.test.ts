import { insertErrorsSql } from '#libs/events';
import { type Json, useApi } from '../support/api.js';
import { givenKeys, givenWorld } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { answers, WebhookReceiver } from '../support/events/webhook-receiver.js';
import { webhooksOf } from '../support/events/webhooks.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';
import { createWorker, ENCRYPTION_KEY, givenShop, type TestWorker } from '../support/worker.js';

const OPEN = { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8', ENCRYPTION_KEY };
const database = useDatabase();
const api = useApi(database, { ...OPEN, RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);
const webhooks = webhooksOf(database);

interface Entry {
  AtUtc: string;
  Kind: string;
  Type: string;
  Sentence: string;
  Id: string;
  Cycle: number | null;
  OrderId: number | null;
  By: string | null;
}

async function timelineOf(token: string | undefined, id: number, query = ''): Promise<Entry[]> {
  const { status, body } = await api.request('GET', `/api/ScheduledOrders/${id}/Timeline${query}`, { token });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as Entry[];
}

/** Oldest first, for reading. */
const rowsOf = (entries: Entry[], ...kinds: string[]) =>
  entries
    .filter(({ Kind }) => kinds.length === 0 || kinds.includes(Kind))
    .map(({ Kind, Type, Sentence, By }) => [Kind, Type, Sentence, By])
    .reverse();

const DATE = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC';
/** A sentence in which every `DATE` is some date. */
const sentence = (text: string): unknown =>
  expect.stringMatching(new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('DATE', DATE)}$`));

const idOfToken = (token: string) => Buffer.from(token, 'base64').toString().split(':')[0];

/** A merchant with an order over HTTP, and what everybody may send. */
async function shop() {
  const merchant = await given.merchant();
  const { siteId, userId, tokenAuth: token } = merchant;
  const customerId = await given.customer(siteId);
  const ProductId = await given.product(siteId, { title: 'Coffee', price: '12.5' });
  const customer = await given.token(userId, { customerId });
  const request = async (method: string, path: string, body?: object, by = token) => {
    const answered = await api.request(method, path, { token: by, body });
    if (answered.status >= 300) throw new Error(`${answered.status} ${JSON.stringify(answered.body)}`);
    return answered.body as Record<string, Json>;
  };
  const order = await request('POST', '/api/ScheduledOrders', {
    CustomerId: customerId,
    FrequencyType: 'Days',
    Frequency: 7,
    ScheduledOrderItems: [{ ProductId, Quantity: 2 }],
  });
  const id = order.Id as number;
  return {
    ...merchant,
    token,
    customer,
    customerId,
    ProductId,
    order,
    id,
    path: `/api/ScheduledOrders/${id}`,
    request,
  };
}

describe('What requests did', () => {
  it('is told by sentence, with who did it', async () => {
    const { siteId, userId, token, customer, customerId, ProductId, order, id, path, request } = await shop();
    const { value: key, id: keyId } = await given.apiKey(userId, [siteId], { name: 'Back end' });
    await request('PUT', path, { Frequency: 14, ShippingCity: 'Paris', ShippingStreet1: '1 Rue' });
    await request('PUT', path, { Status: 'Paused' }, customer);
    await request('PUT', path, { Status: 'Active' }, key);
    await request('PUT', `${path}/NextOccurrenceUtc`, { NextOccurrenceUtc: '2040-01-15T10:00:00Z' });
    await request('POST', `${path}/Skip`, {}, customer);
    await request('POST', `${path}/Process`, {});
    const item = await request('POST', '/api/ScheduledOrderItems', { ScheduledOrderId: id, ProductId, Price: 3.125 });
    await request('PUT', `/api/ScheduledOrderItems/${item.Id}`, { Quantity: 3, SalePrice: 2 });
    await request('DELETE', `/api/ScheduledOrderItems/${item.Id}`);
    const user = `User ${userId} (token ${idOfToken(token)})`;
    const me = `Customer ${customerId} (token ${idOfToken(customer)})`;
    const first = (order.NextOccurrenceUtc as string).slice(0, 16).replace('T', ' ');
    const actions: [string, string, string][] = [
      ['CreateScheduledOrder', `The order was created as Active. It is due next on ${first} UTC.`, user],
      [
        'UpdateScheduledOrder',
        'Changed: NextOccurrenceUtc from DATE to DATE; Frequency from 7 to 14; the shipping address.',
        user,
      ],
      ['PauseScheduledOrder', 'The order was paused.', me],
      ['ActivateScheduledOrder', 'The order was made Active.', `API key ${keyId} (Back end)`],
      ['RescheduleScheduledOrder', 'The next occurrence was moved from DATE to 2040-01-15 10:00 UTC.', user],
      [
        'SkipScheduledOrder',
        'The occurrence of 2040-01-15 10:00 UTC was skipped. It is due next on 2040-01-29 10:00 UTC.',
        me,
      ],
      ['RetryScheduledOrder', 'The order was made due at once, in place of 2040-01-29 10:00 UTC.', user],
      [
        'CreateScheduledOrderItem',
        'An item was added. Changed: Total from 25.00 USD to 28.13 USD; 1 × Coffee added.',
        user,
      ],
      [
        'UpdateScheduledOrderItem',
        'An item was changed. Changed: Total from 28.13 USD to 31.00 USD; Coffee: quantity from 1 to 3, sale price from none to 2.00 USD.',
        user,
      ],
      [
        'DeleteScheduledOrderItem',
        'An item was removed. Changed: Total from 31.00 USD to 25.00 USD; 3 × Coffee removed.',
        user,
      ],
    ];
    const entries = await timelineOf(token, id);
    expect(rowsOf(entries, 'Action')).toEqual(actions.map(([type, text, by]) => ['Action', type, sentence(text), by]));
    expect(rowsOf(entries, 'Cycle')).toEqual([
      ['Cycle', 'Skipped', 'Cycle 1, due on 2040-01-15 10:00 UTC, was skipped.', null],
    ]);
    const { body: logs } = await api.request('GET', `${path}/ActionLogs`, { token });
    expect(entries.filter(({ Kind }) => Kind === 'Action').map(({ Id }) => Id)).toEqual(
      (logs as { Id: string }[]).map(({ Id }) => Id),
    );
    const forCustomer = await timelineOf(customer, id);
    expect(rowsOf(forCustomer, 'Action').map(([, , text, by]) => [text, by])).toEqual(
      actions.map(([, text, by]) => [sentence(text), by === me ? 'Customer' : 'Shop']),
    );
    expect(rowsOf(forCustomer, 'Cycle')).toEqual([
      ['Cycle', 'Skipped', 'The occurrence of 2040-01-15 10:00 UTC was skipped.', null],
    ]);
    expect(JSON.stringify(forCustomer)).not.toContain('Back end');
  });

  it('names a deleted key by its number, a command by its name, and a change that is too large without what it was', async () => {
    const { userId, siteId, token, id, path, request } = await shop();
    const key = await given.apiKey(userId, [siteId]);
    await request('PUT', path, { Cycles: 3 }, key.value);
    await database.query(`DELETE FROM api_key_sites WHERE api_key_id = $1`, [key.id]);
    await database.query(`DELETE FROM api_keys WHERE id = $1`, [key.id]);
    await database.query(
      `INSERT INTO action_logs (site_id, scheduled_order_id, action_type, description, access_token, previous_scheduled_order, new_scheduled_order)
       VALUES ($1, $2, 'ActivateScheduledOrder', 'ActivateScheduledOrder by migration:go-live.', '{"Id": 0, "UserId": 1, "CustomerId": null}',
         '{"Status": "Paused"}', '{"Status": "Active", "NextOccurrenceUtc": "2040-01-15T10:00:00.000Z"}')`,
      [siteId, id],
    );
    const noise = Array.from({ length: 40_000 }, (_, n) => ((n * 2654435761) % 4294967296).toString(36)).join('');
    await database.query(
      `INSERT INTO action_logs (site_id, scheduled_order_id, action_type, description, access_token, previous_scheduled_order, new_scheduled_order)
       VALUES ($1, $2, 'UpdateScheduledOrder', null, null, $3, '{"Status": "Active"}')`,
      [siteId, id, JSON.stringify({ Status: 'Paused', Noise: noise })],
    );
    expect(rowsOf(await timelineOf(token, id)).slice(1)).toEqual([
      ['Action', 'UpdateScheduledOrder', 'Changed: Cycles from 0 to 3.', `API key ${key.id}`],
      [
        'Action',
        'ActivateScheduledOrder',
        'The order was made Active. It is due next on 2040-01-15 10:00 UTC.',
        'Command migration:go-live',
      ],
      ['Action', 'UpdateScheduledOrder', 'The order was changed.', null],
    ]);
  });

  it('names ten of many changes, in the currency of each side', async () => {
    const { token, id, ProductId, path, request } = await shop();
    const items = Array.from({ length: 13 }, () => ({ ProductId }));
    await request('PUT', path, { CurrencyIso: 'JPY', ScheduledOrderItems: items });
    const [entry] = await timelineOf(token, id, '?limit=1');
    expect(entry!.Sentence).toBe(
      `Changed: CurrencyIso from USD to JPY; Total from 25.00 USD to 194 JPY; ${'1 × Coffee added; '.repeat(8)}5 more.`,
    );
  });
});

describe('What the processor did', () => {
  let worker: TestWorker;
  let receiver: WebhookReceiver;
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    worker = createWorker(database, OPEN);
  });
  afterEach(async () => {
    await worker.end();
    await receiver.stop();
  });

  it('is told with the order, the charge, the failure and its deliveries', async () => {
    const made = await givenShop(database);
    const { tokenAuth: token, siteId, customerId } = made;
    const [row] = await database.query<{ user_id: string }>(`SELECT user_id FROM sites WHERE id = $1`, [siteId]);
    const customer = await given.token(Number(row!.user_id), { customerId });
    const endpointId = await webhooks.endpoint(api, token, `${receiver.url}?secret=hidden`, {
      EventTypes: ['scheduled_order.processed', 'scheduled_order.payment_failed'],
    });
    const [paid, declined] = [await made.dueOrder(), await made.dueOrder({ paymentMethodId: 'pm_declined' })];
    receiver.always = answers(500);
    await worker.drain();
    await until(async () => (await timelineOf(token, paid)).some(({ Kind }) => Kind === 'Delivery'));

    const entries = await timelineOf(token, paid);
    const [order] = await database.query<{ id: string }>(`SELECT id FROM orders WHERE scheduled_order_id = $1`, [paid]);
    expect(entries.find(({ Kind }) => Kind === 'Cycle')).toEqual({
      AtUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      Kind: 'Cycle',
      Type: 'Completed',
      Sentence: expect.stringMatching(
        /^Cycle 1, due on \d{4}-\d\d-\d\d \d\d:\d\d UTC, was charged: 12\.50 USD by GatewayOne, transaction sandbox_\S+\.$/,
      ),
      Id: '1',
      Cycle: 1,
      OrderId: Number(order!.id),
      By: 'Processor',
    });
    expect(rowsOf(entries, 'Event')).toEqual([
      [
        'Event',
        'ScheduledOrderProcessed',
        sentence('The occurrence of DATE was processed: 12.50 USD paid.'),
        'Processor',
      ],
    ]);
    const host = new URL(receiver.url).host;
    expect(rowsOf(entries, 'Delivery')).toEqual([
      [
        'Delivery',
        'scheduled_order.processed',
        sentence(
          `scheduled_order.processed to WebhookEndpoint ${endpointId} (${host}) is not delivered yet, after 1 try. The last one was answered 500. It is tried on DATE.`,
        ),
        'Dispatcher',
      ],
    ]);
    expect(JSON.stringify(entries)).not.toContain('hidden');

    const failed = await timelineOf(token, declined);
    expect(rowsOf(failed, 'Cycle', 'Error')).toEqual([
      [
        'Cycle',
        'Retrying',
        sentence('Cycle 1, due on DATE, failed with 2000 PaymentFailed. It is tried again on DATE.'),
        'Processor',
      ],
      ['Error', 'PaymentFailed', '2000 PaymentFailed: The card was declined.', 'Processor'],
    ]);
    expect(rowsOf(failed, 'Event')).toEqual([
      ['Event', 'ScheduledOrderRetryScheduled', expect.stringContaining('The next try is on'), 'Processor'],
    ]);

    receiver.always = answers(204, {}, '');
    await webhooks.comeDue(endpointId);
    await worker.drain();
    expect(rowsOf(await timelineOf(token, paid), 'Delivery')).toEqual([
      [
        'Delivery',
        'scheduled_order.processed',
        sentence(
          `scheduled_order.processed to WebhookEndpoint ${endpointId} (${host}) was delivered on DATE, at try 2.`,
        ),
        'Dispatcher',
      ],
    ]);
    await database.query(
      `UPDATE webhook_deliveries SET state = 'Exhausted', tries = 9, attempts = '[{"Status": null}]'`,
    );
    expect(rowsOf(await timelineOf(token, paid), 'Delivery')).toEqual([
      [
        'Delivery',
        'scheduled_order.processed',
        sentence(
          `scheduled_order.processed to WebhookEndpoint ${endpointId} (${host}) was given up on DATE, after 9 tries. The last one had no answer. Resend sends it again.`,
        ),
        'Dispatcher',
      ],
    ]);

    const forCustomer = [...(await timelineOf(customer, paid)), ...(await timelineOf(customer, declined))];
    expect(rowsOf(forCustomer).map(([kind, type, text]) => [kind, type, text])).toEqual([
      ['Cycle', 'Retrying', sentence('The occurrence of DATE is not charged yet. It is tried again on DATE.')],
      ['Event', 'ScheduledOrderRetryScheduled', expect.stringContaining('The card was declined.')],
      ['Cycle', 'Completed', sentence('The occurrence of DATE was charged: 12.50 USD.')],
      ['Event', 'ScheduledOrderProcessed', expect.any(String)],
    ]);
    expect(JSON.stringify(forCustomer)).not.toMatch(/sandbox_|GatewayOne|WebhookEndpoint|hooks/);
  });

  it('tells merchants how Orders stand in the shop', async () => {
    const { siteId, userId, tokenAuth: token } = await given.merchant();
    const customerId = await given.customer(siteId);
    const soon = new Date('2040-01-01T10:00:00Z');
    for (const [values, state, words] of [
      [{ state: 'Waiting' }, 'Waiting', 'is not in the shop yet.'],
      [
        { state: 'Waiting', message: 'The shop answered 503.', nextAttemptUtc: soon },
        'Waiting',
        'is not in the shop yet. The shop answered 503. It is tried on DATE.',
      ],
      [{ state: 'Sending' }, 'Sending', 'is being pushed into the shop.'],
      [
        { state: 'Unknown', nextAttemptUtc: soon },
        'Unknown',
        'may be in the shop: nobody knows yet. It is looked up on DATE.',
      ],
      [{ shopOrderId: '98231', shopOrderNumber: 'A-98231' }, 'Pushed', 'is in the shop as order A-98231.'],
      [
        { state: 'Differs', shopOrderId: '98231', message: 'Its total is another.' },
        'Differs',
        'needs somebody to look at it in the shop as order 98231. Its total is another.',
      ],
      [
        { state: 'Failed', message: 'It refuses it.' },
        'Failed',
        'is not in the shop, and is not tried again by itself. It refuses it. Retry tries it again.',
      ],
    ] as const) {
      const { scheduledOrderId: id, orderId } = await given.push(siteId, customerId, values);
      const [entry] = (await timelineOf(token, id)).filter(({ Kind }) => Kind === 'Push');
      expect(entry).toMatchObject({ Type: state, Id: '1', Cycle: 1, OrderId: orderId, By: 'Pusher' });
      expect(entry!.Sentence).toEqual(sentence(`Order ${orderId} of cycle 1 ${words}`));
      const customer = await given.token(userId, { customerId });
      expect((await timelineOf(customer, id)).filter(({ Kind }) => Kind === 'Push')).toEqual([]);
    }
  });

  it('tells merchants what differs from the gateway’s books, and who has settled it', async () => {
    const made = await givenShop(database);
    const { tokenAuth: token, siteId, customerId } = made;
    const [row] = await database.query<{ user_id: string }>(`SELECT user_id FROM sites WHERE id = $1`, [siteId]);
    const customer = await given.token(Number(row!.user_id), { customerId });
    const id = await made.dueOrder();
    const values = { scheduledOrderId: id, cycle: 1, gatewayTransactionId: 'pi_2' };
    const holds = await given.difference(siteId, { kind: 'TwoCharges', fact: 'a', holds: true, ...values });
    const listed = await given.difference(siteId, { kind: 'RefundUnseen', fact: 'b', ...values, orderId: 7 });
    const other = await given.merchant();
    await given.difference(other.siteId, { kind: 'TwoCharges', holds: true, ...values });
    await worker.drain();
    const twice = `Difference ${holds}: the gateway has a second charge for an occurrence that is paid, transaction pi_2.`;
    const refunded = `Difference ${listed}: the payment of a cycle was refunded at the gateway, in whole or in part, transaction pi_2.`;
    const open = await timelineOf(token, id);
    expect(rowsOf(open, 'Difference', 'Cycle')).toEqual([
      ['Difference', 'TwoCharges', `${twice} Nothing is charged before it is settled.`, null],
      ['Difference', 'RefundUnseen', `${refunded} Nobody has settled it yet.`, null],
      [
        'Cycle',
        'Waiting',
        sentence(
          'Cycle 1, due on DATE, is held by 1009 PaymentDiffers: an earlier payment of the order has to be settled first.',
        ),
        'Processor',
      ],
    ]);
    const refund = open.find(({ Type }) => Type === 'RefundUnseen')!;
    expect([refund.Id, refund.Cycle, refund.OrderId]).toEqual([String(listed), 1, 7]);
    for (const [differenceId, body] of [
      [holds, { As: 'Resolved', Note: 'Refunded by hand.' }],
      [listed, { As: 'Accepted' }],
    ] as const) {
      const { status } = await api.request('POST', `/api/Difference/${differenceId}/Settle`, { token, body });
      expect(status).toBe(200);
    }
    const by = 'a Merchant token';
    expect(rowsOf(await timelineOf(token, id), 'Difference')).toEqual([
      ['Difference', 'TwoCharges', sentence(`${twice} It was settled as Resolved on DATE: Refunded by hand.`), by],
      ['Difference', 'RefundUnseen', sentence(`${refunded} It was settled as Accepted on DATE.`), by],
    ]);
    const forCustomer = await timelineOf(customer, id);
    expect(rowsOf(forCustomer, 'Difference')).toEqual([]);
    expect(rowsOf(forCustomer, 'Cycle')).toEqual([
      [
        'Cycle',
        'Waiting',
        sentence('The occurrence of DATE is not charged yet. The shop settles an earlier payment first.'),
        'Processor',
      ],
    ]);
  });

  it('has a sentence for each state of a cycle, for merchants and for customers', async () => {
    const { siteId, userId, tokenAuth: token } = await given.merchant();
    const ownerId = await given.customer(siteId);
    const customer = await given.token(userId, { customerId: ownerId });
    const cycle = async (values: Record<string, unknown>) => {
      const id = await given.scheduledOrder(siteId, ownerId);
      await database.query(
        `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, missed_occurrences, attempt, amount, currency_iso,
           payment_method_type, gateway_transaction_id, failure_code, retries_exhausted, next_attempt_utc, order_id)
         SELECT $1, $2, 7, r.state, r.open, '2026-01-15T10:00:00Z', coalesce(r.missed_occurrences, 0), coalesce(r.attempt, 1), r.amount, 'USD', r.payment_method_type,
           r.gateway_transaction_id, r.failure_code, coalesce(r.retries_exhausted, false), r.next_attempt_utc, r.order_id
         FROM jsonb_populate_record(NULL::processing_cycles, $3) r`,
        [siteId, id, JSON.stringify(values)],
      );
      const read = async (by: string) => (await timelineOf(by, id)).map(({ Type, Sentence }) => [Type, Sentence]);
      return [...(await read(token)), ...(await read(customer)).map(([, text]) => text)];
    };
    const next = { next_attempt_utc: '2026-01-18T10:00:00Z' };
    const [mine, theirs] = ['Cycle 7, due on 2026-01-15 10:00 UTC,', 'The occurrence of 2026-01-15 10:00 UTC'];
    const cases: [Record<string, unknown>, string, string][] = [
      [{ state: 'Claimed', open: true }, 'is being processed.', 'is being processed.'],
      [{ state: 'Charging', open: true, amount: 100 }, 'is being processed.', 'is being processed.'],
      [
        {
          state: 'Completed',
          open: false,
          amount: 2000,
          attempt: 3,
          order_id: 5,
          payment_method_type: 'GatewayTwo',
          gateway_transaction_id: 't1',
          missed_occurrences: 2,
        },
        'was charged: 20.00 USD by GatewayTwo, transaction t1, at attempt 3. 2 missed occurrences were passed over.',
        'was charged: 20.00 USD. 2 missed occurrences were passed over.',
      ],
      [
        { state: 'Completed', open: false, amount: 0, order_id: 6, missed_occurrences: 1 },
        'was completed: nothing was to be paid. One missed occurrence was passed over.',
        'was processed: nothing was to be paid. One missed occurrence was passed over.',
      ],
      [{ state: 'Skipped', open: false }, 'was skipped.', 'was skipped.'],
      [{ state: 'Failed', open: false }, 'was ended by a request before it was charged.', 'was not charged.'],
      [
        { state: 'Failed', open: false, failure_code: 2000, attempt: 5, retries_exhausted: true },
        'failed with 2000 PaymentFailed at attempt 5. It is not tried again by itself: Process takes it up.',
        'was not charged.',
      ],
      [{ state: 'Failed', open: false, failure_code: 1001 }, 'failed with 1001 NoItemsToShip.', 'was not charged.'],
      [
        { state: 'Retrying', open: true, failure_code: 2001, ...next },
        'failed with 2001 GatewayCommunicationFailed. It is tried again on 2026-01-18 10:00 UTC.',
        'is not charged yet. It is tried again on 2026-01-18 10:00 UTC.',
      ],
      [
        { state: 'Waiting', open: true, failure_code: 1003, payment_method_type: 'GatewayOne', ...next },
        'waits for the payment integration of GatewayOne. It is tried again on 2026-01-18 10:00 UTC.',
        'is not charged yet. It is tried again.',
      ],
      [
        { state: 'Unknown', open: true, amount: 1999, failure_code: 2001, ...next },
        'may have been charged 19.99 USD: nobody knows yet. It is looked up on 2026-01-18 10:00 UTC.',
        'may have been charged: this is being found out.',
      ],
    ];
    const found: unknown[] = [];
    for (const [values] of cases) found.push(await cycle(values));
    expect(found).toEqual(cases.map(([{ state }, own, other]) => [[state, `${mine} ${own}`], `${theirs} ${other}`]));
  });

  it('tells an error with its cause, however little was logged', async () => {
    const { siteId, tokenAuth: token } = await given.merchant();
    const id = await given.scheduledOrder(siteId, await given.customer(siteId));
    const log = (description: string | null, info: object) =>
      database.query(
        insertErrorsSql(
          `(SELECT o.*, $1::text AS error_description, $2::json AS exception_info FROM scheduled_orders o WHERE o.id = ${id})`,
        ),
        [description, JSON.stringify(info)],
      );
    const InnerExceptionInfo = { Message: 'do_not_honor', InnerExceptionInfo: null };
    await log('2000 PaymentFailed: Declined.', { Message: 'Declined.', InnerExceptionInfo });
    await log(null, { Message: 'Broken.', InnerExceptionInfo: null });
    expect(rowsOf(await timelineOf(token, id))).toEqual([
      ['Error', 'PaymentFailed', '2000 PaymentFailed: Declined. Cause: do_not_honor', 'Processor'],
      ['Error', 'Unknown', 'Broken.', 'Processor'],
    ]);
  });
});

describe('The timeline of a deleted order', () => {
  /** Every way to delete one: its own route or its customer's, by whoever may. */
  const WAYS = [
    ['ScheduledOrders', 'merchant'],
    ['ScheduledOrders', 'key'],
    ['ScheduledOrders', 'customer'],
    ['Customers', 'merchant'],
    ['Customers', 'key'],
  ] as const;

  it.each(WAYS)('says who deleted it and when, to the shop only: DELETE of %s by %s', async (what, by) => {
    const { id, path, token, customer, customerId, siteId, userId, request } = await shop();
    const key = await given.apiKey(userId, [siteId], { name: 'Back end' });
    const askers = {
      merchant: [token, `User ${userId} (token ${idOfToken(token)})`],
      key: [key.value, `API key ${key.id} (Back end)`],
      customer: [customer, `Customer ${customerId} (token ${idOfToken(customer)})`],
    } as const;
    const [asker, who] = askers[by];
    const isAlone = what === 'ScheduledOrders';
    const before = Date.now();
    await request('DELETE', isAlone ? path : `/api/Customers/${customerId}`, undefined, asker);
    const entries = await timelineOf(token, id);
    expect(rowsOf(entries).map(([, type, text, author]) => [type, text, author])).toEqual([
      ['CreateScheduledOrder', expect.any(String), expect.any(String)],
      [
        'DeleteScheduledOrder',
        isAlone ? 'The order was deleted.' : `The order was deleted together with customer ${customerId}.`,
        who,
      ],
    ]);
    expect(Math.abs(Date.parse(entries[0]!.AtUtc) - before)).toBeLessThan(60_000);
    for (const rest of ['', '/ActionLogs', '/EventLogs', '/ErrorLog', '/Cycles', '/Quote', '/Upcoming'])
      expect([rest, (await api.request('GET', path + rest, { token })).status]).toEqual([rest, 404]);
    const asCustomer = await api.request('GET', `${path}/Timeline`, { token: customer });
    // The tokens of a deleted customer do not work any more.
    expect(asCustomer.status).toBe(isAlone ? 404 : 401);
    const dropped = await given.scheduledOrder(siteId, customerId, { deletedUtc: new Date() });
    expect(await timelineOf(token, dropped)).toEqual([]);
    // A key that is gone is known by its number, by whichever way it deleted.
    await database.query(`DELETE FROM api_key_sites WHERE api_key_id = $1`, [key.id]);
    await database.query(`DELETE FROM api_keys WHERE id = $1`, [key.id]);
    const [newest] = await timelineOf(token, id);
    expect(newest!.By).toBe(by === 'key' ? `API key ${key.id}` : who);
  });
});

describe('Nobody reads a timeline that is not theirs', () => {
  it('of a living or a deleted order, with whatever cursor', async () => {
    const world = await givenWorld(database);
    const keys = await givenKeys(database, world);
    const { siteId, customerId, merchant } = world;
    const [living, deleted] = [
      await given.scheduledOrder(siteId, customerId),
      await given.scheduledOrder(siteId, customerId, { deletedUtc: new Date() }),
    ];
    for (const id of [living, deleted]) {
      await database.query(
        `INSERT INTO event_logs (site_id, scheduled_order_id, event_type, description) SELECT $1, $2, 'ScheduledOrderHeld', 'Held ' || n FROM generate_series(1, 3) n`,
        [siteId, id],
      );
    }
    const first = async (id: number) => {
      const answered = await api.request('GET', `/api/ScheduledOrders/${id}/Timeline?limit=1`, {
        token: merchant.tokenAuth,
      });
      return /cursor=([^>&]+)/.exec(answered.headers.get('link')!)![1]!;
    };
    const cursors = [await first(living), await first(deleted)];
    const own = [200, 200];
    const may: Record<string, number[]> = {
      'own account': own,
      'a key of its site': own,
      'a Read key of its site': own,
      'a key of several sites': own,
      'own customer': [200, 404],
      'another customer': [403, 404],
      'another account': [403, 403],
      'a key of another account': [403, 403],
      'a key of another site': [403, 403],
      'a Read key of another site': [403, 403],
      'no token': [401, 401],
      'an expired token': [401, 401],
      'a revoked key': [401, 401],
      'an expired key': [401, 401],
    };
    const tokens = { ...world.tokens, ...keys } as Record<string, string | undefined>;
    const found: Record<string, number[]> = {};
    for (const caller of Object.keys(may)) {
      for (const [index, id] of [living, deleted].entries()) {
        const ask = (query: string) =>
          api.request('GET', `/api/ScheduledOrders/${id}/Timeline${query}`, { token: tokens[caller] });
        const [whole, rest] = [await ask(''), await ask(`?cursor=${cursors[index]}`)];
        (found[caller] ??= []).push(whole.status === rest.status ? whole.status : -1);
        if (whole.status === 200) expect([whole.body.length, rest.body.length]).toEqual([3, 2]);
      }
    }
    expect(found).toEqual(may);
    expect(
      (await api.request('GET', '/api/ScheduledOrders/999999999/Timeline', { token: merchant.tokenAuth })).status,
    ).toBe(404);
  });
});

describe('A bad request for a timeline', () => {
  const cursorOf = (text: string) => Buffer.from(text).toString('base64url');
  const uuid = '0198c0de-0000-7000-8000-000000000001';
  const none = (text: string): [string, string, string] => [
    `cursor=${cursorOf(text)}`,
    'cursor',
    `"${cursorOf(text).slice(0, 60)}" is none: take it from the Link header of the page before.`,
  ];
  const cases: [string, string, string][] = [
    ['limit=0', 'limit', '"0" must be an integer from 1 to 500.'],
    ['limit=501', 'limit', '"501" must be an integer from 1 to 500.'],
    ['limit=1&limit=2', 'limit', 'A list must be an integer from 1 to 500.'],
    ['cursor=abc', 'cursor', '"abc" is none: take it from the Link header of the page before.'],
    ['cursor=', 'cursor', '"" must be one text of 1 to 200 characters, without NUL.'],
    none('1 1 Notice 1 1'),
    none(`1 1 Event ${uuid} 1`),
    none('1 1 Event 5 1'),
    none(`1 1 Cycle ${uuid} 1`),
    none('1 999999999999999 Cycle 1 1'),
    none('1 1 Cycle 1 9999999999999999'),
    none('1 1 Cycle 1'),
    ['q=x', 'q', 'is not a query parameter of this route, which takes limit, cursor.'],
  ];

  it.each(cases)('%s is 400', async (query, field, message) => {
    const { siteId, tokenAuth: token } = await given.merchant();
    const id = await given.scheduledOrder(siteId, await given.customer(siteId));
    const { status, body } = await api.request('GET', `/api/ScheduledOrders/${id}/Timeline?${query}`, { token });
    expect([status, body.errors]).toEqual([400, [{ field, message }]]);
  });

  it('is one with the cursor of another order', async () => {
    const { siteId, tokenAuth: token } = await given.merchant();
    const id = await given.scheduledOrder(siteId, await given.customer(siteId));
    const cursor = cursorOf(`${id + 1} 1000 Cycle 1 1`);
    const { status, body } = await api.request('GET', `/api/ScheduledOrders/${id}/Timeline?cursor=${cursor}&limit=x`, {
      token,
    });
    expect([status, body.errors]).toEqual([
      400,
      [
        { field: 'limit', message: '"x" must be an integer from 1 to 500.' },
        { field: 'cursor', message: `"${cursor}" is of ScheduledOrder ${id + 1}: begin without a cursor.` },
      ],
    ]);
  });
});
