import { adoptDeployment } from '#libs/ledger';
import { useApi } from '../support/api.js';
import { explainedCompleted } from '../support/api/explained.js';
import { cloneDatabase, copyOf, dropDatabase, useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { given as givenIn } from '../support/given.js';
import { createWorker, drainOnce, type GivenShop, givenShop } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const HOME = { shippingCountry: 'US', shippingState: 'CA', shippingCity: 'Los Angeles', shippingPostcode: '90001' };

interface Explained {
  Cycle: number;
  AtUtc: string;
  RatesVersion: number | null;
  Quote: Record<string, unknown> | null;
  Recorded: Record<'Subtotal' | 'ShippingTotal' | 'TaxTotal' | 'Total', number | null>;
  Equal: boolean | null;
  Because: string | null;
}

const read = (shop: GivenShop, id: number, cycle: number | string = 1) =>
  api.request('GET', `/api/ScheduledOrders/${id}/Cycles/${cycle}/Explain`, { token: shop.tokenAuth });
async function explain(shop: GivenShop, id: number, cycle = 1): Promise<Explained> {
  const { status, body } = await read(shop, id, cycle);
  expect([status, body]).toEqual([200, expect.any(Object)]);
  return body as Explained;
}
const verdictOf = ({ Equal, Because }: Explained) => [Equal, Because];

async function versionOf({ siteId }: GivenShop): Promise<number> {
  const [row] = await database.query<{ version: string }>(`SELECT version FROM rate_versions WHERE site_id = $1`, [
    siteId,
  ]);
  return Number(row!.version);
}

/** A shop with a shipping rate, a tax rate and one due order of two items, one of which is not available. */
async function shopWithOrder(values: Record<string, unknown> = {}) {
  const shop = await givenShop(database);
  const { siteId, productId } = shop;
  const ground = await given.shippingRate(siteId, {
    name: 'Ground',
    country: 'US',
    basePrice: '4',
    pricePerUnit: '0.505',
  });
  const tax = await given.taxRate(siteId, { country: 'US', state: 'CA', rate: '8.25', name: 'Sales tax' });
  const id = await shop.dueOrder({ ...HOME, cycles: 3, ...values });
  const soldOut = await given.product(siteId, { stockLevel: 'Sold out', title: 'Tea' });
  await given.item(siteId, id, soldOut, { price: '4' });
  return { shop, id, ground, tax, productId };
}

/** Everything that its price was made of is another one now. */
async function changeAll({ siteId, customerId, productId }: GivenShop): Promise<void> {
  await database.query(`UPDATE shipping_rates SET base_price = 77, name = 'Dearer' WHERE site_id = $1`, [siteId]);
  await database.query(`DELETE FROM tax_rates WHERE site_id = $1`, [siteId]);
  await given.taxRate(siteId, { rate: '99', name: 'Another tax' });
  await database.query(
    `INSERT INTO site_settings (site_id, prices, shipping_tax) VALUES ($1, 'Gross', 'ByRate')
    ON CONFLICT (site_id) DO UPDATE SET prices = 'Net', round_tax = 'Total'`,
    [siteId],
  );
  await database.query(`UPDATE products SET tax_class = 'none', shipping_class = 'none', price = 1 WHERE id = $1`, [
    productId,
  ]);
  await database.query(`UPDATE customers SET tax_exempt = NOT tax_exempt WHERE id = $1`, [customerId]);
  await database.query(`UPDATE scheduled_order_items SET price = 1, quantity = 9 WHERE product_id = $1`, [productId]);
}

describe('GET /api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Explain', () => {
  it('says why a past charge was what it was, whatever has changed since', async () => {
    const { shop, id, ground, tax, productId } = await shopWithOrder();
    const before = await versionOf(shop);
    await drainOnce(database);
    const at = Date.now();
    const expected = {
      Cycle: 1,
      AtUtc: expect.any(String),
      RatesVersion: before,
      Quote: {
        Lines: [
          {
            ScheduledOrderItemId: null,
            ProductId: productId,
            UnitPrice: 12.5,
            Quantity: 1,
            Amount: 1250,
            Available: true,
            UnavailableBecause: null,
            Taxes: [{ TaxRateId: tax, Name: 'Sales tax', Rate: 8.25, Amount: 103 }],
          },
        ],
        Shipping: [
          { ShippingClass: null, Units: 1, ShippingRateId: ground, Name: 'Ground', Amount: 451, PassedOver: [] },
        ],
        Fixed: [],
        Subtotal: 1250,
        ShippingTotal: 451,
        TaxTotal: 103,
        Total: 1804,
        Problems: [],
      },
      Recorded: { Subtotal: 1250, ShippingTotal: 451, TaxTotal: 103, Total: 1804 },
      Equal: true,
      Because: null,
    };
    const explained = await explain(shop, id);
    expect(explained).toEqual(expected);
    expect(Math.abs(at - new Date(explained.AtUtc).getTime())).toBeLessThan(60_000);

    await changeAll(shop);
    await changeAll(shop);
    expect(await versionOf(shop)).toBeGreaterThan(before + 5);
    expect(await explain(shop, id)).toEqual(expected);

    await database.query(`UPDATE processing_cycles SET updated_utc = '2020-01-01' WHERE scheduled_order_id = $1`, [id]);
    await database.query(`UPDATE scheduled_orders SET archived_cycle = 1 WHERE id = $1`, [id]);
    await database.query(
      `WITH gone AS (DELETE FROM processing_cycles c WHERE c.scheduled_order_id = $1 RETURNING c.*)
       INSERT INTO archived_cycles (scheduled_order_id, last_cycle, site_id, cycles)
       SELECT $1, 1, site_id, jsonb_build_array(jsonb_strip_nulls(to_jsonb(gone))) FROM gone`,
      [id],
    );
    expect(await explain(shop, id)).toEqual(expected);
  });

  it('keeps the unit price of a price with tax in it, and of one that is rounded', async () => {
    const shop = await givenShop(database);
    const { siteId, productId } = shop;
    await database.query(`INSERT INTO site_settings (site_id, prices, home_country) VALUES ($1, 'Gross', 'DE')`, [
      siteId,
    ]);
    await given.taxRate(siteId, { country: 'DE', rate: '19', name: 'VAT' });
    const id = await shop.dueOrder({ shippingCountry: 'DE' });
    const plain = await shop.dueOrder({ shippingCountry: 'CH' });
    await database.query(
      `UPDATE scheduled_order_items SET price = 9.999, sale_price = 3.3333, quantity = 7 WHERE scheduled_order_id = $1`,
      [id],
    );
    await drainOnce(database);
    await changeAll(shop);
    const line = (await explain(shop, id)).Quote as { Lines: object[] };
    expect(line.Lines).toMatchObject([{ ProductId: productId, UnitPrice: 3.3333, Quantity: 7, GrossAmount: 2333 }]);
    expect(verdictOf(await explain(shop, id))).toEqual([true, null]);
    expect(verdictOf(await explain(shop, plain))).toEqual([true, null]);
    const kept = await database.query(
      `SELECT unit_prices FROM processing_cycles WHERE scheduled_order_id IN ($1, $2) ORDER BY scheduled_order_id`,
      [id, plain],
    );
    expect(kept).toEqual([{ unit_prices: '3.3333' }, { unit_prices: null }]);
  });

  it('explains a cycle that cost nothing, and one of a customer who paid no tax', async () => {
    const { shop, id } = await shopWithOrder();
    await database.query(`UPDATE customers SET tax_exempt = true WHERE id = $1`, [shop.customerId]);
    await database.query(`UPDATE shipping_rates SET base_price = 0, price_per_unit = 0 WHERE site_id = $1`, [
      shop.siteId,
    ]);
    await database.query(`UPDATE scheduled_order_items SET price = 0 WHERE scheduled_order_id = $1`, [id]);
    const paying = await shop.dueOrder(HOME);
    await drainOnce(database);
    await changeAll(shop);
    expect(await explain(shop, id)).toMatchObject({ Recorded: { Total: 0 }, Quote: { TaxExempt: true }, Equal: true });
    expect(await explain(shop, paying)).toMatchObject({ Recorded: { Subtotal: 1250, TaxTotal: 0 }, Equal: true });
  });

  it('names the totals that the shop had fixed, and calculates all others', async () => {
    const { shop, id } = await shopWithOrder({ shippingTotal: 700, shippingTotalFixed: true });
    const both = await shop.dueOrder({
      ...HOME,
      ...{ shippingTotal: 700, shippingTotalFixed: true, taxTotal: 250, taxTotalFixed: true },
    });
    await drainOnce(database);
    await database.query(`UPDATE scheduled_orders SET shipping_total_fixed = false, tax_total_fixed = false`);
    await changeAll(shop);
    expect(await explain(shop, id)).toMatchObject({
      Quote: { Fixed: ['ShippingTotal'], Subtotal: 1250, ShippingTotal: 700, TaxTotal: 103 },
      Recorded: { Subtotal: 1250, ShippingTotal: 700, TaxTotal: 103, Total: 2053 },
      Equal: false,
      Because: 'The shop had fixed ShippingTotal: what a shop fixes is taken as it is, not calculated.',
    });
    expect(await explain(shop, both)).toMatchObject({
      Quote: { Fixed: ['ShippingTotal', 'TaxTotal'], Total: 2200 },
      Recorded: { Total: 2200 },
      Equal: false,
      Because: 'The shop had fixed ShippingTotal and TaxTotal: what a shop fixes is taken as it is, not calculated.',
    });
  });

  it('tells that the Order was changed since, and only where its amounts are others', async () => {
    const { shop, id } = await shopWithOrder();
    await drainOnce(database);
    const [row] = await database.query<{ id: string }>(`SELECT id FROM orders WHERE scheduled_order_id = $1`, [id]);
    const path = `/api/Orders/${row!.id}`;
    const { tokenAuth: token } = shop;
    const { body: order } = await api.request('GET', path, { token });
    const put = (body: object) => api.request('PUT', path, { token, body });
    expect((await put({ ...(order as object), ExternalId: 'A-1' })).status).toBe(200);
    expect(verdictOf(await explain(shop, id))).toEqual([true, null]);

    const items = (order as { OrderItems: { Id: number }[] }).OrderItems;
    expect((await put({ Total: 1.25, OrderItems: [{ Id: items[0]!.Id, Subtotal: 99 }] })).status).toBe(200);
    const explained = await explain(shop, id);
    expect(explained).toMatchObject({ Recorded: { Subtotal: 1250, Total: 125 }, Equal: false });
    expect(explained.Because).toMatch(/^The Order was changed by a request, last on \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/);

    // More than any order can cost.
    const most = { Quantity: 1_000_000, Subtotal: 99_999_999_999 };
    await put({ OrderItems: Array.from({ length: 4 }, () => ({ ...most, ProductId: shop.productId })) });
    await database.query(
      `UPDATE processing_cycles SET unit_prices = ',99999999999,99999999999' WHERE scheduled_order_id = $1`,
      [id],
    );
    expect(await explain(shop, id)).toMatchObject({ Quote: null, Equal: false, Because: explained.Because });
  });

  it('says so where it is not known what it was priced with, or prices were changed while it was priced', async () => {
    const { shop, id } = await shopWithOrder();
    await drainOnce(database);
    const [was] = await database.query<{ rates_version: string }>(
      `SELECT rates_version FROM processing_cycles WHERE scheduled_order_id = $1`,
      [id],
    );
    const write = (version: number | null, mixed: boolean) =>
      database.query(
        `UPDATE processing_cycles SET rates_version = $2, prices_mixed = $3 WHERE scheduled_order_id = $1`,
        [id, version, mixed],
      );
    await write(null, false);
    expect(await explain(shop, id)).toMatchObject({
      RatesVersion: null,
      Quote: null,
      Recorded: { Subtotal: 1250, ShippingTotal: 451, TaxTotal: 103, Total: 1804 },
      Equal: false,
      Because:
        'What it was priced with is not known: the charge was found at the gateway, and the order was not priced for it.',
    });

    // The shop's number of the Order changes none of its amounts.
    const [{ id: orderId }] = (await database.query<{ id: string }>(
      `SELECT id FROM orders WHERE scheduled_order_id = $1`,
      [id],
    )) as [{ id: string }];
    const numbered = { token: shop.tokenAuth, body: { OrderNumber: '1001' } };
    expect((await api.request('PUT', `/api/Orders/${orderId}`, numbered)).status).toBe(200);
    expect((await explain(shop, id)).Because).toMatch(/^What it was priced with is not known/);
    await database.query(`UPDATE orders SET updated_utc = created_utc WHERE id = $1`, [orderId]);

    // Another tax class was read with the order than the rates' version has.
    const version = Number(was!.rates_version);
    await write(version, true);
    expect(await explain(shop, id)).toMatchObject({ RatesVersion: version, Equal: true, Because: null });
    await database.query(`UPDATE products SET tax_class = 'none' WHERE id = $1`, [shop.productId]);
    await write(version + 1, true);
    expect(await explain(shop, id)).toMatchObject({
      RatesVersion: version + 1,
      Quote: { TaxTotal: 0 },
      Equal: false,
      Because: expect.stringContaining('Prices were changed in the moment in which it was priced'),
    });
  });

  it('explains a charge as it is sent, and says why a cycle without one has nothing to explain', async () => {
    const gateway = await StripeStandIn.start();
    const worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
    const shop = await givenShop(database, { apiKey1: 'sk_test_explained' });
    const unknown = await shop.dueOrder(HOME);
    gateway.faults.next('undecided');
    await worker.drain();
    await changeAll(shop);
    const sent = 'The cycle is not completed: these are the amounts that were sent, or are about to be.';
    expect(await explain(shop, unknown)).toMatchObject({
      Quote: { Lines: [{ UnitPrice: 12.5 }], Total: 1250 },
      Recorded: { Subtotal: 1250, ShippingTotal: 0, TaxTotal: 0, Total: 1250 },
      Equal: true,
      Because: sent,
    });
    gateway.finish(gateway.intentIds[0]!, 'succeeded');
    await database.query(`UPDATE processing_cycles SET next_attempt_utc = now() WHERE scheduled_order_id = $1`, [
      unknown,
    ]);
    await worker.drain();
    expect(verdictOf(await explain(shop, unknown))).toEqual([true, null]);
    await worker.end();
    await gateway.stop();

    const other = await givenShop(database);
    const retrying = await other.dueOrder({ paymentMethodId: 'pm_declined' });
    const failed = await other.dueOrder({ paymentMethodId: 'pm_declined_hard' });
    const skipped = await other.dueOrder({ nextOccurrenceUtc: new Date(Date.now() + 86_400_000) });
    await api.request('POST', `/api/ScheduledOrders/${skipped}/Skip`, { token: other.tokenAuth });
    await drainOnce(database);
    const nothing = {
      RatesVersion: null,
      Quote: null,
      Recorded: { Subtotal: null, ShippingTotal: null, TaxTotal: null, Total: null },
      Equal: null,
    };
    for (const [id, Because] of [
      [
        retrying,
        'The cycle is Retrying: the next attempt is priced afresh, and nothing is kept of the attempt that failed.',
      ],
      [failed, 'The cycle failed: nothing was charged, and nothing is kept of what would have been.'],
      [skipped, 'The cycle was skipped: nothing was charged.'],
    ] as const)
      expect(await explain(other, id)).toMatchObject({ ...nothing, Because });
  });

  it('is 404 for a cycle that is not there, an order that is not, and a deleted one; 400 for what is no number', async () => {
    const { shop, id } = await shopWithOrder();
    await drainOnce(database);
    expect(await read(shop, id, 2)).toMatchObject({
      status: 404,
      body: { detail: `ScheduledOrder ${id} has no cycle 2.` },
    });
    expect(await read(shop, 999_999_999)).toMatchObject({ status: 404 });
    expect(await read(shop, id, 'first')).toMatchObject({ status: 400 });
    await api.request('DELETE', `/api/ScheduledOrders/${id}`, { token: shop.tokenAuth });
    expect(await read(shop, id)).toMatchObject({ status: 404 });
  });

  it('is for the order’s own shop: Merchant tokens, and keys that may read', async () => {
    const { shop, id } = await shopWithOrder();
    await drainOnce(database);
    const [{ user_id: userId }] = (await database.query<{ user_id: string }>(
      `SELECT user_id FROM sites WHERE id = $1`,
      [shop.siteId],
    )) as [{ user_id: string }];
    const key = await given.apiKey(Number(userId), [shop.siteId], { access: 'Read' });
    const own = await given.token(Number(userId), { customerId: shop.customerId });
    const stranger = await given.merchant();
    const status = async (token: string) =>
      (await api.request('GET', `/api/ScheduledOrders/${id}/Cycles/1/Explain`, { token })).status;
    expect([await status(key.value), await status(own), await status(stranger.tokenAuth)]).toEqual([200, 403, 403]);
  });
});

describe('Charges that were found at the gateway after lost commits', () => {
  it('are explained where the order costs what was charged; else only the total is known', async () => {
    const gateway = await StripeStandIn.start();
    const original = await cloneDatabase();
    const env = { GATEWAY_ONE_URL: gateway.url };
    await drainOnce(original, env);
    const shop = await givenShop(original, { apiKey1: 'sk_test_forgotten' });
    const [same, other] = (await shop.dueOrders(2)) as [number, number];
    const copy = await copyOf(original);
    try {
      await drainOnce(original, env);
      expect(gateway.ledger.charges).toHaveLength(2);
      await copy.query(`UPDATE scheduled_order_items SET price = 20 WHERE scheduled_order_id = $1`, [other]);
      await adoptDeployment(copy.pool, undefined);
      await drainOnce(copy, { ...env, GATEWAY_TIMEOUT: 'PT2S' });
      expect(gateway.ledger.charges).toHaveLength(2);
      await copy.query(`UPDATE orders SET order_number = '1001', updated_utc = now() + interval '1 minute'`);
      const explained = await explainedCompleted(copy);
      const saidOf = (id: number) =>
        explained.filter(({ scheduledOrderId }) => scheduledOrderId === id).map((one) => [one.isEqual, one.because]);
      expect(saidOf(same)).toEqual([[true, null]]);
      expect(saidOf(other)).toEqual([
        [
          false,
          'The charge was found by a look-up, with an amount that the order was not priced at: only its total is known.',
        ],
      ]);
    } finally {
      await dropDatabase(original);
      await dropDatabase(copy);
      await gateway.stop();
    }
  });
});
