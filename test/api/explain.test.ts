import { archiveCycles } from '#libs/ledger';
import { shownDay } from '#libs/rules';
import { readers } from '../processor/readers.js';
import { itInAllCases } from '../support/all-cases.js';
import { type Json, useApi } from '../support/api.js';
import { itReaches, type World } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { given as givenIn } from '../support/given.js';
import { Answers } from '../support/openapi/answers.js';
import { type OpenApiDocument, type Route, routesOf } from '../support/openapi/document.js';
import { createWorker, ENCRYPTION_KEY, type GivenShop, givenShop, type TestWorker } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database, { ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);
const { comeDue } = readers(database);
const DAY_MS = 86_400_000;

let gateway: StripeStandIn;
let worker: TestWorker;
let shop: GivenShop;
let customer: string;
let key: { id: number; value: string };
let answers: Answers;
let route: Route;

beforeAll(async () => {
  gateway = await StripeStandIn.start();
  worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
  shop = await givenShop(database, { apiKey1: 'sk_test_explained' });
  const [site] = await database.query<{ user: string }>(`SELECT user_id AS user FROM sites WHERE id = $1`, [
    shop.siteId,
  ]);
  customer = await given.token(Number(site!.user), { customerId: shop.customerId });
  const document = (await api.request('GET', '/openapi.json')).body as OpenApiDocument;
  answers = await Answers.create(document);
  route = routesOf(document).find(({ operationId }) => operationId === 'explainScheduledOrder')!;
  key = await given.apiKey(Number(site!.user), [shop.siteId]);
});
afterEach(() => gateway.faults.none());
afterAll(async () => {
  await worker.end();
  await gateway.stop();
});

const later = (days = 1) => new Date(Date.now() + days * DAY_MS);
const text = async (path: string, token = shop.tokenAuth) => {
  const response = await fetch(api.url + path, { headers: { authorization: `Basic ${token}` } });
  return { status: response.status, text: await response.text() };
};
/** Every answer is as the document describes it. */
const explain = async (id: number, token = shop.tokenAuth): Promise<Json> => {
  const { status, body, headers } = await api.request('GET', `/api/ScheduledOrders/${id}/Explain`, { token });
  const fault = answers.fault(route, { status, type: headers.get('content-type'), text: JSON.stringify(body) });
  expect([status, fault]).toEqual([200, null]);
  return body;
};
interface Acted {
  readonly method?: string;
  readonly body?: object;
  readonly token?: string;
}
const act = async (id: number, verb: string, { method = 'POST', body, token = shop.tokenAuth }: Acted = {}) => {
  const { status } = await api.request(method, `/api/ScheduledOrders/${id}${verb}`, { token, body });
  expect(status).toBeLessThan(300);
};
const put = (id: number, body: object, token = shop.tokenAuth) => act(id, '', { method: 'PUT', body, token });
const move = (id: number, NextOccurrenceUtc: string, token = shop.tokenAuth) =>
  act(id, '/NextOccurrenceUtc', { method: 'PUT', body: { NextOccurrenceUtc }, token });
const processed = async (values = {}) => {
  const id = await shop.dueOrder(values);
  await worker.drain();
  return id;
};

const MONTHLY = { frequencyType: 'DayOfTheMonth', frequency: 15, scheduleAnchorUtc: '2040-01-10T10:00:00Z' };
const IN_2040 = { ...MONTHLY, nextOccurrenceUtc: '2040-03-15T10:00:00.000Z' };

describe('GET /api/ScheduledOrders/{scheduledOrderId}/Explain', () => {
  it('is the whole of it, before the first cycle', async () => {
    const id = await shop.dueOrder({ ...IN_2040, paymentMethodDescription: 'Visa ending in 4242' });
    const { HowMuch, MayNow, ...explained } = await explain(id);
    expect(explained).toEqual({
      AsOfUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      When: {
        Sentence:
          'The next occurrence is Thursday 2040-03-15 10:00 UTC. Every month on the 15th at 10:00 UTC. It is counted from Tuesday 2040-01-10 10:00 UTC.',
        Reason: 'Schedule',
        NextOccurrenceUtc: '2040-03-15T10:00:00.000Z',
        Rule: 'Every month on the 15th at 10:00 UTC',
        FrequencyType: 'DayOfTheMonth',
        Frequency: 15,
        AnchorUtc: '2040-01-10T10:00:00.000Z',
        Clamped: false,
        Overdue: false,
        MovedBy: null,
        Retry: null,
      },
      WithWhat: {
        Sentence: 'The order is charged to Visa ending in 4242, by GatewayOne in test mode, where no money moves.',
        Card: 'Visa ending in 4242',
        PaymentMethodType: 'GatewayOne',
        PaymentIntegrationId: shop.integrationId,
        Mode: 'Test',
      },
      LastTime: null,
      IfItFails: {
        Sentence:
          'If the charge on Thursday 2040-03-15 10:00 UTC is declined, it is tried again on Friday 2040-03-16 10:00 UTC, Monday 2040-03-19 10:00 UTC, Saturday 2040-03-24 10:00 UTC and Saturday 2040-03-31 10:00 UTC. If all of these are declined, the order becomes Pending. A decline that can never succeed, such as one of a stolen card, makes the order Pending at once.',
        Retries: [
          { Retry: 1, AtUtc: '2040-03-16T10:00:00.000Z' },
          { Retry: 2, AtUtc: '2040-03-19T10:00:00.000Z' },
          { Retry: 3, AtUtc: '2040-03-24T10:00:00.000Z' },
          { Retry: 4, AtUtc: '2040-03-31T10:00:00.000Z' },
        ],
        Technical:
          'If the gateway cannot be reached, or the service itself fails, it is tried again after 1 minute, 5 minutes, 30 minutes, 2 hours and 6 hours, each from the previous try; then the order becomes Pending. A charge without an answer is looked up until its outcome is known, and never sent anew before that.',
      },
    });
    expect(HowMuch.Total).toBe(1250);
    expect(MayNow).toEqual([
      {
        Action: 'Skip',
        Allowed: true,
        Because:
          'The occurrence of Thursday 2040-03-15 10:00 UTC is passed over without charging; the next one is on Sunday 2040-04-15 10:00 UTC.',
      },
      {
        Action: 'Process',
        Allowed: true,
        Because: 'The order is processed at once, in place of the occurrence of Thursday 2040-03-15 10:00 UTC.',
      },
      {
        Action: 'Pause',
        Allowed: true,
        Because: 'The order becomes Paused: nothing is charged until it is Active again.',
      },
      { Action: 'Activate', Allowed: true, Because: 'The order is Active already: nothing changes.' },
      {
        Action: 'Reschedule',
        Allowed: true,
        Because: 'The next occurrence moves to exactly the instant that you send, and later ones are counted from it.',
      },
      {
        Action: 'Cancel',
        Allowed: true,
        Because: 'The order is Paused for good: nothing is charged until it is reactivated.',
      },
      { Action: 'Reactivate', Allowed: true, Because: 'The order was not cancelled: nothing changes.' },
    ]);
  });

  it('has in HowMuch what Quote answers, byte for byte', async () => {
    await given.shippingRate(shop.siteId, { name: 'Post', country: 'FR', basePrice: '4.90' });
    const tax = await given.taxRate(shop.siteId, { name: 'TVA', country: 'FR', rate: '20' });
    const id = await shop.dueOrder({ ...IN_2040, shippingCountry: 'France', paymentMethodId: null });
    for (const token of [shop.tokenAuth, customer]) {
      const quote = await text(`/api/ScheduledOrders/${id}/Quote`, token);
      const explained = await text(`/api/ScheduledOrders/${id}/Explain`, token);
      expect([quote.status, explained.status]).toEqual([200, 200]);
      expect(quote.text).toContain(`"TaxRateId":${tax}`);
      expect(explained.text).toContain(`,"HowMuch":${quote.text},"WithWhat":`);
    }
    await database.query(`DELETE FROM shipping_rates; DELETE FROM tax_rates`);
  });

  describe('When', () => {
    it.each([
      ['DayOfTheMonth', 31, '2039-01-14T10:00:00Z', '2040-02-29T10:00:00.000Z', true],
      ['DayOfTheMonth', 31, '2039-01-14T10:00:00Z', '2040-03-31T10:00:00.000Z', false],
      ['Months', 1, '2040-01-31T23:59:59Z', '2040-04-30T23:59:59.000Z', true],
      ['Months', 2, '2040-01-30T10:00:00Z', '2040-03-30T10:00:00.000Z', false],
      ['Weeks', 3, '2040-01-31T10:00:00Z', '2040-02-21T10:00:00.000Z', false],
      ['Days', 1, '2040-01-31T10:00:00Z', '2040-02-29T10:00:00.000Z', false],
      ['DayOfTheWeek', 4, '2040-01-31T10:00:00Z', '2040-02-29T10:00:00.000Z', false],
    ])('is what Upcoming says (%s %i from %s: %s)', async (frequencyType, frequency, anchor, next, clamped) => {
      const id = await shop.dueOrder({ frequencyType, frequency, scheduleAnchorUtc: anchor, nextOccurrenceUtc: next });
      const { When } = await explain(id);
      const { body } = await api.request('GET', `/api/ScheduledOrders/${id}/Upcoming?count=1`, {
        token: shop.tokenAuth,
      });
      expect([When.NextOccurrenceUtc, When.Clamped]).toEqual([body[0].OccurrenceUtc, clamped]);
      expect((When.Sentence as string).includes('so it falls on the month’s last day.')).toBe(clamped);
      expect(When.Sentence).toContain(`The next occurrence is ${shownDay(new Date(next))}. `);
    });

    it('says what follows a clamped one', async () => {
      const id = await shop.dueOrder({ ...IN_2040, frequency: 31, nextOccurrenceUtc: '2040-02-29T10:00:00Z' });
      const { MayNow } = await explain(id);
      expect(MayNow[0].Because).toContain('the next one is on Saturday 2040-03-31 10:00 UTC.');
    });

    it.each([
      ['a Merchant token', () => shop.tokenAuth, () => 'a Merchant token', 'the shop'],
      ['an API key', () => key.value, () => `API key ${key.id}`, 'the shop'],
      ['a Customer token', () => customer, () => 'a Customer token', 'you'],
    ])('names %s that moved it: to the shop, and to the customer', async (_, token, forShop, forCustomer) => {
      const id = await shop.dueOrder(IN_2040);
      await act(id, '/Skip', { token: token() });
      for (const [reader, by] of [
        [shop.tokenAuth, forShop()],
        [customer, forCustomer],
      ] as const) {
        const { When, LastTime } = await explain(id, reader);
        const at = shownDay(new Date(When.MovedBy.AtUtc as string));
        expect(When).toMatchObject({
          Reason: 'Schedule',
          NextOccurrenceUtc: '2040-04-15T10:00:00.000Z',
          MovedBy: { ActionType: 'SkipScheduledOrder', By: by },
        });
        expect(When.Sentence).toContain(
          `The occurrence of Thursday 2040-03-15 10:00 UTC was skipped by ${by} on ${at}.`,
        );
        expect(LastTime).toMatchObject({ Result: 'Skipped', FailureCode: null, Amount: null });
        expect(LastTime.Sentence).toMatch(new RegExp(`was skipped on .* by ${by}\\.$`));
      }
      await move(id, '2040-04-20T08:30:00Z', token());
      expect((await explain(id)).When).toMatchObject({
        Reason: 'Rescheduled',
        AnchorUtc: '2040-04-20T08:30:00.000Z',
        MovedBy: { ActionType: 'RescheduleScheduledOrder', By: forShop() },
        Sentence: expect.stringMatching(
          /^The next occurrence is Friday 2040-04-20 08:30 UTC\. It was moved there by .*, in place of the occurrence of Sunday 2040-04-15 10:00 UTC\. Later occurrences are counted from it\.$/,
        ),
      });
      await act(id, '/Process', { token: token() });
      expect((await explain(id, customer)).When).toMatchObject({
        Reason: 'Process',
        Overdue: true,
        MovedBy: { ActionType: 'RetryScheduledOrder', By: forCustomer },
        Sentence: expect.stringContaining('It is due: it is processed as soon as a worker takes it.'),
      });
    });

    it('says why an occurrence that was processed early does not come again', async () => {
      const id = await shop.dueOrder(IN_2040);
      await act(id, '/Process');
      await worker.drain();
      const { When, LastTime } = await explain(id);
      expect([When.Reason, When.NextOccurrenceUtc]).toEqual(['Schedule', '2040-04-15T10:00:00.000Z']);
      expect(When.Sentence).toContain(
        `The occurrence of Thursday 2040-03-15 10:00 UTC does not come again: that of ${shownDay(new Date(LastTime.OccurrenceUtc as string))} stood for it.`,
      );
    });

    it('takes an order that moved in with its next date for what it is: nobody moved it', async () => {
      const at = '2040-05-01T00:00:00Z';
      const id = await shop.dueOrder({ ...MONTHLY, scheduleAnchorUtc: at, nextOccurrenceUtc: at });
      expect((await explain(id)).When).toMatchObject({ Reason: 'Schedule', MovedBy: null });
    });

    itInAllCases('finds who moved it in a log of many years', async () => {
      const id = await shop.dueOrder(IN_2040);
      await move(id, '2040-04-20T08:30:00Z');
      await database.query(`UPDATE scheduled_orders SET created_utc = created_utc - interval '4 years' WHERE id = $1`, [
        id,
      ]);
      await database.query(
        `UPDATE action_logs SET created_utc = now() - interval '3 years' WHERE scheduled_order_id = $1`,
        [id],
      );
      const { MovedBy } = (await explain(id)).When;
      expect(MovedBy).toMatchObject({ ActionType: 'RescheduleScheduledOrder', By: 'a Merchant token' });
      expect(Date.parse(MovedBy.AtUtc as string)).toBeLessThan(Date.now() - 1_000 * DAY_MS);
    });

    it('names a key that was deleted since, as that entry did', async () => {
      const [site] = await database.query<{ user: string }>(`SELECT user_id AS user FROM sites WHERE id = $1`, [
        shop.siteId,
      ]);
      const gone = await given.apiKey(Number(site!.user), [shop.siteId]);
      const id = await shop.dueOrder(IN_2040);
      await act(id, '/Skip', { token: gone.value });
      await database.query(`DELETE FROM api_key_sites WHERE api_key_id = $1`, [gone.id]);
      await database.query(`DELETE FROM api_keys WHERE id = $1`, [gone.id]);
      expect((await explain(id)).When.MovedBy.By).toBe(`API key ${gone.id}`);
    });

    it('is the next try of what was declined, by its number', async () => {
      const id = await processed({ paymentMethodId: 'pm_declined' });
      for (const retry of [1, 2]) {
        const { When, LastTime } = await explain(id);
        const forCustomer = (await explain(id, customer)).When;
        expect(When).toMatchObject({ Reason: 'Retry', Retry: { Retry: retry, Cycle: 1 } });
        expect([When.Retry.NextTryUtc, When.Retry.OccurrenceUtc]).toEqual([
          When.NextOccurrenceUtc,
          LastTime.OccurrenceUtc,
        ]);
        expect(When.Sentence).toBe(
          `This is retry ${retry} of the occurrence of ${shownDay(new Date(LastTime.OccurrenceUtc as string))} (cycle 1). 2000 PaymentFailed: Your card was declined. The next try is on ${shownDay(new Date(When.NextOccurrenceUtc as string))}.`,
        );
        expect(forCustomer.Retry).toEqual({ ...When.Retry, Cycle: null });
        expect(forCustomer.Sentence).not.toContain('cycle');
        await comeDue(id);
        await worker.drain();
      }
      await move(id, '2040-04-20T08:30:00Z');
      expect((await explain(id)).When).toMatchObject({
        Reason: 'Retry',
        Retry: { NextTryUtc: '2040-04-20T08:30:00.000Z' },
        MovedBy: { ActionType: 'RescheduleScheduledOrder' },
      });
    });

    it('is none, and says why', async () => {
      const anchor = '2040-01-10T10:00:00Z';
      const [paused, held, bare, ended, resting] = await shop.dueOrders(5, IN_2040);
      await put(paused!, { Status: 'Paused' });
      await put(held!, { Status: 'Pending' });
      await put(bare!, { FrequencyType: null, Frequency: null });
      await database.query(
        `UPDATE scheduled_orders SET status = 'Pending', next_occurrence_utc = NULL, schedule_anchor_utc = $2 WHERE id = $1`,
        [ended, anchor],
      );
      await put(resting!, { FrequencyType: null, Frequency: null, Status: 'Paused' });
      const active = 'Made Active now, it would be processed next on Thursday 2040-03-15 10:00 UTC.';
      const words = async (id: number) => {
        const { When, IfItFails } = await explain(id);
        return [When.Reason, When.Sentence, IfItFails.Sentence, IfItFails.Retries, IfItFails.Technical] as unknown[];
      };
      const nothing = (status: string) => [`Nothing is charged while the order is ${status}.`, [], null];
      expect(await words(paused!)).toEqual([
        'Paused',
        `The order is Paused: nothing is processed until it is Active again. ${active}`,
        ...nothing('Paused'),
      ]);
      expect(await words(held!)).toEqual([
        'Pending',
        `The order is Pending, because a request made it so: nothing is processed until it is Active again. ${active}`,
        ...nothing('Pending'),
      ]);
      expect(await words(bare!)).toEqual([
        'NoFrequency',
        'The order is Pending: it has no frequency, and so no next occurrence.',
        ...nothing('Pending'),
      ]);
      expect(await words(ended!)).toEqual([
        'CalendarEnd',
        'The order is Pending: its schedule has no further occurrence before the year 10000.',
        ...nothing('Pending'),
      ]);
      expect(await words(resting!)).toEqual([
        'Paused',
        'The order is Paused: nothing is processed until it is Active again. It has no frequency yet.',
        ...nothing('Paused'),
      ]);
      const retries_exhausted = await processed({ paymentMethodId: null });
      const { When, LastTime } = await explain(retries_exhausted);
      expect([When.Reason, LastTime.Result, LastTime.FailureCode]).toEqual(['GivenUp', 'Failed', 1004]);
      expect(When.Sentence).toContain('was not charged, and is not tried again by itself. 1004 PaymentMethodNull: ');
    });

    it('waits for its integration, is in progress, or is being found out', async () => {
      const waiting = await processed({ paymentMethodType: 'GatewayTwo' });
      const { When } = await explain(waiting);
      expect(When).toMatchObject({
        Reason: 'Integration',
        Overdue: false,
        Sentence: expect.stringContaining(
          'for at most 30 days. The next try is on ' + shownDay(new Date(When.Retry.NextTryUtc as string)),
        ),
      });
      const claimed = await shop.dueOrder(IN_2040);
      await database.query(
        `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, lease_until_utc)
         SELECT site_id, id, 1, 'Claimed', true, next_occurrence_utc, now() FROM scheduled_orders WHERE id = $1`,
        [claimed],
      );
      expect((await explain(claimed)).When).toMatchObject({
        Reason: 'InProgress',
        Sentence: 'The occurrence of Thursday 2040-03-15 10:00 UTC is being processed now.',
      });
      expect((await explain(claimed)).LastTime).toBeNull();
      gateway.faults.always('undecided');
      const unknown = await processed();
      const explained = await explain(unknown);
      expect(explained.When).toMatchObject({ Reason: 'Unknown', Retry: { Cycle: 1 } });
      expect(explained.When.Sentence).toMatch(
        /^Whether the occurrence of .* \(cycle 1\) was charged is not known yet, and nothing is charged until that is known\. It is looked up next on /,
      );
      expect(explained.LastTime).toMatchObject({ Result: 'Unknown', FailureCode: 2001, Amount: 1250 });
      expect(explained.IfItFails.Sentence).toContain('Whether the last charge was made is being found out');
    });
  });

  describe('of an order that is held', () => {
    const hold = (scheduledOrderId: number, values = {}) =>
      given.difference(shop.siteId, {
        kind: 'TwoCharges',
        fact: `${scheduledOrderId}`,
        holds: true,
        scheduledOrderId,
        cycle: 1,
        ours: { Amount: 1250, CurrencyIso: 'USD' },
        theirs: { Amount: 1300, CurrencyIso: 'USD' },
        createdUtc: '2040-01-01T10:00:00Z',
        ...values,
      });
    const HELD =
      'The order is held since Sunday 2040-01-01 10:00 UTC, and nothing is charged: 1009 PaymentDiffers. ' +
      'Difference ID, TwoCharges: the gateway has a second charge for an occurrence that is paid (ledger: 12.50 USD; gateway: 13.00 USD).';
    const LIFTED = 'It goes on when this is settled (Settle), or when the shop processes the order (Process).';
    const FOR_CUSTOMERS = 'Nothing is charged before the shop has settled an earlier payment of this order.';

    it('says what holds it, since when and what lifts it, also of its cycle', async () => {
      const id = await shop.dueOrder();
      const differenceId = await hold(id);
      await worker.drain();
      const held = HELD.replace('ID', String(differenceId));
      const { When, LastTime, IfItFails } = await explain(id);
      expect(When).toMatchObject({
        Reason: 'Held',
        Overdue: false,
        Retry: { Retry: 0, Cycle: 1, OccurrenceUtc: When.NextOccurrenceUtc, NextTryUtc: null },
        Sentence: `The occurrence of ${shownDay(new Date(When.NextOccurrenceUtc as string))} has not been charged. ${held} ${LIFTED}`,
      });
      expect(LastTime).toMatchObject({ Result: 'Waiting', FailureCode: 1009, FailureName: 'PaymentDiffers' });
      expect(LastTime.Sentence).toMatch(/could not be charged on .*: it is held\. 1009 PaymentDiffers: /);
      expect([IfItFails.Sentence, IfItFails.Retries]).toEqual(['Nothing is charged while the order is held.', []]);
      const { body } = await api.request('GET', `/api/ScheduledOrders/${id}/Cycles/1/Explain`, {
        token: shop.tokenAuth,
      });
      expect(body.Because).toBe(`The cycle is Waiting. ${held} ${LIFTED}`);
      const forCustomer = await explain(id, customer);
      expect(forCustomer.When).toMatchObject({ Reason: 'Held', Sentence: expect.stringContaining(FOR_CUSTOMERS) });
      expect(JSON.stringify(forCustomer.When)).not.toContain('TwoCharges');
    });

    it('says it before the order is due, and of every difference', async () => {
      const id = await shop.dueOrder(IN_2040);
      const first = await hold(id);
      const second = await hold(id, {
        kind: 'CycleWithoutCharge',
        ours: { Amount: 1250, CurrencyIso: 'XQQ' },
        theirs: null,
        createdUtc: '2040-01-02T10:00:00Z',
      });
      const { When, MayNow } = await explain(id);
      expect(When).toMatchObject({
        Reason: 'Held',
        Retry: null,
        Sentence:
          `The next occurrence is Thursday 2040-03-15 10:00 UTC. ${HELD.replace('ID', String(first))} ` +
          `Difference ${second}, CycleWithoutCharge: a cycle is completed as paid, and the gateway has no such payment (ledger: 1250 minor units of XQQ; gateway: nothing). ` +
          'It goes on when all of these are settled (Settle), or when the shop processes the order (Process).',
      });
      const because = (MayNow as { Because: string }[]).map(({ Because }) => Because);
      expect(because[0]).toContain('The order stays held: nothing is charged.');
      expect(because[1]).toContain(
        `What holds it is settled as Accepted: TwoCharges (difference ${first}), CycleWithoutCharge (difference ${second}).`,
      );
    });

    it('is as before when all is settled, and another shop’s difference holds nothing', async () => {
      const id = await shop.dueOrder(IN_2040);
      const other = await given.merchant();
      await given.difference(other.siteId, { kind: 'TwoCharges', holds: true, scheduledOrderId: id });
      expect((await explain(id)).When.Reason).toBe('Schedule');
      const differenceId = await hold(id);
      expect((await explain(id)).When.Reason).toBe('Held');
      const { status } = await api.request('POST', `/api/Difference/${differenceId}/Settle`, {
        token: shop.tokenAuth,
        body: { As: 'Resolved' },
      });
      expect([status, (await explain(id)).When.Reason]).toEqual([200, 'Schedule']);
    });
  });

  describe('WithWhat', () => {
    it('is the Description of the payment method, even where the order has another', async () => {
      const id = await shop.dueOrder({ ...IN_2040, paymentMethodDescription: 'Of the order' });
      await given.paymentMethod(shop.siteId, shop.customerId, {
        gatewayCustomerId: 'cus_1',
        gatewayPaymentId: 'pm_card',
        description: 'Ada’s card',
      });
      expect((await explain(id)).WithWhat.Card).toBe('Ada’s card');
      expect((await explain(id, customer)).WithWhat).toEqual({
        Sentence: 'The order is charged to Ada’s card.',
        Card: 'Ada’s card',
        PaymentMethodType: null,
        PaymentIntegrationId: null,
        Mode: null,
      });
      await database.query(`DELETE FROM payment_methods`);
    });

    it.each([
      [{ paymentMethodType: null }, { Card: null, Mode: null, Sentence: 'The order has no payment method.' }],
      [
        { paymentMethodType: 'GatewayTwo' },
        {
          Mode: null,
          PaymentIntegrationId: null,
          Sentence:
            'The order is charged to a card without a description. The site has no payment integration for GatewayTwo.',
        },
      ],
    ])('%j', async (values, expected) => {
      const id = await shop.dueOrder({ ...IN_2040, ...values });
      expect((await explain(id)).WithWhat).toMatchObject(expected);
    });

    it('is never a credential, nor an id of the gateway', async () => {
      const id = await shop.dueOrder(IN_2040);
      for (const token of [shop.tokenAuth, customer]) {
        const { text: answer } = await text(`/api/ScheduledOrders/${id}/Explain`, token);
        for (const secret of ['sk_test', 'cus_1', 'pm_card', 'ApiKey']) expect(answer).not.toContain(secret);
      }
    });

    it('says that a live integration is live', async () => {
      await database.query(`UPDATE payment_integrations SET test_mode = false WHERE id = $1`, [shop.integrationId]);
      const id = await shop.dueOrder(IN_2040);
      const { WithWhat } = await explain(id);
      await database.query(`UPDATE payment_integrations SET test_mode = true WHERE id = $1`, [shop.integrationId]);
      expect(WithWhat).toMatchObject({
        Mode: 'Live',
        Sentence: 'The order is charged to a card without a description, by GatewayOne in live mode.',
      });
    });

    it('needs no card where nothing is to be paid', async () => {
      const id = await shop.dueOrder({ ...IN_2040, paymentMethodType: null });
      await database.query(`UPDATE scheduled_order_items SET sale_price = 0 WHERE scheduled_order_id = $1`, [id]);
      const { WithWhat, IfItFails } = await explain(id);
      expect([WithWhat.Sentence, IfItFails.Sentence, IfItFails.Retries]).toEqual([
        'Nothing is to be paid now, so that no card is charged. The order has no payment method.',
        'Nothing is to be paid now, so that nothing can be declined.',
        [],
      ]);
    });
  });

  describe('LastTime', () => {
    const TIME = expect.stringMatching(/^\d{4}-.*Z$/);

    it('is what was charged, in the order’s currency, also from the archive', async () => {
      const id = await processed({ currencyIso: 'JPY' });
      const { LastTime } = await explain(id);
      expect(LastTime).toEqual({
        Sentence: expect.stringMatching(/^The occurrence of \w+ [-\d]+ [:\d]+ UTC was processed on .*: 13 JPY paid\.$/),
        Cycle: 1,
        OccurrenceUtc: TIME,
        Result: 'Completed',
        FailureCode: null,
        FailureName: null,
        Said: null,
        Attempts: 1,
        Amount: 13,
        CurrencyIso: 'JPY',
        OrderId: expect.any(Number),
        PushState: null,
        AtUtc: TIME,
      });
    });

    it('is found in the archive, too', async () => {
      const id = await processed();
      for (const minutes of [1, 2, 3, 4]) {
        // Each of another second: one that a cycle has becomes the next one, which is not due yet.
        await move(id, new Date(Date.now() - minutes * 60_000).toISOString());
        await worker.drain();
      }
      await database.query(
        `UPDATE processing_cycles SET updated_utc = now() - interval '2 years' WHERE scheduled_order_id = $1`,
        [id],
      );
      const rows = async () =>
        (
          await database.query<{ cycle: number }>(
            `SELECT cycle::int FROM processing_cycles WHERE scheduled_order_id = $1 ORDER BY cycle`,
            [id],
          )
        ).map(({ cycle }) => cycle);
      const before = (await explain(id)).LastTime;
      expect([await rows(), before.Cycle]).toEqual([[1, 2, 3, 4, 5], 5]);
      expect((await archiveCycles(database.pool, 3)).orders).toBe(1);
      // As of a ledger that has lost its newest cycles.
      await database.query(`DELETE FROM processing_cycles WHERE scheduled_order_id = $1`, [id]);
      const { LastTime } = await explain(id);
      expect([await rows(), LastTime.Result, LastTime.Amount]).toEqual([[], 'Completed', 1250]);
      expect(LastTime.Cycle).toBe(3);
      expect(LastTime.Sentence).toMatch(/^The occurrence of .* was processed on .*: 12\.50 USD paid\.$/);
    });

    it('has the gateway’s words, for a customer those of the event', async () => {
      const id = await processed({ paymentMethodId: 'pm_insufficient_funds' });
      expect((await explain(id)).LastTime).toMatchObject({
        Result: 'Retrying',
        FailureCode: 2000,
        FailureName: 'PaymentFailed',
        Said: 'Your card has insufficient funds.',
        Attempts: 1,
        Amount: 1250,
        CurrencyIso: 'USD',
        OrderId: null,
        Sentence: expect.stringMatching(
          /was not charged on .*, and is tried again\. One charge was tried\. 2000 PaymentFailed: Your card has insufficient funds\.$/,
        ),
      });
      const events = await api.request('GET', `/api/ScheduledOrders/${id}/EventLogs`, { token: customer });
      expect((await explain(id, customer)).LastTime).toMatchObject({
        Sentence: events.body[0].Description,
        Cycle: null,
        Attempts: null,
        Said: null,
        FailureCode: 2000,
        Amount: 1250,
      });
    });

    it('is ended by a request', async () => {
      const id = await processed({ paymentMethodId: 'pm_declined' });
      await put(id, { Status: 'Paused' });
      const { LastTime } = await explain(id);
      expect([LastTime.Result, LastTime.Attempts]).toEqual(['Failed', 1]);
    });

    it('tells a customer of no next try that a request has ended or moved', async () => {
      const [ended, moved, again] = await shop.dueOrders(3, { paymentMethodId: 'pm_declined' });
      const retriesExhausted = await shop.dueOrder({ paymentMethodId: 'pm_lost_card' });
      await worker.drain();
      const sentenceOf = async (id: number) => (await explain(id, customer)).LastTime.Sentence as string;
      for (const id of [ended!, moved!, again!]) expect(await sentenceOf(id)).toContain(' The next try is on ');
      expect(await sentenceOf(retriesExhausted)).toContain('It is not tried again: the order is Pending.');
      await put(ended!, { Status: 'Paused' });
      await move(moved!, '2040-04-20T08:30:00Z');
      await act(again!, '/Process');
      await act(retriesExhausted, '/Process');
      expect(await sentenceOf(ended!)).toMatch(
        /^The occurrence of .* was not charged on .*, and is not tried again by itself\. One charge was tried\. 2000 PaymentFailed\.$/,
      );
      for (const id of [moved!, again!, retriesExhausted])
        expect(await sentenceOf(id)).toMatch(
          /^The occurrence of .*, and is tried again\. One charge was tried\. 2000 PaymentFailed\.$/,
        );
    });
  });

  describe('for a Customer token', () => {
    /** What the shop's own log says of failures, and what else is internal. */
    async function internalsOf(id: number): Promise<string[]> {
      const errors = await database.query<{ info: Json }>(
        `SELECT exception_info AS info FROM error_logs WHERE scheduled_order_id = $1`,
        [id],
      );
      const inner = errors.flatMap(({ info }) => {
        const words: string[] = [];
        for (let cause = info.InnerExceptionInfo; cause !== null; cause = cause.InnerExceptionInfo)
          words.push(cause.Message);
        return words;
      });
      return [...inner, gateway.url, 'sk_test', '127.0.0.1', 'ECONN', 'Merchant token', 'API key'];
    }

    it.each([
      ['declined', { paymentMethodId: 'pm_declined' }, null],
      ['a card that the gateway does not know', { paymentMethodId: 'pm_missing' }, null],
      ['unavailable', {}, 'unavailable'],
      ['rejected before anything was done', {}, 'errorBefore'],
      ['without an answer', {}, 'loseAfter'],
      ['undecided', {}, 'undecided'],
      ['waiting', { paymentMethodType: 'GatewayTwo' }, null],
      ['without a card', { paymentMethodId: null }, null],
    ] as const)('holds no internals of an order that is %s', async (_, values, fault) => {
      if (fault !== null) gateway.faults.always(fault);
      const id = await processed(values);
      const { text: answer } = await text(`/api/ScheduledOrders/${id}/Explain`, customer);
      const withoutQuote = answer.replace(/"HowMuch":.*?,"WithWhat":/s, '"WithWhat":');
      for (const internal of await internalsOf(id)) expect(withoutQuote).not.toContain(internal);
      const { WithWhat, LastTime, When } = JSON.parse(answer);
      expect([WithWhat.PaymentIntegrationId, WithWhat.PaymentMethodType, LastTime.Cycle, LastTime.Said]).toEqual([
        null,
        null,
        null,
        null,
      ]);
      expect([When.Retry?.Cycle ?? null, withoutQuote.includes('cycle ')]).toEqual([null, false]);
    });
  });
});

describe('Who reads the explanation of a scheduled order', () => {
  itReaches(api, database, [
    {
      route: 'GET /api/ScheduledOrders/{scheduledOrderId}/Explain',
      path: async (world: World) =>
        `/api/ScheduledOrders/${await given.scheduledOrder(world.siteId, world.customerId)}/Explain`,
      answers: { 'own account': 200, 'another account': 403, 'own customer': 200, 'another customer': 403 },
    },
  ]);

  it('nobody, of no order or of a deleted one', async () => {
    const deleted = await given.scheduledOrder(shop.siteId, shop.customerId, { deletedUtc: later(-1) });
    for (const id of [deleted, 999_999_999]) {
      expect((await text(`/api/ScheduledOrders/${id}/Explain`)).status).toBe(404);
    }
  });
});
