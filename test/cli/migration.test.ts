import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import {
  authorizeNetPayer,
  type Gateways,
  importInto,
  type MovedShop,
  movedShop,
  movingEnvironment,
  paidByAuthorizeNet,
  paidByStripe,
  shopDate,
  stripePayer,
} from '../support/shops/moved-shop.js';
import type { SubscriptionCells } from '../support/shops/subscriptions-csv.js';
import { until } from '../support/until.js';
import { createWorker } from '../support/worker.js';
import { bareEnvironment, type Ran, useCli } from './run.js';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const MAIN = join(__dirname, '../../dist/apps/cli/src/main.js');

const database = useDatabase();
const api = useApi(database);
const run = useCli();
/** Another process, for what happens at the same time: each runs one command after the other. */
const runBeside = useCli();
const gateways = {} as { -readonly [Name in keyof Gateways]: Gateways[Name] };

beforeAll(async () => {
  gateways.one = await StripeStandIn.start();
  gateways.two = await AuthorizeNetStandIn.start();
});
afterAll(() => Promise.all([gateways.one.stop(), gateways.two.stop()]));

const ago = (ms: number) => new Date(Date.now() - ms);
/** In whole seconds, as the export has them. */
const ahead = (ms: number) => new Date(Math.floor((Date.now() + ms) / 1_000) * 1_000);

let numbers = 0;

const KILLS = 3;

interface Made extends MovedShop {
  /** Of the first subscription, which GatewayOne charges; the next has the next one, and GatewayTwo charges it. */
  readonly number: number;
  readonly nextUtc: Date;
  readonly rows: readonly SubscriptionCells[];
}

/** Pairs of subscriptions, one of each gateway, exported two hours ago and due in five days, unless said otherwise. */
async function givenMove(
  about: SubscriptionCells = {},
  { exportedUtc = ago(2 * HOUR), pairs = 1 } = {},
): Promise<Made> {
  const number = numbers + 2;
  numbers += 2 * pairs;
  const nextUtc = ahead(5 * DAY);
  const common = { next_payment_date: shopDate(nextUtc), ...about };
  const { one, two } = gateways;
  const rows = Array.from({ length: pairs }, (_, pair) => number + 2 * pair).flatMap((first) => {
    one.attach(stripePayer(first).card, stripePayer(first).customer);
    two.attach(authorizeNetPayer(first + 1).card, authorizeNetPayer(first + 1).customer);
    return [
      { ...paidByStripe(first), ...common },
      { ...paidByAuthorizeNet(first + 1), ...common },
    ];
  });
  const shop = await movedShop(database, { rows, exportedUtc, gateways, run });
  expect(shop.imported).toMatchObject({ code: 0 });
  return { ...shop, number, nextUtc, rows };
}

const command = (name: string, siteId: number, ...more: string[]) =>
  run([name, '--site', String(siteId), ...more], { env: movingEnvironment(database, gateways) });
const check = (siteId: number) => command('migration:check', siteId, '--json');
const goLive = (siteId: number, ...more: string[]) => command('migration:go-live', siteId, ...more);
const goLiveBeside = (siteId: number, ...more: string[]) =>
  runBeside(['migration:go-live', '--site', String(siteId), ...more], { env: movingEnvironment(database, gateways) });
const resolve = (siteId: number, id: number, ...more: string[]) =>
  command('migration:resolve', siteId, '--orders', String(id), ...more);

interface Checked {
  readonly Passed: number;
  readonly Live: number;
  readonly Held: Readonly<Record<string, readonly { ScheduledOrderId: number; SourceId: string; Sentence: string }[]>>;
  readonly PaidElsewhere: readonly { ScheduledOrderId: number; Sentence: string }[];
  readonly LiveElsewhere: readonly { ScheduledOrderId: number; Sentence: string }[];
  readonly DatesChanged: readonly number[];
}
const found = ({ stdout, stderr }: Ran) => {
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Checked;
};
const heldBy = (ran: Ran) =>
  Object.entries(found(ran).Held).map(([reason, all]) => [
    reason,
    ...all.map(({ ScheduledOrderId }) => ScheduledOrderId),
  ]);

const states = ({ siteId }: MovedShop) =>
  database.query<{ state: string; reason: string | null; status: string; next: Date }>(
    `SELECT m.state, m.reason, o.status, o.next_occurrence_utc AS next FROM migrated_subscriptions m
     JOIN scheduled_orders o ON o.id = m.scheduled_order_id WHERE m.site_id = $1 ORDER BY o.id`,
    [siteId],
  );

const elsewhere = { amount: 1_400, currency: 'EUR' };
const charges = () => gateways.one.ledger.charges.length + gateways.two.ledger.charges.length;

describe('migration:check', () => {
  it('passes what may go live, charges nothing, and lists each account once', async () => {
    const move = await givenMove();
    const before = charges();
    const ran = await check(move.siteId);
    expect({ code: ran.code, ...found(ran) }).toEqual({
      code: 0,
      Site: move.siteId,
      Passed: 2,
      Held: {},
      StaysPaused: {},
      Manual: 0,
      Live: 0,
      PaidElsewhere: [],
      LiveElsewhere: [],
      DatesChanged: [],
      TotalNotCompared: [],
      TestMode: ['GatewayOne', 'GatewayTwo'],
    });
    expect(await states(move)).toMatchObject([
      { state: 'Passed', status: 'Paused' },
      { state: 'Passed', status: 'Paused' },
    ]);
    expect(charges()).toBe(before);
  });

  it('prints a table with counts, ids and what to do', async () => {
    const move = await givenMove();
    const transaction = gateways.one.chargeElsewhere(move.keyOfOne, { ...stripePayer(move.number), ...elsewhere });
    const { code, stdout } = await command('migration:check', move.siteId);
    expect(code).toBe(65);
    expect(stdout).toContain('       1  passed: may go live\n       1  held\n');
    expect(stdout).toContain('PaidSinceExport: the gateway shows a payment of its customer since the export');
    expect(stdout).toMatch(new RegExp(`^ +${move.ids[0]}$`, 'm'));
    expect(stdout).toContain(`${transaction} took 14.00 EUR at `);
  });

  it('leaves to a person what the import left to a person', async () => {
    const { siteId } = await givenMove({ subscription_status: 'wc-on-hold' });
    const ran = await check(siteId);
    expect({ code: ran.code, ...found(ran) }).toMatchObject({ code: 0, Passed: 0, Manual: 2, Held: {} });
    expect(JSON.parse((await goLive(siteId)).stdout)).toEqual({ Live: 0, Held: {}, Left: 0 });
  });

  it('holds what was paid since the export: by its customer at either gateway, by an older plugin, and settled since', async () => {
    const move = await givenMove({}, { pairs: 2 });
    const [first, second, third, fourth] = move.ids;
    const { one, two } = gateways;
    const ofOne = (index: number, more = {}) =>
      one.chargeElsewhere(move.keyOfOne, { ...stripePayer(move.number + index), ...elsewhere, ...more });
    const ofTwo = (index: number) =>
      two.chargeElsewhere(move.loginOfTwo, { ...authorizeNetPayer(move.number + index), ...elsewhere });
    const settled = ofTwo(3);
    two.settleAll();
    const paid = [ofOne(0, { card: 'pm_other' }), ofTwo(1), ofOne(2, { isOlder: true }), settled];
    const ran = await check(move.siteId);
    expect(ran.code).toBe(65);
    expect(heldBy(ran)).toEqual([['PaidSinceExport', first, second, third, fourth]]);
    for (const [index, transaction] of paid.entries()) {
      expect(found(ran).Held.PaidSinceExport![index]!.Sentence).toMatch(
        new RegExp(
          `^${transaction} took 14\\.00 EUR at .+, after the export of .+ Make sure that the old shop renews nothing any more\\.`,
        ),
      );
    }
    for (const state of await states(move)) expect(state).toMatchObject({ state: 'Held', status: 'Paused' });
  });

  it('does not hold for payments before the export, of guests, of others, or of this service', async () => {
    const move = await givenMove({}, { exportedUtc: ago(60_000) });
    const worker = createWorker(database, movingEnvironment(database, gateways));
    gateways.one.clockAheadMs = -HOUR;
    gateways.one.chargeElsewhere(move.keyOfOne, { ...stripePayer(move.number), ...elsewhere });
    gateways.one.clockAheadMs = 0;
    gateways.one.chargeElsewhere(move.keyOfOne, { customer: null, card: 'pm_guest', ...elsewhere });
    gateways.two.chargeElsewhere(move.loginOfTwo, { ...authorizeNetPayer(1), ...elsewhere });
    const customerId = await given(database).customer(move.siteId);
    const { customer, card } = stripePayer(move.number);
    const own = await given(database).scheduledOrder(move.siteId, customerId, {
      ...{ currencyIso: 'EUR', nextOccurrenceUtc: ago(HOUR), scheduleAnchorUtc: ago(HOUR) },
      ...{ paymentMethodType: 'GatewayOne', paymentMethodCustomerId: customer, paymentMethodId: card },
    });
    await given(database).item(move.siteId, own, move.productId);
    await worker.drain();
    await worker.end();
    expect(gateways.one.ledger.capturesOf(own)).toHaveLength(1);
    expect(heldBy(await check(move.siteId))).toEqual([]);
  });

  itInAllCases("holds for a charge of another installation that has the same order's number", async () => {
    const move = await givenMove();
    const { customer, card } = stripePayer(move.number);
    const body = new URLSearchParams({
      ...{ amount: '1400', currency: 'eur', customer, payment_method: card, confirm: 'true', off_session: 'true' },
      ...{ 'metadata[scheduled_order_id]': '1', 'metadata[cycle]': '1', 'metadata[attempt]': '1' },
    });
    const headers = { authorization: `Bearer ${move.keyOfOne}`, 'idempotency-key': 'of another installation' };
    await fetch(`${gateways.one.url}/v1/payment_intents`, { method: 'POST', headers, body });
    expect(heldBy(await check(move.siteId))).toEqual([['PaidSinceExport', move.ids[0]]]);
  });

  const change = (sql: string) => (id: number) => database.query(sql, [id]);
  it('holds each as what it is, and the others go live', async () => {
    const attached: Record<number, number> = {};
    const cases: [string, (id: number, siteId: number) => unknown][] = [
      ['Deleted', change(`UPDATE scheduled_orders SET deleted_utc = now() WHERE id = $1`)],
      ['NotPaused', change(`UPDATE scheduled_orders SET status = 'Pending' WHERE id = $1`)],
      ['NoDate', change(`UPDATE scheduled_orders SET next_occurrence_utc = NULL WHERE id = $1`)],
      ['NoItems', change(`UPDATE scheduled_order_items SET deleted_utc = now() WHERE scheduled_order_id = $1`)],
      ['PriceDiffers', change(`UPDATE scheduled_order_items SET price = 11 WHERE scheduled_order_id = $1`)],
      [
        'ProductUnavailable',
        async (id, siteId) => {
          const productId = await given(database).product(siteId, { title: 'Tee', availability: 'OutOfStock' });
          const set = `UPDATE scheduled_order_items SET product_id = $2 WHERE scheduled_order_id = $1`;
          await database.query(set, [id, productId]);
        },
      ],
      [
        'ShippingRateMissing',
        async (id, siteId) => {
          await given(database).shippingRate(siteId, { country: 'FR', basePrice: '4' });
          await database.query(`UPDATE scheduled_orders SET shipping_total_fixed = false WHERE id = $1`, [id]);
        },
      ],
      ['NotPriceable', change(`UPDATE scheduled_orders SET currency_iso = 'XXX' WHERE id = $1`)],
      ['NoPaymentMethod', change(`UPDATE scheduled_orders SET payment_method_id = NULL WHERE id = $1`)],
      ['CardMissing', (id) => gateways.one.attach(stripePayer(attached[id]!).card, null)],
      ['CardMissing', change(`UPDATE scheduled_orders SET payment_method_customer_id = 'cus_other' WHERE id = $1`)],
    ];
    const move = await givenMove({}, { pairs: cases.length });
    const expected: Record<string, number[]> = {};
    for (const [pair, [reason, before]] of cases.entries()) {
      const id = move.ids[2 * pair]!;
      attached[id] = move.number + 2 * pair;
      await Promise.resolve(before(id, move.siteId));
      (expected[reason] ??= []).push(id);
    }
    const ran = await check(move.siteId);
    expect(ran.code).toBe(65);
    expect(Object.fromEntries(heldBy(ran).map(([reason, ...ids]) => [reason, ids]))).toEqual(expected);
    expect(await states(move)).toMatchObject(
      cases.flatMap(([reason]) => [
        { state: 'Held', reason: expect.stringMatching(new RegExp(`^${reason}: .+`)) },
        { state: 'Passed' },
      ]),
    );
    expect(JSON.parse((await goLive(move.siteId)).stdout)).toEqual({ Live: cases.length, Held: {}, Left: 0 });
  });

  const OF_INTEGRATIONS: [string, (move: Made) => unknown][] = [
    [
      'IntegrationMissing',
      (move) =>
        database.query(
          `UPDATE payment_integrations SET deleted_utc = now() WHERE site_id = $1 AND payment_method_type = 'GatewayOne'`,
          [move.siteId],
        ),
    ],
    ['IntegrationRefused', (move) => gateways.one.revoked.add(move.keyOfOne)],
    ['IntegrationRefused', (move) => gateways.one.chargesOnly.add(move.keyOfOne)],
  ];
  it.each(ALL_CASES ? OF_INTEGRATIONS : OF_INTEGRATIONS.slice(0, 2))('holds as %s', async (reason, before) => {
    const move = await givenMove();
    await Promise.resolve(before(move));
    const ran = await check(move.siteId);
    expect(ran.code).toBe(65);
    expect(heldBy(ran)).toEqual([[reason, move.ids[0]]]);
    expect(await states(move)).toMatchObject([
      { state: 'Held', reason: expect.stringMatching(new RegExp(`^${reason}: .+`)) },
      { state: 'Passed' },
    ]);
    expect(JSON.parse((await goLive(move.siteId)).stdout)).toEqual({ Live: 1, Held: {}, Left: 0 });
  });

  it('holds what lies in the mode that its integration is not in', async () => {
    const move = await givenMove();
    await database.query(
      `UPDATE payment_integrations SET test_mode = false WHERE site_id = $1 AND payment_method_type = 'GatewayOne'`,
      [move.siteId],
    );
    expect(heldBy(await check(move.siteId))).toEqual([['IntegrationRefused', move.ids[0]]]);
  });

  it('holds a date that has passed without a payment, and knows the payment where there is one', async () => {
    const due = shopDate(ago(DAY));
    const move = await givenMove({ next_payment_date: due }, { exportedUtc: ago(2 * DAY) });
    gateways.one.chargeElsewhere(move.keyOfOne, { ...stripePayer(move.number), ...elsewhere });
    expect(heldBy(await check(move.siteId))).toEqual([
      ['PaidSinceExport', move.ids[0]],
      ['DatePassed', move.ids[1]],
    ]);
  });

  itInAllCases('waits as long as a busy gateway asks, and lists again from the beginning', async () => {
    const move = await givenMove();
    gateways.one.chargeElsewhere(move.keyOfOne, { ...stripePayer(move.number), ...elsewhere });
    gateways.one.faults.next('rateLimited', { operation: 'lookUp' });
    gateways.two.faults.next('silentBefore', { operation: 'lookUp' });
    expect(heldBy(await check(move.siteId))).toEqual([['PaidSinceExport', move.ids[0]]]);
  });

  itInAllCases('passes nothing of a gateway that stays silent', async () => {
    const move = await givenMove();
    gateways.one.faults.always('unavailable', 'lookUp');
    const ran = await check(move.siteId).finally(() => gateways.one.faults.none());
    expect(ran.code).toBe(65);
    expect(heldBy(ran)).toEqual([['GatewaySilent', move.ids[0]]]);
  });

  itInAllCases('watches what is live: a payment that this service did not make is named', async () => {
    const move = await givenMove();
    await check(move.siteId);
    await goLive(move.siteId);
    expect(found(await check(move.siteId))).toMatchObject({ Live: 2, Passed: 0, PaidElsewhere: [] });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const transaction = gateways.one.chargeElsewhere(move.keyOfOne, { ...stripePayer(move.number), ...elsewhere });
    const ran = await check(move.siteId);
    expect(ran.code).toBe(65);
    expect(found(ran).PaidElsewhere).toMatchObject([
      { ScheduledOrderId: move.ids[0], Sentence: expect.stringContaining(transaction) },
    ]);
  });

  it('knows no site that is not there', async () => {
    expect(await check(999_999)).toEqual({ code: 1, stdout: '', stderr: 'There is no site with the id 999999.\n' });
    expect(await goLive(999_999)).toMatchObject({ code: 1, stderr: 'There is no site with the id 999999.\n' });
  });

  it('refuses a simulated site', async () => {
    const { userId } = await given(database).merchant();
    const siteId = await given(database).site(userId, { simulated: true });
    const stderr = `Site ${siteId} is simulated: subscriptions move to a real site only. Name another one with --site.\n`;
    for (const ran of [await check(siteId), await goLive(siteId)]) expect(ran).toMatchObject({ code: 1, stderr });
  });
});

describe('migration:go-live', () => {
  it('makes Active what has passed, on the date of the file, as a request does; a second run does nothing', async () => {
    const move = await givenMove();
    await check(move.siteId);
    const { code, stdout } = await goLive(move.siteId);
    expect({ code, ...(JSON.parse(stdout) as object) }).toEqual({ code: 0, Live: 2, Held: {}, Left: 0 });
    const live = { state: 'Live', reason: null, status: 'Active', next: move.nextUtc };
    expect(await states(move)).toEqual([live, live]);
    const logs = await database.query(
      `SELECT action_type, description, access_token, previous_scheduled_order->>'Status' AS before, new_scheduled_order->>'Status' AS after
       FROM action_logs WHERE scheduled_order_id = $1 ORDER BY id DESC`,
      [move.ids[0]],
    );
    expect(logs).toMatchObject([
      {
        action_type: 'ActivateScheduledOrder',
        description: 'ActivateScheduledOrder by migration:go-live.',
        access_token: { Id: 0, TokenAuth: null, AccessScope: 'Merchant', ExpiresUtc: '9999-12-31T23:59:59.999Z' },
        before: 'Paused',
        after: 'Active',
      },
      { action_type: 'CreateScheduledOrder' },
    ]);
    expect(JSON.parse((await goLive(move.siteId)).stdout)).toEqual({ Live: 0, Held: {}, Left: 0 });
  });

  itInAllCases('does nothing without a check', async () => {
    const move = await givenMove();
    expect(JSON.parse((await goLive(move.siteId)).stdout)).toEqual({ Live: 0, Held: {}, Left: 0 });
    expect(await states(move)).toMatchObject([{ state: 'Imported' }, { state: 'Imported' }]);
  });

  it('refuses a check that is too old', async () => {
    const move = await givenMove();
    await check(move.siteId);
    await database.query(
      `UPDATE migrated_subscriptions SET checked_utc = checked_utc - interval '121 minutes' WHERE site_id = $1`,
      [move.siteId],
    );
    expect(await goLive(move.siteId)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('more than 2 hours old: run migration:check again'),
    });
    expect(await states(move)).toMatchObject([{ status: 'Paused' }, { status: 'Paused' }]);
    await check(move.siteId);
    expect(JSON.parse((await goLive(move.siteId)).stdout)).toMatchObject({ Live: 2 });
  });

  it('holds what was paid between check and go-live', async () => {
    const move = await givenMove();
    await check(move.siteId);
    gateways.two.chargeElsewhere(move.loginOfTwo, { ...authorizeNetPayer(move.number + 1), ...elsewhere });
    const { code, stdout } = await goLive(move.siteId);
    expect({ code, ...(JSON.parse(stdout) as object) }).toEqual({
      code: 65,
      Live: 1,
      Held: { PaidSinceExport: [move.ids[1]] },
      Left: 0,
    });
    expect(await states(move)).toMatchObject([{ state: 'Live' }, { state: 'Held', status: 'Paused' }]);
  });

  it('holds what fell due between check and go-live: it is neither passed over nor charged', async () => {
    const move = await givenMove();
    expect(found(await check(move.siteId)).Passed).toBe(2);
    await database.query(
      `UPDATE scheduled_orders SET next_occurrence_utc = now() - interval '1 second' WHERE site_id = $1`,
      [move.siteId],
    );
    expect(JSON.parse((await goLive(move.siteId)).stdout)).toEqual({
      Live: 0,
      Held: { DatePassed: move.ids },
      Left: 0,
    });
    expect(await states(move)).toMatchObject([{ state: 'Held', status: 'Paused' }, { status: 'Paused' }]);
  });

  it('holds what was changed here after the check, and says as what', async () => {
    const changes: [string, string][] = [
      ['Deleted', `UPDATE scheduled_orders SET deleted_utc = now() WHERE id = $1`],
      ['NotPaused', `UPDATE scheduled_orders SET status = 'Pending' WHERE id = $1`],
      ['ChangedSinceCheck', `UPDATE scheduled_orders SET updated_utc = clock_timestamp() WHERE id = $1`],
    ];
    const move = await givenMove({}, { pairs: changes.length });
    await check(move.siteId);
    for (const [pair, [, sql]] of changes.entries()) await database.query(sql, [move.ids[2 * pair]]);
    expect(JSON.parse((await goLive(move.siteId)).stdout)).toEqual({
      Live: changes.length,
      Held: Object.fromEntries(changes.map(([reason], pair) => [reason, [move.ids[2 * pair]]])),
      Left: 0,
    });
  });

  it('passes over what a later file has in another way, checked before or not', async () => {
    const others: SubscriptionCells[] = [
      { subscription_status: 'wc-cancelled' },
      { subscription_status: 'wc-on-hold' },
      { next_payment_date: shopDate(ahead(9 * DAY)) },
      { order_total: '24.00', order_shipping: '14.00' },
      { payment_method_post_meta: '_stripe_customer_id:cus_x|_stripe_source_id:pm_x' },
    ];
    const pairs = others.length;
    const move = await givenMove({}, { pairs });
    await check(move.siteId);
    const rows = move.rows.map((row, index) => (index % 2 === 0 ? { ...row, ...others[index / 2] } : row));
    const again = await importInto(database, move.siteId, { rows, exportedUtc: ago(HOUR), gateways, run });
    expect(JSON.parse(again.stdout)).toMatchObject({ Changed: move.ids.filter((_, index) => index % 2 === 0) });
    const first = await goLive(move.siteId, '--limit', String(pairs));
    expect(JSON.parse(first.stdout)).toEqual({ Live: pairs, Held: {}, Left: 0 });
    expect(found(await check(move.siteId))).toMatchObject({ Passed: 0, Manual: pairs, Live: pairs });
    expect(JSON.parse((await goLive(move.siteId)).stdout)).toEqual({ Live: 0, Held: {}, Left: 0 });
    expect(await states(move)).toMatchObject(
      others.flatMap(() => [
        { state: 'Manual', status: 'Paused' },
        { state: 'Live', status: 'Active' },
      ]),
    );
  });

  it.each(['before', 'after'])('holds what somebody has paused here, %s the check', async (when) => {
    const move = await givenMove();
    const token = await given(database).token(move.userId);
    const pause = async () => {
      for (const Status of ['Active', 'Paused']) {
        const path = `/api/ScheduledOrders/${move.ids[0]}`;
        expect(await api.request('PUT', path, { token, body: { Status } })).toMatchObject({ status: 200 });
      }
    };
    if (when === 'before') await pause();
    const checked = await check(move.siteId);
    if (when === 'before') expect(heldBy(checked)).toEqual([['DecidedHere', move.ids[0]]]);
    else await pause();
    const live = JSON.parse((await goLive(move.siteId)).stdout) as object;
    expect(live).toEqual({ Live: 1, Held: when === 'before' ? {} : { DecidedHere: [move.ids[0]] }, Left: 0 });
    expect(await states(move)).toMatchObject([{ state: 'Held', status: 'Paused' }, { state: 'Live' }]);
  });

  it('holds what was cancelled here, after the check as well', async () => {
    const move = await givenMove();
    const token = await given(database).token(move.userId);
    const cancel = (id: number) => api.request('POST', `/api/ScheduledOrders/${id}/Cancel`, { token });
    expect(await cancel(move.ids[0]!)).toMatchObject({ status: 200 });
    expect(heldBy(await check(move.siteId))).toEqual([['Cancelled', move.ids[0]]]);
    expect(await cancel(move.ids[1]!)).toMatchObject({ status: 200 });
    const live = JSON.parse((await goLive(move.siteId)).stdout) as object;
    expect(live).toEqual({ Live: 0, Held: { Cancelled: [move.ids[1]] }, Left: 0 });
  });

  itInAllCases('holds what has no account any more', async () => {
    const move = await givenMove();
    await check(move.siteId);
    await database.query(
      `UPDATE payment_integrations SET deleted_utc = now() WHERE site_id = $1 AND payment_method_type = 'GatewayTwo'`,
      [move.siteId],
    );
    expect(JSON.parse((await goLive(move.siteId)).stdout)).toEqual({
      Live: 1,
      Held: { IntegrationMissing: [move.ids[1]] },
      Left: 0,
    });
    expect(await states(move)).toMatchObject([{ state: 'Live' }, { state: 'Held', status: 'Paused' }]);
  });

  it('makes nothing Active while a gateway cannot be asked', async () => {
    const move = await givenMove();
    await check(move.siteId);
    gateways.one.revoked.add(move.keyOfOne);
    expect(await goLive(move.siteId)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('GatewayOne could not be asked for payments, so nothing more goes live'),
    });
    expect(await states(move)).toMatchObject([{ state: 'Passed', status: 'Paused' }, { status: 'Paused' }]);
  });

  it('stops at the limit, and goes on from there', async () => {
    const move = await givenMove();
    await check(move.siteId);
    expect(JSON.parse((await goLive(move.siteId, '--limit', '1')).stdout)).toEqual({ Live: 1, Held: {}, Left: 1 });
    expect(JSON.parse((await goLive(move.siteId, '--batch', '1')).stdout)).toEqual({ Live: 1, Held: {}, Left: 0 });
  });

  it.each(['0', 'x', '5001'])('refuses a batch of %s', async (batch) => {
    expect(await goLive(1, '--batch', batch)).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('from 1 to 5000'),
    });
  });
});

describe('migration:resolve', () => {
  const givenHeld = async () => {
    const move = await givenMove({ next_payment_date: shopDate(ago(DAY)) }, { exportedUtc: ago(2 * DAY) });
    gateways.one.chargeElsewhere(move.keyOfOne, { ...stripePayer(move.number), ...elsewhere });
    await check(move.siteId);
    return move;
  };
  const aMonthAfter = (date: Date) => {
    const next = new Date(date);
    next.setUTCMonth(next.getUTCMonth() + 1);
    return next;
  };

  it('moves on what is paid, and the ledger shows the date that was passed over', async () => {
    const move = await givenHeld();
    const [before] = await states(move);
    expect(await resolve(move.siteId, move.ids[0]!, '--move-on')).toMatchObject({
      code: 0,
      stderr: '1 decided: run migration:check again.\n',
    });
    expect(found(await check(move.siteId))).toMatchObject({ Passed: 1, DatesChanged: [move.ids[0]] });
    await goLive(move.siteId);
    expect(await states(move)).toMatchObject([
      { state: 'Live', status: 'Active', next: aMonthAfter(before!.next) },
      { state: 'Held' },
    ]);
    expect(
      await database.query(`SELECT state, due_utc FROM processing_cycles WHERE scheduled_order_id = $1`, [move.ids[0]]),
    ).toEqual([{ state: 'Skipped', due_utc: before!.next }]);
  });

  it('charges once, when it goes live, what has passed unpaid; then the schedule goes on as before', async () => {
    const move = await givenHeld();
    const [, before] = await states(move);
    await resolve(move.siteId, move.ids[1]!, '--keep-date');
    expect(found(await check(move.siteId)).Passed).toBe(1);
    await goLive(move.siteId);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    const worker = createWorker(database, movingEnvironment(database, gateways));
    await worker.drain();
    await worker.drain();
    await worker.end();
    expect(gateways.two.ledger.charges.filter(({ scheduledOrderId }) => scheduledOrderId === move.ids[1])).toHaveLength(
      1,
    );
    expect((await states(move))[1]).toMatchObject({ status: 'Active', next: aMonthAfter(before!.next) });
  });

  it('accounts for the payment that it was asked about, and for no later one', async () => {
    const move = await givenMove();
    gateways.one.chargeElsewhere(move.keyOfOne, { ...stripePayer(move.number), ...elsewhere });
    await check(move.siteId);
    await resolve(move.siteId, move.ids[0]!, '--keep-date');
    expect(found(await check(move.siteId))).toMatchObject({ Passed: 2, Held: {} });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    gateways.one.chargeElsewhere(move.keyOfOne, { ...stripePayer(move.number), ...elsewhere });
    expect(heldBy(await check(move.siteId))).toEqual([['PaidSinceExport', move.ids[0]]]);
  });

  itInAllCases('keeps only the date that was decided about', async () => {
    const move = await givenHeld();
    await resolve(move.siteId, move.ids[1]!, '--keep-date');
    await database.query(`UPDATE scheduled_orders SET next_occurrence_utc = $2 WHERE id = $1`, [
      move.ids[1],
      ago(HOUR),
    ]);
    expect(heldBy(await check(move.siteId))).toContainEqual(['DatePassed', move.ids[1]]);
  });

  itInAllCases('says how many dates it passes over', async () => {
    const first = ago(15 * DAY);
    const about = { next_payment_date: shopDate(first), billing_period: 'week' };
    const move = await givenMove(about, { exportedUtc: ago(16 * DAY) });
    await check(move.siteId);
    const [id] = move.ids;
    expect(await resolve(move.siteId, id!, '--move-on')).toMatchObject({
      code: 0,
      stderr: `Scheduled order ${id} passed over 3 dates: the others have passed too.\n1 decided: run migration:check again.\n`,
    });
    expect((await states(move))[0]!.next.getTime()).toBe(Math.floor(first.getTime() / 1_000) * 1_000 + 21 * DAY);
  });

  it('refuses what needs no decision', async () => {
    const move = await givenMove();
    const id = move.ids[0]!;
    expect(await resolve(move.siteId, id, '--move-on')).toMatchObject({
      code: 1,
      stderr: `Scheduled order ${id} is not held by the check, or not of this site.\n`,
    });
    await database.query(`UPDATE scheduled_order_items SET price = 11 WHERE scheduled_order_id = $1`, [id]);
    await check(move.siteId);
    expect(await resolve(move.siteId, id, '--move-on')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is held for another reason, which needs no decision: PriceDiffers'),
    });
    expect(await resolve(move.siteId, id)).toMatchObject({ code: 1, stderr: 'Say either --move-on or --keep-date.\n' });
    expect(await resolve(move.siteId, id, '--move-on', '--keep-date')).toMatchObject({ code: 1 });
  });
});

describe('a file that two sites have imported', () => {
  /** The same rows in two sites. */
  async function twice(): Promise<readonly [Made, MovedShop]> {
    const first = await givenMove();
    const second = await movedShop(database, { rows: first.rows, exportedUtc: ago(2 * HOUR), gateways, run });
    return [first, second];
  }
  async function asMerchant({ userId }: MovedShop, method: string, id: number, body?: object): Promise<void> {
    const token = await given(database).token(userId);
    expect((await api.request(method, `/api/ScheduledOrders/${id}`, { token, body })).status).toBeLessThan(300);
  }
  const chargedBy = ({ ids, siteId }: MovedShop) =>
    `Scheduled order ${ids[0]} of site ${siteId} is live for the same subscription and customer of the gateway, so both would be charged.`;

  it('is counted by the import, and only what the first site does not have live passes the check of the second', async () => {
    const [first, second] = await twice();
    expect(JSON.parse(first.imported.stdout)).toMatchObject({ Remarks: { FixedShipping: 2 } });
    expect(JSON.parse(second.imported.stdout)).toMatchObject({ Remarks: { FixedShipping: 2, InAnotherSite: 2 } });
    await check(first.siteId);
    expect(found(await check(second.siteId))).toMatchObject({ Passed: 2, Held: {} });
    await goLive(first.siteId, '--limit', '1');
    const ran = await check(second.siteId);
    expect([ran.code, found(ran).Passed, heldBy(ran)]).toEqual([65, 1, [['LiveElsewhere', second.ids[0]]]]);
    expect(found(ran).Held.LiveElsewhere![0]!.Sentence).toBe(`${chargedBy(first)} Delete the one that is not wanted.`);
    await asMerchant(first, 'DELETE', first.ids[0]!);
    expect(found(await check(second.siteId))).toMatchObject({ Passed: 2, Held: {} });
  });

  it('goes live in one of them only, also when both have passed, and at the same time', async () => {
    const [first, second] = await twice();
    await check(first.siteId);
    await check(second.siteId);
    const both = await Promise.all([goLive(first.siteId), goLiveBeside(second.siteId)]);
    const results = both.map(({ stdout }) => JSON.parse(stdout) as { Live: number; Held: object });
    expect(results.map(({ Live }) => Live).sort()).toEqual([0, 2]);
    const later = results[0]!.Live === 0 ? first : second;
    expect(results.find(({ Live }) => Live === 0)!.Held).toEqual({ LiveElsewhere: later.ids });
    expect(await states(later)).toMatchObject([
      { state: 'Held', status: 'Paused' },
      { state: 'Held', status: 'Paused' },
    ]);
  });

  itInAllCases(
    'is named by the check of either, where somebody has made an order Active by hand all the same',
    async () => {
      const [first, second] = await twice();
      await check(first.siteId);
      await goLive(first.siteId);
      await asMerchant(second, 'PUT', second.ids[0]!, { Status: 'Active' });
      const ran = await check(first.siteId);
      expect([ran.code, found(ran).LiveElsewhere]).toMatchObject([
        65,
        [{ ScheduledOrderId: first.ids[0], Sentence: chargedBy(second) }],
      ]);
      expect((await command('migration:check', first.siteId)).stdout).toContain(
        '1  live in another site as well: both are charged, so delete one of them',
      );
    },
  );

  itInAllCases('is no other file’s: the same numbers of another shop do not concern it', async () => {
    const [first, other] = [await givenMove(), await givenMove()];
    for (const { siteId } of [first, other]) {
      await check(siteId);
      expect(JSON.parse((await goLive(siteId)).stdout)).toMatchObject({ Live: 2, Held: {} });
    }
    const numbersOf = ({ siteId }: MovedShop) =>
      database.query(`SELECT source_id FROM migrated_subscriptions WHERE site_id = $1 ORDER BY source_id`, [siteId]);
    expect(await numbersOf(other)).toEqual(await numbersOf(first));
  });
});

describe('a move of some subscriptions', () => {
  const many = async (count: number) => {
    const first = 10_000 + (numbers += count);
    const next_payment_date = shopDate(ahead(5 * DAY));
    const rows = Array.from({ length: count }, (_, index) => ({ ...paidByStripe(first + index), next_payment_date }));
    for (let index = 0; index < count; index += 1)
      gateways.one.attach(stripePayer(first + index).card, stripePayer(first + index).customer);
    const move = await movedShop(database, { rows, exportedUtc: ago(HOUR), gateways, run });
    await check(move.siteId);
    return move;
  };
  const activations = async ({ siteId }: MovedShop) => {
    const rows = await database.query<{ entries: string }>(
      `SELECT count(*) AS entries FROM action_logs WHERE site_id = $1 AND action_type = 'ActivateScheduledOrder' GROUP BY scheduled_order_id`,
      [siteId],
    );
    return rows.map(({ entries }) => Number(entries));
  };

  it('goes live once, by two commands at the same time', async () => {
    const move = await many(60);
    const live = await Promise.all([goLive(move.siteId, '--batch', '7'), goLiveBeside(move.siteId, '--batch', '5')]);
    const counts = live.map(({ stdout }) => (JSON.parse(stdout) as { Live: number }).Live);
    expect(counts[0]! + counts[1]!).toBe(60);
    expect(await activations(move)).toEqual(Array.from({ length: 60 }, () => 1));
  });

  itInAllCases('goes on where a command was killed', async () => {
    const move = await many(60);
    const started: ChildProcess[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const args = [MAIN, 'migration:go-live', '--site', String(move.siteId), '--batch', '4'];
      const child = spawn(process.execPath, args, {
        env: { ...bareEnvironment(), ...movingEnvironment(database, gateways) },
      });
      started.push(child);
      let output = '';
      child.stderr.on('data', (chunk) => (output += String(chunk)));
      const end = once(child, 'close');
      await until(() => output.includes(' are live') || child.exitCode !== null);
      child.kill('SIGKILL');
      await end;
    }
    expect((await states(move)).filter(({ state }) => state === 'Passed').length).toBeGreaterThan(0);
    expect((await states(move)).filter(({ state, status }) => (state === 'Live') !== (status === 'Active'))).toEqual(
      [],
    );
    await goLive(move.siteId);
    expect(await states(move)).toEqual(
      Array.from({ length: 60 }, (): unknown => expect.objectContaining({ state: 'Live', status: 'Active' })),
    );
    expect(await activations(move)).toEqual(Array.from({ length: 60 }, () => 1));
  });
});
