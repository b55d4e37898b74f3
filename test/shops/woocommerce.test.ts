import { AddressRule, OutboundClient } from '#libs/platform';
import { type Probe, probeName, type Push, type Shop, type ShopOrder, shopReceiver } from '#libs/shops';
import {
  givenLine,
  givenProbe,
  givenPush,
  givenShop,
  INSTALLATION,
  WooCommerceStandIn,
} from '../support/shops/index.js';
import { until } from '../support/until.js';

const ACCEPT = { taxDifference: 'Accept', pushAnyway: false } as const;
const outbound = (wholeMs = 60_000) => new OutboundClient(new AddressRule(['127.0.0.0/8']), { wholeMs });

let shop: WooCommerceStandIn;
beforeEach(async () => {
  shop = await WooCommerceStandIn.start();
  shop.products.set(10, { id: 10, name: 'Coffee', price: '9.99', stock: 100 });
  shop.products.set(13, { id: 13, name: 'Tea', price: '5', type: 'variable' });
  shop.products.set(14, { id: 14, name: 'Tea, green', price: '5', type: 'variation', parentId: 13 });
  shop.customers.set(2, { billing: { phone: '555-0100', company: 'Engines' }, shipping: {} });
});
afterEach(() => shop.stop());

const receiver = (change: Partial<Shop> = {}, wholeMs?: number) =>
  shopReceiver(outbound(wholeMs), givenShop('WooCommerceRest', shop.url, change));
const stored = () => [...shop.books.orders.values()];

async function created(push: Push): Promise<ShopOrder> {
  const outcome = await receiver().create(push, { pushAnyway: false });
  if (outcome.kind !== 'created') throw new Error(JSON.stringify(outcome));
  return outcome.order;
}

async function pushed(push: Push, taxDifference: 'Accept' | 'Refuse' = 'Accept') {
  return receiver().settle(push, await created(push), { ...ACCEPT, taxDifference });
}

describe('A push', () => {
  it('is created unpaid, with nobody told, and then paid: mailed once, its stock taken once', async () => {
    const push = givenPush();
    const order = await created(push);
    expect(order).toEqual({
      ...{ id: '101', number: '101', state: 'Unpaid', currencyIso: 'USD', total: '37.85', taxTotal: '2.88' },
      lines: [{ productExternalId: '10', quantity: 3 }],
    });
    expect([shop.books.mails, shop.books.taken.size]).toEqual([[], 0]);
    expect(await receiver().settle(push, order, ACCEPT)).toEqual({
      kind: 'settled',
      order: { ...order, state: 'Paid' },
      differences: { total: 0, isNetOther: false, currencyIso: null, lines: [], areAmountsUnknown: false },
      isPushed: true,
      isStockTaken: null,
      unsellable: [],
    });
    expect(shop.books.mails.map(({ to, what }) => `${to} ${what}`)).toEqual(['shop new', 'customer received']);
    expect([...shop.books.taken]).toEqual([[10, 3]]);
  });

  it('carries names, addresses and the transaction, and what the shop knows of its customer', async () => {
    await pushed(givenPush({ shipping: { ...givenPush().shipping, state: 'California', country: 'United States' } }));
    const [order] = stored();
    expect(order).toMatchObject({
      ...{ customerId: 2, createdVia: `${INSTALLATION}-12-tp0560`, transactionId: 'pi_12' },
      billing: { email: 'ada@shop.example', phone: '555-0100', company: 'Engines', state: 'CA', country: 'US' },
      shipping: { first_name: 'Ada', state: 'CA', country: 'US', postcode: '94607' },
    });
    expect(Object.fromEntries(order!.meta.map(({ key, value }) => [key, value]))).toEqual({
      _scheduled_orders_push: `${INSTALLATION}-12-tp0560`,
      _scheduled_orders_scheduled_order: '12',
      _scheduled_orders_order: '912',
      _scheduled_orders_due_utc: '2026-11-24T10:30:00.000Z',
      _scheduled_orders_transaction: 'pi_12',
    });
  });

  it('says of a line that comes in this box only that it does', async () => {
    const lines = [givenLine(), givenLine({ isRecurring: false })];
    await created(givenPush({ lines }));
    const recurring = stored()[0]!.lines.map(({ meta }) => meta);
    expect(recurring).toEqual([[], [{ key: '_scheduled_orders_recurring', value: 'no' }]]);
  });

  it('of a customer whom the shop does not know, without e-mail, is a guest’s', async () => {
    const customer = { externalId: '77', email: '', taxExempt: false };
    expect((await pushed(givenPush({ customer }))).kind).toBe('settled');
    expect(stored()[0]).toMatchObject({ customerId: 0, billing: { first_name: 'Ada' } });
  });

  it.each(['2', '77'])(
    'of a customer (%s) whom the key may not read is a guest’s: it may be none',
    async (externalId) => {
      shop.settings.hidesCustomers = true;
      await created(givenPush({ customer: { externalId, email: 'ada@shop.example', taxExempt: false } }));
      expect(stored()).toMatchObject([{ customerId: 0, billing: { email: 'ada@shop.example' } }]);
    },
  );

  it('of an exempt customer has no tax there either', async () => {
    const customer = { externalId: '2', email: null, taxExempt: true };
    const exempt = givenPush({ customer, taxTotal: '0', total: '34.97' });
    expect(await pushed(exempt)).toMatchObject({ isPushed: true, order: { total: '34.97' } });
  });

  it('of a variation has the variation, whose parent the shop answers beside it', async () => {
    const lines = [givenLine({ productExternalId: '14', quantity: 2, total: '10', taxTotal: '0.83' })];
    const tea = givenPush({ lines, shippingTotal: '5', taxTotal: '1.24', total: '16.24' });
    expect(await pushed(tea)).toMatchObject({ isPushed: true, differences: { lines: [] } });
  });

  it('of nothing to pay is set to processing', async () => {
    const free = givenPush({
      lines: [givenLine({ total: '0', taxTotal: '0' })],
      ...{ shippingTotal: '0', taxTotal: '0' },
      total: '0',
    });
    expect(await pushed(free)).toMatchObject({ isPushed: true, order: { state: 'Paid', total: '0.00' } });
  });
});

describe('A total that the shop comes to otherwise', () => {
  beforeEach(() => {
    shop.settings.roundsAtSubtotal = true;
  });
  // Three lines of 3.33 and no shipping: 10.80 per line, 10.81 at the subtotal.
  const thirds = () => {
    const lines = ['10', '20', '30'].map((productExternalId) => {
      shop.products.set(Number(productExternalId), { id: Number(productExternalId), name: 'A third', price: '3.33' });
      return givenLine({ productExternalId, quantity: 1, total: '3.33', taxTotal: '0.27' });
    });
    return givenPush({ lines, shippingTotal: '0', subtotal: '9.99', taxTotal: '0.81', total: '10.80' });
  };

  it('is paid, noted and pushed where that is accepted', async () => {
    expect(await pushed(thirds())).toMatchObject({ isPushed: true, differences: { total: 1, lines: [] } });
    expect(stored()[0]!.notes).toContainEqual({
      note: 'Scheduled order 12 was charged 10.80 USD.',
      customer_note: false,
    });
  });

  it('is paid and a person’s where it is refused: a customer who has paid is never asked again', async () => {
    expect(await pushed(thirds(), 'Refuse')).toMatchObject({ isPushed: false, order: { state: 'Paid' } });
    expect(shop.books.unpaid()).toEqual([]);
  });

  it.each(['3.00', '-3.00', '-5.00'])('by a fee or discount of its own, %s, is a person’s, paid', async (fee) => {
    Object.assign(shop.settings, { fee, roundsAtSubtotal: false });
    expect(await pushed(givenPush())).toMatchObject({
      ...{ isPushed: false, order: { state: 'Paid' } },
      differences: { total: Number(fee) * 100, isNetOther: true },
    });
  });

  it('by all of its tax is accepted: a shop without taxes', async () => {
    shop.settings.hasTaxes = false;
    const differences = { total: -288, isNetOther: false };
    expect(await pushed(givenPush())).toMatchObject({ isPushed: true, differences });
  });

  it.each([
    ['8.39', '9.98', -1, 'the rounded net loses a cent'],
    ['8.394958', '9.99', 0, 'the exact one does not'],
  ])('of a price with tax, net %s, is %s: %d', async (exactNet, total, difference) => {
    Object.assign(shop.settings, { isGross: true, roundsAtSubtotal: false });
    shop.taxRates.set('US/CA', '19');
    const lines = [givenLine({ quantity: 1, total: '8.39', taxTotal: '1.60', exactNet })];
    const gross = givenPush({ lines, shippingTotal: '0', subtotal: '8.39', taxTotal: '1.60', total: '9.99' });
    expect(await pushed(gross)).toMatchObject({ order: { total }, differences: { total: difference } });
  });

  it('in another currency is a person’s, paid', async () => {
    const order = { ...(await created(givenPush())), currencyIso: 'EUR' };
    stored()[0] = Object.assign(stored()[0]!, { currency: 'EUR' });
    const settled = await receiver().settle(givenPush(), order, ACCEPT);
    expect(settled).toMatchObject({ isPushed: false, order: { state: 'Paid' }, differences: { currencyIso: 'EUR' } });
  });
});

describe('A product', () => {
  it.each([
    [{ productExternalId: '99' }, 'The shop has no product for "Coffee".'],
    [{ productExternalId: null }, 'The shop has no product for "Coffee".'],
    [{ productExternalId: '13' }, '"Coffee" has variations, and the product names none of them.'],
  ])('%j is not pushed', async (change, message) => {
    const push = givenPush({ lines: [givenLine(change)] });
    const products = change.productExternalId === null ? undefined : [{ ...change, unsellable: message }];
    expect(await receiver().create(push, { pushAnyway: false })).toEqual({ kind: 'refused', message, products });
    expect(stored()).toEqual([]);
  });

  it('that is a draft is pushed only anyway, and then a person’s', async () => {
    shop.products.get(10)!.status = 'draft';
    const push = givenPush();
    const message = '"Coffee" is not published in the shop (draft).';
    expect(await receiver().create(push, { pushAnyway: false })).toMatchObject({ kind: 'refused', message });
    const { order } = (await receiver().create(push, { pushAnyway: true })) as { order: ShopOrder };
    // By whoever has the push then.
    const settled = await receiver().settle(push, order, { ...ACCEPT, pushAnyway: true });
    expect(settled).toMatchObject({ order: { state: 'Paid' }, unsellable: [message] });
  });

  it('that is deleted between creating and paying shows in the lines', async () => {
    shop.faults.next('deletesProducts');
    expect(await pushed(givenPush())).toMatchObject({
      isPushed: false,
      differences: {
        lines: [
          { productExternalId: '10', ours: 3, theirs: 0 },
          { productExternalId: null, ours: 0, theirs: 3 },
        ],
      },
    });
  });

  it('whose ExternalId is none of WooCommerce is not sent, whatever is pushed anyway', async () => {
    const push = givenPush({ lines: [givenLine({ productExternalId: 'abc' })] });
    expect(await receiver().create(push, { pushAnyway: true })).toEqual({
      ...{ kind: 'refused', message: 'The shop has no product for "Coffee".' },
    });
    expect(shop.requests).toEqual([]);
  });

  it('none of which arrived leaves no order behind', async () => {
    const push = givenPush();
    const order = { ...(await created(push)), lines: [] };
    expect(await receiver().settle(push, order, ACCEPT)).toMatchObject({ kind: 'removed' });
    expect([shop.books.living(push.name), shop.books.mails]).toEqual([[], []]);
  });

  it('of a found charge, whose amounts are not known, is sent without them and a person’s', async () => {
    const found = givenPush({ lines: [givenLine({ total: null, taxTotal: null })] });
    expect(await pushed(found)).toMatchObject({ isPushed: false, differences: { total: 0, areAmountsUnknown: true } });
  });
});

describe('A fault of', () => {
  const unknown = ['dropsBefore', 'dropsAfter', 'losesBody', 'savesAndFails', 'unavailable'] as const;

  it.each(unknown)('creating (%s) is unknown, and only what really stands is found', async (fault) => {
    const push = givenPush();
    shop.faults.next(fault);
    expect((await receiver().create(push, { pushAnyway: false })).kind).toBe('unknown');
    const found = await receiver().lookUp(push);
    const ids = shop.books.living(push.name).map(({ id }) => String(id));
    expect(found).toMatchObject({ kind: 'found', orders: ids.map((id) => ({ id, state: 'Unpaid' })) });
    expect(ids).toHaveLength(fault === 'dropsBefore' || fault === 'unavailable' ? 0 : 1);
  });

  it.each(unknown)('paying (%s) is unknown, and is read before it is sent again', async (fault) => {
    const push = givenPush();
    const order = await created(push);
    shop.faults.next(fault, { operation: 'pay' });
    expect((await receiver().settle(push, order, ACCEPT)).kind).toBe('unknown');
    const found = await receiver().lookUp(push);
    if (found.kind !== 'found') throw new Error(found.message);
    expect(await receiver().settle(push, found.orders[0]!, ACCEPT)).toMatchObject({ isPushed: true });
    expect(shop.books.mails.filter(({ to }) => to === 'customer')).toHaveLength(1);
    expect([...shop.books.taken]).toEqual([[10, 3]]);
  });

  it.each([
    [100, false],
    [undefined, null],
  ])(
    'a hook on the way to processing leaves a paid order without its stock: that is told where it is managed (%p: %p)',
    async (stock, isStockTaken) => {
      shop.products.set(10, { id: 10, name: 'Coffee', price: '9.99', ...(stock !== undefined && { stock }) });
      const push = givenPush();
      const order = await created(push);
      shop.faults.next('paysAndBreaks', { operation: 'pay' });
      await receiver().settle(push, order, ACCEPT);
      expect(await receiver().settle(push, { ...order, state: 'Paid' }, ACCEPT)).toMatchObject({ isStockTaken });
    },
  );

  it('a plugin that sleeps before it saves is unknown, and is found afterwards', async () => {
    const push = givenPush();
    let wake = (): void => undefined;
    shop.awake = new Promise<void>((resolve) => (wake = resolve));
    shop.faults.next('timesOut');
    expect(await receiver().create(push, { pushAnyway: false })).toMatchObject({ kind: 'unknown' });
    expect(await receiver().lookUp(push)).toEqual({ kind: 'found', orders: [] });
    wake();
    await until(() => shop.underWay === 0);
    expect(await receiver().lookUp(push)).toMatchObject({ orders: [{ state: 'Unpaid' }] });
  });

  it.each(['refusesIntoTrash', 'leavesDraft'] as const)(
    'a plugin (%s) is a refusal, and what it left goes',
    async (fault) => {
      const push = givenPush();
      shop.faults.next(fault);
      expect(await receiver().create(push, { pushAnyway: false })).toMatchObject({ kind: 'refused' });
      expect([stored().length, shop.books.living(push.name)]).toEqual([1, []]);
    },
  );

  it.each([
    ['forbids', 'The shop refuses it (403): a firewall, or a plugin, does not let this one in.'],
    ['forbidsIntoTrash', 'The shop refuses it (403): Not today.'],
  ] as const)('a 403 for one order (%s) is a refusal of that order, and what it left goes', async (fault, message) => {
    const push = givenPush();
    shop.faults.next(fault);
    expect(await receiver().create(push, { pushAnyway: false })).toMatchObject({ kind: 'refused', message });
    expect(shop.books.living(push.name)).toEqual([]);
    const order = await created(push);
    shop.faults.next('forbids', { operation: 'pay' });
    expect(await receiver().settle(push, order, ACCEPT)).toMatchObject({ kind: 'refused' });
    shop.faults.next('forbids', { operation: 'remove', times: 2 });
    expect(await receiver().remove(order.id)).toMatchObject({ kind: 'refused' });
  });

  it('a 403 for every order, or of the key, stops the whole shop', async () => {
    shop.faults.always('forbids');
    expect(await receiver().create(givenPush(), ACCEPT)).toMatchObject({ kind: 'shopRefused' });
    shop.faults.none();
    shop.access.keys.set('ck_shop', { secret: 'cs_shop_secret', may: 'read_write', role: 'customer' });
    expect(await receiver().create(givenPush(), ACCEPT)).toMatchObject({ kind: 'shopRefused' });
  });

  it('a refusal has the shop’s own words, as text of bounded length without the keys', async () => {
    const email = (words: string) => {
      shop.wordsOfRefusals = words;
      return receiver({ apiKey2: 'cs/shop/secret' }).create(
        givenPush({ customer: { externalId: '2', email: 'ada', taxExempt: false } }),
        ACCEPT,
      );
    };
    shop.access.keys.set('ck_shop', { secret: 'cs/shop/secret', may: 'read_write', role: 'administrator' });
    expect(await email('billing[email] of <b>ck_shop:cs/shop/secret</b> is not a valid email address.')).toMatchObject({
      message:
        'The shop refuses it (400): Invalid parameter(s): billing billing[email] of ck_shop:[redacted] is not a valid email address.',
    });
    const { message } = (await email('x'.repeat(5_000))) as { message: string };
    expect(message.length).toBeLessThan(600);
  });

  it('429 is certainly nothing, and says when', async () => {
    shop.faults.next('rateLimited');
    const outcome = await receiver().create(givenPush(), { pushAnyway: false });
    expect(outcome).toMatchObject({ kind: 'unavailable', retryAfterMs: 7_000 });
  });

  it('no shop at all is certainly nothing', async () => {
    const nobody = shopReceiver(outbound(), givenShop('WooCommerceRest', 'http://127.0.0.1:9'));
    expect(await nobody.create(givenPush(), { pushAnyway: false })).toMatchObject({ kind: 'unavailable' });
  });

  it.each([
    ['the list of products', 0, 'unavailable'],
    ['a product', 1, 'unavailable'],
    ['the customer', 2, 'unavailable'],
    ['the states of the country', 3, 'created'],
  ])('a page with 200 instead of %s says nothing of it', async (_, readBefore, kind) => {
    // The variation is read by itself.
    const lines = [givenLine(), givenLine({ productExternalId: '14' })];
    if (readBefore > 0) shop.faults.next('warns', { operation: 'read', times: readBefore });
    shop.faults.next('showsPage', { operation: 'read' });
    const outcome = await receiver().create(givenPush({ lines }), ACCEPT);
    expect([outcome.kind, stored().length]).toEqual([kind, kind === 'created' ? 1 : 0]);
  });

  it('a page with 200 does not say that an order is deleted', async () => {
    const { id } = await created(givenPush());
    shop.faults.next('showsPage', { operation: 'remove' });
    expect(await receiver().remove(id)).toMatchObject({ kind: 'unknown' });
  });

  it('a warning before the JSON is no fault', async () => {
    shop.settings.warnsAlways = true;
    expect(await pushed(givenPush())).toMatchObject({ isPushed: true });
  });
});

describe('The look-up', () => {
  it.each(['11.0.1', '9.8.0'])('finds by name in version %s, beside the customer’s other orders', async (version) => {
    shop.settings.version = version;
    const [push, other] = [givenPush(), givenPush({ scheduledOrderId: 13 })];
    await pushed(other);
    expect(await receiver().lookUp(push)).toEqual({ kind: 'found', orders: [] });
    const { order } = (await pushed(push)) as { order: ShopOrder };
    expect(await receiver().lookUp(push)).toEqual({ kind: 'found', orders: [order] });
  });

  it.each([-8, 9])('finds what was just made by a clock at UTC%d', async (offsetHours) => {
    shop.settings.offsetHours = offsetHours;
    await pushed(givenPush());
    expect(await receiver().lookUp(givenPush())).toMatchObject({ orders: [{ state: 'Paid' }] });
  });

  it('reads smaller pages where a page is larger than what is read of a reply', async () => {
    Object.assign(shop.settings, { version: '9.8.0', metaBytes: 180_000 });
    for (let at = 13; at < 24; at += 1) await created(givenPush({ scheduledOrderId: at }));
    const order = await created(givenPush());
    await created(givenPush({ scheduledOrderId: 24 }));
    expect(await receiver().lookUp(givenPush())).toEqual({ kind: 'found', orders: [order] });
  });

  it('says of one order that is larger than that what is wrong', async () => {
    shop.settings.metaBytes = 3_000_000;
    await created(givenPush()).catch(() => undefined);
    const message = "The shop's answer is larger than 2 MiB.";
    expect(await receiver().lookUp(givenPush())).toMatchObject({ kind: 'unknown', message });
  });

  it('finds what is paid as paid, also when the merchant has put it on hold', async () => {
    const { order } = (await pushed(givenPush())) as { order: ShopOrder };
    shop.changeOrder(Number(order.id), { status: 'on-hold' });
    expect(await receiver().lookUp(givenPush())).toMatchObject({ orders: [{ state: 'Paid' }] });
  });

  it.each(['Header', 'Query'] as const)(
    'finds what was made since the last one, beside a cache (%s)',
    async (authMode) => {
      shop.settings.cachesReads = true;
      const push = givenPush();
      expect(await receiver({ authMode }).lookUp(push)).toEqual({ kind: 'found', orders: [] });
      await created(push);
      expect(await receiver({ authMode }).lookUp(push)).toMatchObject({ orders: [{ state: 'Unpaid' }] });
    },
  );

  it('finds by created_via where a plugin hides our meta', async () => {
    shop.settings.hidesMeta = true;
    await created(givenPush());
    expect(await receiver().lookUp(givenPush())).toMatchObject({ orders: [{ state: 'Unpaid' }] });
  });

  it('finds what was thrown away', async () => {
    shop.faults.next('trashes');
    await created(givenPush());
    expect(await receiver().lookUp(givenPush())).toMatchObject({ orders: [{ state: 'Trashed' }] });
  });
});

describe('The keys', () => {
  it.each([
    ['Header', { isHttps: true }],
    ['Query', { isHttps: true, stripsAuthorization: true }],
    ['OAuth', { isHttps: false }],
  ] as const)('go as %s where the shop is %j', async (authMode, settings) => {
    Object.assign(shop.settings, settings);
    expect(await receiver({ authMode }).lookUp(givenPush())).toEqual({ kind: 'found', orders: [] });
    expect(await receiver().verify(givenProbe())).toMatchObject({ authMode });
  });

  it('that are refused stop the whole shop, and are in no message', async () => {
    const outcome = await receiver({ authMode: 'Query', apiKey2: 'cs_another_secret' }).lookUp(givenPush());
    expect(outcome).toMatchObject({ kind: 'shopRefused' });
    expect(JSON.stringify(outcome)).not.toContain('cs_another_secret');
  });

  it('that may only read are found by Verify', async () => {
    shop.access.keys.set('ck_shop', { secret: 'cs_shop_secret', may: 'read', role: 'administrator' });
    const { authMode, findings } = await receiver().verify(givenProbe());
    expect([authMode, findings.at(-1)]).toEqual([null, expect.objectContaining({ check: 'Keys', agrees: false })]);
  });
});

it('Without WooCommerce nothing is refused for good, and nothing counts as deleted: the whole shop stops', async () => {
  const { id } = await created(givenPush());
  shop.settings.isActive = false;
  expect(await receiver().create(givenPush(), { pushAnyway: false })).toMatchObject({ kind: 'shopRefused' });
  expect(await receiver().remove(id)).toMatchObject({ kind: 'shopRefused' });
});

describe('A host that refuses PUT and DELETE', () => {
  it.each([
    [405, 'Header'],
    [501, 'Header'],
    [403, 'OAuth'],
  ] as const)('with %d is pushed to all the same, and loses what is to go (%s)', async (refusedWith, authMode) => {
    const isHttps = authMode !== 'OAuth';
    Object.assign(shop.settings, { refusedMethods: ['PUT', 'DELETE'], refusedWith, isHttps });
    const push = givenPush();
    const [first, second] = [
      await receiver({ authMode }).create(push, ACCEPT),
      await receiver({ authMode }).create(push, ACCEPT),
    ] as { order: ShopOrder }[];
    expect(await receiver({ authMode }).settle(push, first!.order, ACCEPT)).toMatchObject({ isPushed: true });
    expect(await receiver({ authMode }).remove(second!.order.id)).toEqual({ kind: 'removed' });
    expect(shop.books.living(push.name)).toMatchObject([{ id: Number(first!.order.id), status: 'processing' }]);
  });

  it('is told from a shop that refuses the key to delete', async () => {
    const { id } = await created(givenPush());
    shop.access.keys.set('ck_shop', { secret: 'cs_shop_secret', may: 'read_write', role: 'customer' });
    shop.requests.length = 0;
    expect(await receiver().remove(id)).toMatchObject({ kind: 'shopRefused' });
    expect(shop.requests).toEqual([`DELETE /wp-json/wc/v3/orders/${id}`]);
  });
});

describe('Verify', () => {
  const products = [{ productExternalId: '10', name: 'Coffee' }];
  const probe = (change: Partial<Probe> = {}) =>
    givenProbe({ products, order: givenPush({ name: probeName(INSTALLATION) }), ...change });

  it('agrees with a shop like the site, and leaves nothing behind', async () => {
    const { findings } = await receiver().verify(probe());
    expect(findings.filter(({ agrees }) => !agrees)).toEqual([]);
    expect(findings.at(-1)!.message).toBe('The shop comes to the same total: 37.85 USD.');
    expect([shop.books.living(probeName(INSTALLATION)), shop.books.mails]).toEqual([[], []]);
  });

  it('deletes what an earlier one left', async () => {
    await created(probe().order!);
    await receiver().verify(probe());
    expect(shop.books.living(probeName(INSTALLATION))).toEqual([]);
  });

  it('says each thing that would differ', async () => {
    Object.assign(shop.settings, { version: '9.8.1', currency: 'EUR', decimals: 0, hasCron: false });
    shop.taxRates.clear();
    const products = ['10', '14', '13', null].map((productExternalId) => ({ productExternalId, name: 'Tea' }));
    const { findings } = await receiver().verify(probe({ products }));
    expect(findings.filter(({ agrees }) => !agrees).map(({ check }) => check)).toEqual([
      ...['Version', 'Currency', 'Decimals', 'Cron', 'Products', 'Probe'],
    ]);
    expect(findings.at(-2)!.message).toBe(
      '2 of 4 products cannot be ordered. "Tea" has variations, and the product names none of them. The shop has no product for "Tea".',
    );
  });

  it('says where prices have tax in them on one side only', async () => {
    shop.settings.isGross = true;
    const { findings } = await receiver().verify(probe());
    const { agrees, message } = findings.find(({ check }) => check === 'Taxes')!;
    expect([agrees, message]).toEqual([false, expect.stringContaining('would pay the tax on it once more')]);
    const { findings: gross } = await receiver().verify(probe({ prices: 'Gross' }));
    expect(gross.find(({ check }) => check === 'Taxes')).toMatchObject({ agrees: true });
  });

  it('tries the keys of a shop whose index is closed', async () => {
    shop.settings.isIndexClosed = true;
    expect(await receiver().verify(probe())).toMatchObject({ state: 'Ready', authMode: 'Header' });
    const { findings, state } = await receiver({ apiKey1: 'ck_other' }).verify(probe());
    expect([state, findings.filter(({ agrees }) => !agrees).map(({ check }) => check)]).toEqual(['Refused', ['Keys']]);
  });

  it('does not blame the keys for what is not theirs', async () => {
    const failed = async () => (await receiver().verify(probe())).findings.filter(({ agrees }) => !agrees);
    shop.settings.breaksAt = 'wc/v3/system_status';
    expect(await failed()).toEqual([
      { check: 'Version', agrees: false, message: 'Not known: version and settings. The shop answered 500.' },
    ]);
    shop.faults.next('forbids', { times: 3 });
    expect(await failed()).toEqual([
      expect.objectContaining({ check: 'Keys', message: expect.stringContaining('a firewall or the host') as string }),
    ]);
  });

  it('looks at products for so long only, and says how many it did not look at', async () => {
    const many = Array.from({ length: 12 }, () => products[0]!);
    const { findings } = await receiver().verify(probe({ products: many, mostMs: 0 }));
    expect(findings.find(({ check }) => check === 'Products')!.message).toBe(
      '10 products can be ordered. The shop is slow: 2 more were not looked at.',
    );
  });

  it('says that there is no WooCommerce', async () => {
    const nowhere = shopReceiver(outbound(), givenShop('WooCommerceRest', `${shop.url}/blog`));
    expect(await nowhere.verify(probe())).toMatchObject({
      authMode: null,
      findings: [{ check: 'Address', agrees: false }],
    });
  });
});
