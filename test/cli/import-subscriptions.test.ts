import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { upcoming } from '#libs/rules';
import { ALL_CASES, describeInAllCases } from '../support/all-cases.js';
import { measured } from '../support/bounds.js';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { SUBSCRIPTION_COLUMNS, type SubscriptionCells, subscriptionsCsv } from '../support/shops/subscriptions-csv.js';
import { until } from '../support/until.js';
import { bareEnvironment, cli, type Ran, REPORTS_MEMORY, useCli } from './run.js';

const database = useDatabase();
const here = useCli();
const EXPORTED = '2026-11-20T10:00:00Z';

const folder = mkdtempSync(join(tmpdir(), 'subscriptions-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function file(content: string): string {
  const path = join(folder, `${count++}.csv`);
  writeFileSync(path, content);
  return path;
}

const args = (path: string, siteId: number, ...more: string[]) => [
  ...['import:subscriptions', path, '--site', String(siteId), '--exported-utc', EXPORTED],
  ...more,
];
const run = (path: string, siteId: number, ...more: string[]) =>
  here(args(path, siteId, ...more), { env: { DATABASE_URL: database.url } });
const take = (siteId: number, rows: readonly SubscriptionCells[], ...more: string[]) =>
  run(file(subscriptionsCsv(rows)), siteId, ...more);

const result = ({ stdout }: Ran) => JSON.parse(stdout) as Record<string, unknown>;
const refusedBecause = ({ stderr }: Ran) => stderr.split('\n').filter((line) => line.startsWith('line '));

/** A site that has the product 12, and a payment integration. */
async function newSite(values: Record<string, unknown> = {}): Promise<number> {
  const { siteId } = await given(database).merchant({ currencyIso: 'EUR', ...values });
  await given(database).product(siteId, { externalId: '12', title: 'Kaffee', sku: 'kaffee', price: '10' });
  await given(database).insert('payment_integrations', { siteId, paymentMethodType: 'GatewayOne', testMode: true });
  return siteId;
}

const orders = (siteId: number, columns = '*') =>
  database.query(`SELECT ${columns} FROM scheduled_orders WHERE site_id = $1 ORDER BY id`, [siteId]);
const moved = (siteId: number, columns = 'source_id, state, reason') =>
  database.query(`SELECT ${columns} FROM migrated_subscriptions WHERE site_id = $1 ORDER BY scheduled_order_id`, [
    siteId,
  ]);
const items = (siteId: number) =>
  database.query(
    `SELECT p.external_id AS product, i.price, i.sale_price, i.quantity FROM scheduled_order_items i
     JOIN products p ON p.id = i.product_id WHERE i.site_id = $1 ORDER BY i.id`,
    [siteId],
  );

it('moves a subscription in, paused, with all that belongs to it; a second run changes nothing', async () => {
  const siteId = await newSite();
  const first = await take(siteId, [
    { customer_note: 'Bitte klingeln:\nzweimal, "laut"', order_notes: 'Payment received.;Status changed.' },
  ]);
  expect({ code: first.code, ...result(first) }).toEqual({
    code: 0,
    SiteId: siteId,
    Read: 1,
    Created: 1,
    AlreadyThere: 0,
    Changed: [],
    LiveButEnded: [],
    NotInFile: [],
    LeftOut: {},
    Refused: 0,
    CustomersCreated: 1,
    NotCarriedOver: { last_payment_date: 1, customer_note: 1, order_notes: 1 },
    Remarks: { FixedShipping: 1, FixedTax: 1 },
  });
  const [order] = await orders(siteId);
  expect(order).toMatchObject({
    status: 'Paused',
    frequency_type: 'Months',
    frequency: '1',
    next_occurrence_utc: new Date('2026-12-15T08:30:00Z'),
    schedule_anchor_utc: new Date('2026-12-15T08:30:00Z'),
    currency_iso: 'EUR',
    payment_method_type: 'GatewayOne',
    payment_method_customer_id: 'cus_7',
    payment_method_id: 'pm_7',
    payment_method_description: 'Kreditkarte (Stripe)',
    shipping_total: '400',
    shipping_total_fixed: true,
    tax_total: '0',
    total: '1400',
    shipping_first_name: 'Jörg',
    shipping_street1: 'Große Straße 1',
    shipping_country: 'DE',
  });
  expect(await items(siteId)).toEqual([{ product: '12', price: '10.0000', sale_price: null, quantity: '1' }]);
  const id = (order as { id: string }).id;
  expect(await moved(siteId, '*')).toEqual([
    {
      scheduled_order_id: id,
      site_id: String(siteId),
      source: 'woocommerce',
      source_id: '1001',
      source_status: 'active',
      payment_method_type: 'GatewayOne',
      gateway_customer_id: 'cus_7',
      gateway_card_id: 'pm_7',
      next_payment_utc: new Date('2026-12-15T08:30:00Z'),
      source_total: '1400',
      exported_utc: new Date(EXPORTED),
      state: 'Imported',
      reason: null,
      imported_utc: expect.any(Date),
      checked_utc: null,
      live_utc: null,
      paid_utc: null,
      accounted_utc: null,
      kept_date_utc: null,
    },
  ]);
  expect(
    await database.query(`SELECT external_id, email, last_name, billing_city FROM customers WHERE site_id = $1`, [
      siteId,
    ]),
  ).toEqual([{ external_id: '7', email: 'joerg@mail.example', last_name: 'Weiß', billing_city: 'Berlin' }]);
  expect(
    await database.query(
      `SELECT type, gateway_customer_id, gateway_payment_id, billing_country FROM payment_methods WHERE site_id = $1`,
      [siteId],
    ),
  ).toEqual([{ type: 'GatewayOne', gateway_customer_id: 'cus_7', gateway_payment_id: 'pm_7', billing_country: 'DE' }]);
  expect(
    await database.query(
      `SELECT action_type, description, access_token, new_scheduled_order->>'Total' AS total,
         new_scheduled_order->'ScheduledOrderItems'->0->>'Price' AS price
       FROM action_logs WHERE scheduled_order_id = $1`,
      [id],
    ),
  ).toEqual([
    {
      action_type: 'CreateScheduledOrder',
      description: 'Moved in: subscription 1001 of WooCommerce. Paused until it goes live.',
      access_token: expect.objectContaining({ Id: 0, AccessScope: 'Merchant', TokenAuth: null }),
      total: '1400',
      price: expect.stringMatching(/^10/),
    },
  ]);

  const all = async () => [await orders(siteId), await moved(siteId, '*'), await items(siteId)];
  const before = await all();
  const second = await take(siteId, [{ billing_city: 'Potsdam' }]);
  expect({ code: second.code, ...result(second) }).toMatchObject({
    ...{ code: 0, Read: 1, Created: 0, AlreadyThere: 1, Changed: [] },
  });
  expect(await all()).toEqual(before);
});

describe('a later file', () => {
  const isNow = 'changed in the shop since its import: ';

  const CHANGES: readonly [string, SubscriptionCells, string][] = [
    ['cancelled', { subscription_status: 'wc-cancelled', order_items: '' }, 'it is cancelled now, and was active'],
    ['about to be cancelled', { subscription_status: 'wc-pending-cancel' }, 'it is pending-cancel now, and was active'],
    ['on hold', { subscription_status: 'wc-on-hold' }, 'it is on-hold now, and was active; it is on hold in the shop'],
    ['paid by hand', { requires_manual_renewal: 'true' }, 'requires_manual_renewal: the customer pays by hand'],
    [
      'due on another date',
      { next_payment_date: '2027-01-20 08:30:00' },
      'next_payment_date is 2027-01-20 08:30 UTC now, and was 2026-12-15 08:30 UTC',
    ],
    [
      'of another total',
      { order_total: '24.00', order_shipping: '14.00' },
      'order_total is 24.00 EUR now, and was 14.00 EUR',
    ],
    [
      'of another card',
      { payment_method_post_meta: '_stripe_customer_id:cus_7|_stripe_source_id:pm_8' },
      'it has another card',
    ],
    [
      'of another customer of the gateway',
      { payment_method_post_meta: '_stripe_customer_id:cus_8|_stripe_source_id:pm_7' },
      'it has another customer of the gateway',
    ],
    ['refused', { fee_items: 'name:Fee|total:1.00', fee_total: '1.00' }, 'the row of a later file was refused'],
  ];

  it('leaves to a person, once, what is cancelled, on hold, of another date, total, card … by now', async () => {
    const siteId = await newSite();
    await take(siteId, [...CHANGES.map(() => ({})), {}]);
    const before = await orders(siteId);
    const rows = [...CHANGES.map(([, cells]) => cells), {}];
    const ran = await take(siteId, rows);
    const ids = (before as { id: string }[]).slice(0, -1).map(({ id }) => Number(id));
    expect(result(ran)).toMatchObject({ Created: 0, Changed: ids, LiveButEnded: [], NotInFile: [] });
    expect(ran.stderr).toContain(
      `left to a person (Manual), so they do not go live: scheduled orders ${ids.join(', ')}\n`,
    );
    for (let again = 0; again < 2; again += 1) {
      expect(await moved(siteId, 'state, reason')).toEqual([
        ...CHANGES.map(([, , difference]) => ({ state: 'Manual', reason: `${isNow}${difference}` })),
        { state: 'Imported', reason: null },
      ]);
      await take(siteId, rows);
    }
    expect(await orders(siteId)).toEqual(before);
  });

  it('adds what has changed to why it was left to a person', async () => {
    const siteId = await newSite();
    await take(siteId, [{ subscription_status: 'wc-on-hold' }]);
    await take(siteId, [{ subscription_status: 'wc-cancelled' }]);
    expect(await moved(siteId, 'state, reason')).toEqual([
      { state: 'Manual', reason: `it is on hold in the shop; ${isNow}it is cancelled now, and was on-hold` },
    ]);
  });

  it('names what is live and has ended, and what it does not have, and leaves both as they are', async () => {
    const siteId = await newSite();
    await take(siteId, [{}, {}, {}]);
    await database.query(
      `UPDATE migrated_subscriptions SET state = 'Live' WHERE site_id = $1 AND source_id IN ('1001', '1002')`,
      [siteId],
    );
    const ids = ((await orders(siteId)) as { id: string }[]).map(({ id }) => Number(id));
    const before = await moved(siteId, '*');
    const ran = await take(siteId, [
      { subscription_status: 'wc-cancelled' },
      { next_payment_date: '2027-01-20 08:30:00' },
    ]);
    expect(result(ran)).toMatchObject({ Changed: [], LiveButEnded: [ids[0]], NotInFile: [ids[2]] });
    expect(ran.stderr).toContain(`pause those that must not be charged: scheduled orders ${ids[0]}\n`);
    expect(ran.stderr).toContain(`look whether the shop still has them: scheduled orders ${ids[2]}\n`);
    expect(await moved(siteId, '*')).toEqual(before);
  });

  it('changes nothing in a dry run, and names what it would leave to a person', async () => {
    const siteId = await newSite();
    await take(siteId, [{}]);
    const before = await moved(siteId, '*');
    const ran = await take(siteId, [{ subscription_status: 'wc-cancelled' }], '--dry-run');
    expect(result(ran)).toMatchObject({ DryRun: true, Changed: [expect.any(Number)] });
    expect(await moved(siteId, '*')).toEqual(before);
  });
});

it('writes nothing in a dry run, and says what it would do', async () => {
  const siteId = await newSite();
  const dry = await take(siteId, [{}, { billing_period: 'aeon' }], '--dry-run');
  expect({ code: dry.code, ...result(dry) }).toMatchObject({ code: 65, DryRun: true, Created: 1, Refused: 1 });
  expect([await orders(siteId), await moved(siteId)]).toEqual([[], []]);
  expect(await database.query('SELECT id FROM customers WHERE site_id = $1', [siteId])).toEqual([]);
});

const SCHEDULES: readonly [string, string, string, string, string, string[]][] = [
  ['a 31st', '2026-01-31 23:59:59', 'month', '1', '2027-02-28 23:59:59', ['2027-02-28', '2027-03-31', '2027-04-30']],
  ['a 30th', '2026-01-30 06:00:00', 'month', '1', '2027-02-28 06:00:00', ['2027-02-28', '2027-03-31', '2027-04-30']],
  [
    'every two months from a 31st',
    '2026-01-31 06:00:00',
    'month',
    '2',
    '2027-09-30 06:00:00',
    ['2027-09-30', '2027-11-30', '2028-01-31'],
  ],
  [
    '29 February',
    '2024-02-29 06:00:00',
    'year',
    '1',
    '2027-02-28 06:00:00',
    ['2027-02-28', '2028-02-29', '2029-02-28'],
  ],
  [
    'a date that was moved',
    '2026-01-31 06:00:00',
    'month',
    '1',
    '2026-12-10 07:00:00',
    ['2026-12-10', '2027-01-10', '2027-02-10'],
  ],
  [
    'some seconds later',
    '2026-01-31 06:00:00',
    'month',
    '1',
    '2027-02-28 06:00:09',
    ['2027-02-28', '2027-03-31', '2027-04-30'],
  ],
  ['weeks', '2026-01-31 06:00:00', 'week', '2', '2026-12-10 06:00:00', ['2026-12-10', '2026-12-24', '2027-01-07']],
  ['days', '2026-01-31 06:00:00', 'day', '10', '2026-12-10 06:00:00', ['2026-12-10', '2026-12-20', '2026-12-30']],
];

it('keeps the days of each schedule', async () => {
  const siteId = await newSite();
  const rows = SCHEDULES.map(([, start, period, interval, next]) => ({
    ...{ start_date: start, billing_period: period, billing_interval: interval, next_payment_date: next },
  }));
  await take(siteId, rows);
  const made = (await orders(siteId)) as unknown as {
    frequency_type: 'Months';
    frequency: string;
    schedule_anchor_utc: Date;
    next_occurrence_utc: Date;
  }[];
  const found = made.map((order) =>
    upcoming({
      rule: { frequencyType: order.frequency_type, frequency: Number(order.frequency) },
      anchor: order.schedule_anchor_utc,
      first: order.next_occurrence_utc,
      replaced: null,
      now: new Date(EXPORTED),
      count: 3,
    }).map((instant) => instant.toISOString().slice(0, 19)),
  );
  expect(SCHEDULES.map(([name], index) => [name, found[index]])).toEqual(
    SCHEDULES.map(([name, , , , next, days]) => [name, days.map((day) => `${day}T${next.slice(11)}`)]),
  );
});

it('takes a trial that goes on, and follows the day on which it ends', async () => {
  const siteId = await newSite();
  const ran = await take(siteId, [
    { start_date: '2026-11-17 06:00:00', trial_end_date: '2026-11-30 06:00:00', next_payment_date: '0' },
    { trial_end_date: '2026-12-31 06:00:00', next_payment_date: '2026-12-15 06:00:00' },
    {
      start_date: '2026-01-17 06:00:00',
      trial_end_date: '2026-01-31 06:00:00',
      next_payment_date: '2027-02-28 06:00:00',
    },
  ]);
  expect(refusedBecause(ran)).toEqual([
    'line 3: next_payment_date "2026-12-15T06:00:00.000Z" is before trial_end_date "2026-12-31T06:00:00.000Z", when the first payment is due',
  ]);
  expect(await orders(siteId, 'next_occurrence_utc, schedule_anchor_utc')).toEqual([
    { next_occurrence_utc: new Date('2026-11-30T06:00:00Z'), schedule_anchor_utc: new Date('2026-10-31T06:00:00Z') },
    { next_occurrence_utc: new Date('2027-02-28T06:00:00Z'), schedule_anchor_utc: new Date('2027-01-31T06:00:00Z') },
  ]);
});

it('leaves to a person what an order cannot do as the subscription did, and says why', async () => {
  const siteId = await newSite();
  const ran = await take(siteId, [
    { subscription_status: 'on-hold' },
    { requires_manual_renewal: 'true' },
    { payment_method: 'ppec_paypal', payment_method_post_meta: '_ppec_billing_agreement_id:B-1' },
    { payment_method: '', payment_method_post_meta: '' },
    { payment_method_post_meta: '_stripe_customer_id:cus_7|_stripe_source_id:' },
    { requires_manual_renewal: 'true', payment_method_post_meta: '' },
    { end_date: '2027-06-01 00:00:00' },
    { next_payment_date: '0' },
    { coupon_items: 'code:sommer|description:10 %|amount:1.00', cart_discount: '1' },
    { shipping_method: 'method_id:a|method_title:A|total:1.00;method_id:b|method_title:B|total:3.00' },
  ]);
  expect({ code: ran.code, ...result(ran) }).toMatchObject({ code: 0, Created: 10, Remarks: { Manual: 10 } });
  expect((await moved(siteId)).map(({ state, reason }) => `${String(state)}: ${String(reason)}`)).toEqual([
    'Manual: it is on hold in the shop',
    'Manual: requires_manual_renewal: the customer pays by hand',
    'Manual: payment_method "ppec_paypal" is none of stripe, stripe_cc, authorize_net_cim_credit_card, authorize_net_cim',
    'Manual: the customer pays by hand',
    'Manual: payment_method_post_meta has no _stripe_source_id',
    'Manual: requires_manual_renewal: the customer pays by hand',
    'Manual: it ends at 2027-06-01T00:00:00.000Z, and nothing here ends an order',
    'Manual: it has no next_payment_date',
    'Manual: the discount of "code:sommer|description:10 %|amount:1.00" is part of its prices, and would stay',
    'Manual: its 2 shipping lines are one ShippingTotal',
  ]);
  expect((await orders(siteId, 'status, payment_method_id')).map(({ status }) => status)).toEqual(
    Array(10).fill('Paused'),
  );
  expect((await orders(siteId, 'payment_method_id'))[1]).toEqual({ payment_method_id: null });
  const logged = await database.query<{ description: string }>(
    `SELECT description FROM action_logs WHERE site_id = $1 ORDER BY scheduled_order_id LIMIT 1`,
    [siteId],
  );
  expect(logged[0]!.description).toBe(
    'Moved in: subscription 1001 of WooCommerce. Paused because it is on hold in the shop.',
  );
});

it('lets discounts stay where that is wanted', async () => {
  const siteId = await newSite();
  await take(siteId, [{ coupon_items: 'code:sommer|description:|amount:1.00' }], '--keep-discounts');
  expect(await moved(siteId, 'state, reason')).toEqual([{ state: 'Imported', reason: null }]);
});

it('counts what has ended or never began, and takes the other gateway', async () => {
  const siteId = await newSite();
  const ran = await take(siteId, [
    { subscription_status: 'wc-cancelled', order_items: '' },
    { subscription_status: 'wc-cancelled' },
    { subscription_status: 'wc-expired' },
    { subscription_status: 'wc-pending-cancel' },
    {
      payment_method: 'authorize_net_cim_credit_card',
      payment_method_post_meta:
        '_wc_authorize_net_cim_credit_card_customer_id:900|_wc_authorize_net_cim_credit_card_payment_token:901',
    },
  ]);
  expect({ code: ran.code, ...result(ran) }).toMatchObject({
    code: 0,
    Read: 5,
    Created: 1,
    LeftOut: { cancelled: 2, expired: 1, 'pending-cancel': 1 },
    Remarks: { WithoutPaymentIntegration: 1 },
  });
  expect(ran.stderr).toContain('not imported, by status: cancelled (2), expired (1), pending-cancel (1)\n');
  expect(await orders(siteId, 'payment_method_type, payment_method_customer_id, payment_method_id')).toEqual([
    { payment_method_type: 'GatewayTwo', payment_method_customer_id: '900', payment_method_id: '901' },
  ]);
});

const REFUSED: readonly [string, SubscriptionCells, string][] = [
  ['no id', { subscription_id: '' }, 'subscription_id is empty'],
  [
    'a status',
    { subscription_status: 'wc-frozen' },
    'subscription_status "wc-frozen" must be one of active, on-hold, cancelled, expired, pending-cancel, pending, switched, trash, draft, auto-draft',
  ],
  ['a period', { billing_period: 'quarter' }, 'billing_period "quarter" must be day, week, month or year'],
  ['an interval', { billing_interval: 'x' }, 'billing_interval "x" is not a whole number'],
  [
    'a long interval',
    { billing_period: 'year', billing_interval: '11' },
    'billing_interval "11" of years: 132 must be an integer from 1 to 120 for FrequencyType Months',
  ],
  ['no start', { start_date: '0' }, 'start_date is empty'],
  [
    'no date',
    { next_payment_date: '31.12.2026' },
    'next_payment_date "31.12.2026" is not a date and time such as 2026-01-31 08:00:00 (UTC)',
  ],
  [
    '31 February',
    { next_payment_date: '2026-02-31 00:00:00' },
    'next_payment_date "2026-02-31 00:00:00" is not a date and time such as 2026-01-31 08:00:00 (UTC)',
  ],
  ['a currency', { order_currency: 'EURO' }, 'order_currency "EURO" must be an ISO 4217 currency code such as USD'],
  ['an amount', { order_total: '14,00' }, 'order_total "14,00" is not a decimal number such as 12.50'],
  ['a negative amount', { order_shipping: '-4' }, 'order_shipping "-4" is negative'],
  [
    'a fee',
    { fee_items: 'name:Handling|total:5.00|tax:|tax_class:', order_total: '19.00' },
    'fee_items "name:Handling|total:5.00|tax:|tax_class:" has no place here: make the fee an item of order_items, with a product of its own',
  ],
  [
    'another total',
    { order_total: '19.00' },
    'order_total 19.00 is not the sum of its parts: items 10.00, shipping 4.00, tax 0.00',
  ],
  ['another tax', { order_tax: '1.90' }, 'order_tax 1.90 is not the tax of its parts: items 0.00, shipping 0.00'],
  ['no items', { order_items: '' }, 'order_items is empty'],
  [
    'a deleted product',
    { order_items: 'product_id:0|name:Weg|quantity:1|total:10.00|meta:|tax:' },
    'order_items: item 1 has no product_id, for its product was deleted in the shop',
  ],
  [
    'an unknown product',
    { order_items: 'product_id:99|name:Tee; grün | lose: 1|quantity:1|total:10.00|meta:|tax:' },
    'order_items: the site has no product with product_id "99" ("Tee; grün | lose: 1"): import the products first',
  ],
  [
    'a quantity',
    { order_items: 'product_id:12|name:Kaffee|quantity:1.5|total:10.00|meta:|tax:' },
    'order_items: item 1: quantity "1.5" is not a whole number from 1 to 1,000,000',
  ],
  [
    'an item without total',
    { order_items: '12' },
    'order_items: item 1 has no product_id, for its product was deleted in the shop',
  ],
  ['nobody', { customer_id: '0', billing_email: '' }, 'customer_id and billing_email are empty'],
  ['an e-mail address', { billing_email: 'joerg' }, 'billing_email "joerg" is not an e-mail address'],
  [
    'a country',
    { billing_country: 'Teutonia' },
    'billing_country "Teutonia" is no country: it must be an ISO 3166-1 code such as US, or its English name',
  ],
  [
    'an export without tokens',
    { payment_method_post_meta: '' },
    'payment_method_post_meta is empty: export again with "Payment Method Tokens"',
  ],
  [
    'a price that no 4 places make',
    { order_items: 'product_id:12|name:Kaffee|quantity:300|total:10.00|meta:|tax:' },
    'order_items: no price with 4 decimal places times 300 is 1000 minor units of EUR',
  ],
];

it('refuses each by line and reason', async () => {
  const siteId = await newSite();
  const ran = await take(
    siteId,
    REFUSED.map(([, cells]) => cells),
  );
  expect(refusedBecause(ran).sort()).toEqual(REFUSED.map(([, , reason], row) => `line ${row + 2}: ${reason}`).sort());
  expect({ code: ran.code, ...result(ran) }).toMatchObject({ code: 65, Created: 0, Refused: REFUSED.length });
  expect(await orders(siteId)).toEqual([]);
});

it('refuses a product that would not be charged, twins, and an e-mail address of several customers', async () => {
  const siteId = await newSite();
  await given(database).product(siteId, { externalId: '13', title: 'Tee', availability: 'OutOfStock' });
  const twins = [1, 2].map(() => given(database).customer(siteId, { email: 'TWO@mail.example' }));
  const ids = (await Promise.all(twins)).sort((one, other) => one - other);
  const ran = await take(siteId, [
    {},
    { order_items: 'product_id:13|name:Tee|quantity:1|total:10.00|meta:|tax:' },
    { subscription_id: '1001' },
    { customer_id: '0', billing_email: 'two@mail.example' },
  ]);
  expect(refusedBecause(ran)).toEqual([
    'line 4: the same subscription_id as line 2, which is imported',
    `line 5: "two@mail.example" is the e-mail address of the customers ${ids.join(', ')}: give the row the customer_id of one of them`,
    expect.stringMatching(/^line 3: order_items: item 1 would not be charged: .*OutOfStock/),
  ]);
  expect(result(ran)).toMatchObject({ Created: 1, Refused: 3 });
});

it('takes customers that are there, and makes each missing one once', async () => {
  const siteId = await newSite();
  const byId = await given(database).customer(siteId, { externalId: '7', email: 'other@mail.example' });
  const byEmail = await given(database).customer(siteId, { email: 'GUEST@mail.example' });
  const ran = await take(siteId, [
    {},
    { customer_id: '0', billing_email: 'guest@mail.example' },
    { customer_id: '8', billing_email: 'new@mail.example' },
    { customer_id: '8', billing_email: 'new@mail.example' },
    { customer_id: '0', billing_email: 'fresh@mail.example' },
    { customer_id: '', billing_email: 'Fresh@mail.example' },
  ]);
  expect(result(ran)).toMatchObject({ Created: 6, CustomersCreated: 2 });
  const owners = (await orders(siteId, 'customer_id')).map(({ customer_id }) => Number(customer_id));
  expect(owners.slice(0, 2)).toEqual([byId, byEmail]);
  expect(new Set(owners).size).toBe(4);
});

it('reads items whose names have separators in them, several products, and variations by SKU', async () => {
  const siteId = await newSite();
  await given(database).product(siteId, { externalId: '14', sku: 'tee-m' });
  const ran = await take(siteId, [
    {
      order_items:
        'product_id:12|name:Kaffee | "stark"; 1: total|quantity:3|total:10.00|meta:pa_mahlung=fein+_x={"a"1}|tax:;product_id:0|sku:tee-m|name:Tee|quantity:2|total:5.00|meta:|tax:',
      order_total: '19.00',
    },
  ]);
  expect({ code: ran.code, ...result(ran) }).toMatchObject({ code: 0, NotCarriedOver: { 'order_items: meta': 1 } });
  expect(await items(siteId)).toEqual([
    { product: '12', price: '3.3333', sale_price: null, quantity: '3' },
    { product: '14', price: '2.5000', sale_price: null, quantity: '2' },
  ]);
  expect(await orders(siteId, 'total')).toEqual([{ total: '1900' }]);
});

describe('taxes', () => {
  const rate = (siteId: number, country: string, percent: string) =>
    given(database).taxRate(siteId, { country, rate: percent, name: 'VAT', appliesToShipping: true });
  const totals = (siteId: number) =>
    orders(siteId, 'shipping_total, tax_total, total, shipping_total_fixed, tax_total_fixed');
  const NET: SubscriptionCells = {
    order_items: 'product_id:12|name:Kaffee|quantity:1|total:10.00|meta:|tax:1.90',
    order_shipping_tax: '0.76',
    order_tax: '2.66',
    order_total: '16.66',
  };

  it('follow the site’s rates where these give the same, and are fixed where they do not', async () => {
    const siteId = await newSite();
    await given(database).insert('site_settings', { siteId, shippingTax: 'ByRate' });
    await rate(siteId, 'DE', '19');
    await given(database).shippingRate(siteId, { basePrice: '4' });
    const ran = await take(siteId, [
      NET,
      { ...NET, order_shipping: '3.00', order_shipping_tax: '0.57', order_tax: '2.47', order_total: '15.47' },
      {
        ...NET,
        order_items: 'product_id:12|name:Kaffee|quantity:1|total:10.00|meta:|tax:0.70',
        order_tax: '1.46',
        order_total: '15.46',
      },
    ]);
    expect(result(ran)).toMatchObject({ Created: 3, Remarks: { FixedShipping: 2, FixedTax: 1 } });
    expect(refusedBecause(ran)).toEqual([
      "line 4: imported with the tax of the shop, 1.46, fixed: the site's rates give 2.66",
    ]);
    expect(await totals(siteId)).toEqual([
      { shipping_total: '400', tax_total: '266', total: '1666', shipping_total_fixed: false, tax_total_fixed: false },
      { shipping_total: '300', tax_total: '247', total: '1547', shipping_total_fixed: true, tax_total_fixed: false },
      { shipping_total: '400', tax_total: '146', total: '1546', shipping_total_fixed: true, tax_total_fixed: true },
    ]);
  });

  it('in prices with tax: at home, elsewhere, and for who pays none', async () => {
    const siteId = await newSite();
    await given(database).insert('site_settings', {
      siteId,
      prices: 'Gross',
      homeCountry: 'DE',
      grossOutside: 'Adjust',
      shippingTax: 'ByRate',
    });
    await rate(siteId, 'DE', '19');
    await rate(siteId, 'FR', '20');
    const ran = await take(siteId, [
      // 11.90 at home; 4.76 of shipping.
      NET,
      // The same net price in France.
      {
        ...NET,
        billing_country: 'FR',
        order_items: 'product_id:12|name:Kaffee|quantity:1|total:10.00|meta:|tax:2.00',
        order_shipping_tax: '0.80',
        order_tax: '2.80',
        order_total: '16.80',
      },
      // No rate for Switzerland.
      { billing_country: 'CH' },
      // A tax that no rate gives.
      {
        ...NET,
        order_items: 'product_id:12|name:Kaffee|quantity:1|total:10.00|meta:|tax:0.70',
        order_tax: '1.46',
        order_total: '15.46',
      },
    ]);
    expect(result(ran)).toMatchObject({ Created: 4, Refused: 0, Remarks: { FixedTax: 1 } });
    expect((await items(siteId)).map(({ price }) => price)).toEqual(['11.9000', '11.9000', '11.9000', '10.7000']);
    expect(await totals(siteId)).toEqual([
      { shipping_total: '400', tax_total: '266', total: '1666', shipping_total_fixed: true, tax_total_fixed: false },
      { shipping_total: '400', tax_total: '280', total: '1680', shipping_total_fixed: true, tax_total_fixed: false },
      { shipping_total: '400', tax_total: '0', total: '1400', shipping_total_fixed: true, tax_total_fixed: false },
      // Its shipping has the tax in it.
      { shipping_total: '476', tax_total: '70', total: '1546', shipping_total_fixed: true, tax_total_fixed: true },
    ]);
  });

  it('of amounts that the shop keeps unrounded, and of an export without the tax of shipping in order_tax', async () => {
    const siteId = await newSite();
    const ran = await take(siteId, [
      {
        order_items: 'product_id:12|name:Kaffee|quantity:1|total:8.40|meta:|tax:1.60',
        order_shipping: '4.2016806722689',
        order_shipping_tax: '0.798319',
        order_tax: '2.394958',
        order_total: '15.00',
      },
      { ...NET, order_tax: '1.90' },
    ]);
    expect(refusedBecause(ran)).toEqual([]);
    expect(await orders(siteId, 'shipping_total, tax_total, total')).toEqual([
      { shipping_total: '420', tax_total: '240', total: '1500' },
      { shipping_total: '400', tax_total: '266', total: '1666' },
    ]);
  });
});

it('refuses a file that is no such export, and understands titles and German', async () => {
  const siteId = await newSite();
  const path = file('ID,Name\n1,Tee\n');
  expect(await run(path, siteId)).toMatchObject({
    code: 65,
    stderr: `${path} is not a WooCommerce subscriptions export: its first line has no column "subscription_id", "subscription_status", "start_date", "next_payment_date", "end_date", "billing_period", "billing_interval", "order_shipping", "order_tax", "order_total", "order_items", "coupon_items". The first line has "ID", "Name". If one of these is such a column under another name, say so: --column order_total="its heading".\n`,
  });
  const german: Record<string, string> = {
    subscription_id: 'Abonnement-ID',
    subscription_status: 'Subscription Status',
    start_date: 'Startdatum',
    order_total: 'Gesamtsumme',
    billing_postcode: 'Rechnung: Postleitzahl',
  };
  const [head, ...rows] = subscriptionsCsv([{}]).split('\n');
  const translated = head!.split(',').map((column) => german[column] ?? column);
  const ran = await run(file([translated.map((name) => `"${name}"`).join(','), ...rows].join('\n')), siteId);
  expect({ code: ran.code, ...result(ran) }).toMatchObject({ code: 0, Created: 1 });
  expect(await orders(siteId, 'shipping_postcode')).toEqual([{ shipping_postcode: '10115' }]);
});

it('counts what WooCommerce would move to the end of the month for good, and what keeps its day here', async () => {
  const due = (next_payment_date: string, billing_period = 'month', billing_interval = '1') => ({
    ...{ next_payment_date: `${next_payment_date} 06:00:00`, billing_period, billing_interval },
  });
  const differing = [
    due('2026-12-28'),
    due('2027-01-29'),
    due('2026-12-30', 'month', '2'),
    due('2027-05-28', 'month', '3'),
  ];
  const equal = [
    ...[
      due('2026-12-31'),
      due('2027-02-28'),
      due('2026-12-27'),
      due('2026-12-28', 'week'),
      due('2026-12-28', 'day', '30'),
    ],
    ...[due('2027-01-28', 'month', '3'), due('2027-03-30', 'year'), due('2026-11-30')],
  ];
  expect(result(await take(await newSite(), differing))).toMatchObject({ Created: 4, Remarks: { KeepsDay: 4 } });
  const { Created, Remarks } = result(await take(await newSite(), equal));
  expect([Created, Remarks]).toEqual([8, expect.not.objectContaining({ KeepsDay: expect.anything() })]);
});

describe('headings of somebody’s own', () => {
  const own: Record<string, string> = { order_total: 'Betrag', order_tax: 'davon "MwSt."', order_items: 'Posten' };
  const [head, row] = subscriptionsCsv([{ order_total: '15.00', order_shipping: '5.00' }]).split('\n');
  const withOwn = (more = '') =>
    head!
      .split(',')
      .map((column) => `"${(own[column] ?? column).replaceAll('"', '""')}"`)
      .join(',') + more;
  const named = Object.entries(own).flatMap(([column, heading]) => ['--column', `${column}=${heading}`]);

  it('are read as the columns that the user says they are, whatever their case and spaces', async () => {
    const siteId = await newSite();
    const path = file(`${withOwn()}\n${row!}\n`);
    const refused = await run(path, siteId);
    expect([refused.code, refused.stderr]).toEqual([
      65,
      expect.stringMatching(
        /no column "order_tax", "order_total", "order_items"\. The first line has .*"Betrag".*--column/,
      ),
    ]);
    const ran = await run(path, siteId, ...named.map((part) => part.replace('Betrag', ' BETRAG ')));
    expect({ ...ran, ...result(ran) }).toMatchObject({ code: 0, Created: 1, NotCarriedOver: {} });
    expect(await orders(siteId, 'shipping_total, total')).toEqual([{ shipping_total: '500', total: '1500' }]);
  });

  it('go before the exporter’s own names', async () => {
    const siteId = await newSite();
    const path = file(`${withOwn(',order_total')}\n${row!},99.00\n`);
    expect(await run(path, siteId, ...named)).toMatchObject({ code: 0 });
    expect(await orders(siteId, 'total')).toEqual([{ total: '1500' }]);
  });

  it.each([
    [
      'the file lacks',
      ['order_total=Summe'],
      65,
      /has no heading "Summe" for order_total\. The first line has "subscr/,
    ],
    [
      'are of no column',
      ['total=Betrag'],
      64,
      /"total" is no column that is read\. These are: subscription_id, .*order_total/,
    ],
    ['are none', ['order_total'], 64, /It is not a column and its heading, e\.g\. order_total=Total\./],
  ])('that %s are refused', async (_, columns, code, message) => {
    const siteId = await newSite();
    const more = columns.flatMap((column) => ['--column', column]);
    const ran = await run(file(subscriptionsCsv([{}])), siteId, ...more);
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringMatching(message)]);
    expect(await orders(siteId)).toEqual([]);
  });

  it('are refused where two are one column, and the user may say which', async () => {
    const siteId = await newSite();
    const path = file(`${head!},Subscription Total\n${row!.replace('15.00', '99.00')},15.00\n`);
    expect(await run(path, siteId)).toMatchObject({
      code: 65,
      stderr: `${path} has several headings for order_total: "order_total", "Subscription Total". Say which one it is, e.g. --column order_total="order_total", or remove the others.\n`,
    });
    const ran = await run(path, siteId, '--column', 'order_total=Subscription Total');
    expect({ ...ran, ...result(ran) }).toMatchObject({ code: 0, Created: 1 });
  });
});

it.each([
  ['without', [], "required option '--exported-utc <instant>' not specified\n"],
  ['with a local time', ['--exported-utc', '2026-11-20 10:00'], 'It is not an instant such as 2026-01-31T08:00:00Z.'],
  [
    'in the future',
    ['--exported-utc', '2999-01-01T00:00:00Z'],
    '--exported-utc 2999-01-01T00:00:00.000Z is in the future.',
  ],
])('needs the time of the export: %s', async (_, more, message) => {
  const siteId = await newSite();
  const ran = await here(['import:subscriptions', file(subscriptionsCsv([{}])), '--site', String(siteId), ...more], {
    env: { DATABASE_URL: database.url },
  });
  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toContain(message);
  expect(await orders(siteId)).toEqual([]);
});

describeInAllCases('a large file', () => {
  const ROWS = ALL_CASES ? 20_000 : 2_500;
  const CUSTOMERS = ALL_CASES ? 5_000 : 2_000;
  /** A process that does it says its peak memory in KiB at its end. */
  let path: string;

  beforeAll(async () => {
    path = join(folder, 'large.csv');
    const out = createWriteStream(path);
    out.write(subscriptionsCsv([], SUBSCRIPTION_COLUMNS));
    for (let row = 0; row < ROWS; row++) {
      const text = subscriptionsCsv([
        {
          subscription_id: String(row),
          customer_id: String(row % CUSTOMERS),
          billing_email: `c${row % CUSTOMERS}@mail.example`,
          order_notes: 'Payment received.;'.repeat(20),
        },
      ]);
      if (!out.write(text.slice(text.indexOf('\n') + 1))) await once(out, 'drain');
    }
    out.end();
    await once(out, 'finish');
  });

  const begun = (siteId: number): ChildProcess =>
    spawn(process.execPath, [join(__dirname, '../../dist/apps/cli/src/main.js'), ...args(path, siteId)], {
      env: { ...bareEnvironment(), DATABASE_URL: database.url },
      stdio: 'ignore',
    });

  it('leaves nothing when it is killed in the middle, and goes in then, in little memory', async () => {
    const siteId = await newSite();
    // What it writes waits for the product, however few rows there are.
    const locker = database.dataSource.createQueryRunner();
    await locker.startTransaction();
    await locker.query('SELECT FROM products WHERE site_id = $1 FOR UPDATE', [siteId]);
    const child = begun(siteId);
    await until(async () => {
      const writing = await database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'cli' AND state <> 'idle'
           AND query LIKE '%INSERT INTO scheduled_order%'`,
      );
      return writing.length > 0;
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    await locker.rollbackTransaction();
    await locker.release();
    expect([await orders(siteId, 'id'), await moved(siteId)]).toEqual([[], []]);
    expect(await database.query('SELECT id FROM customers WHERE site_id = $1', [siteId])).toEqual([]);

    const ran = await cli(args(path, siteId), {
      env: { DATABASE_URL: database.url },
      nodeOptions: ['--max-old-space-size=96', '--import', REPORTS_MEMORY],
    });
    expect(Number(/^\d+$/m.exec(ran.stderr)![0]) * 1024).toBeLessThan(measured(200 * 2 ** 20));
    expect({ code: ran.code, ...result(ran) }).toMatchObject({
      code: 0,
      Read: ROWS,
      Created: ROWS,
      CustomersCreated: CUSTOMERS,
    });
    const [sums] = await database.query(
      `SELECT count(*)::integer AS orders, sum(total)::bigint AS total, count(DISTINCT customer_id)::integer AS customers
       FROM scheduled_orders WHERE site_id = $1`,
      [siteId],
    );
    expect(sums).toEqual({ orders: ROWS, total: String(ROWS * 1_400), customers: CUSTOMERS });
  });
});
