import { randomBytes } from 'node:crypto';
import { AddressRule, OutboundClient } from '#libs/platform';
import { type Shop, type ShopOrder, shopReceiver } from '#libs/shops';
import { givenProbe, givenPush, givenShop, HttpReceiverStandIn } from '../support/shops/index.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
let shop: HttpReceiverStandIn;
beforeEach(async () => {
  shop = await HttpReceiverStandIn.start();
  shop.secret = SECRET;
});
afterEach(() => shop.stop());

const receiver = (change: Partial<Shop> = {}) =>
  shopReceiver(
    new OutboundClient(new AddressRule(['127.0.0.0/8'])),
    givenShop('Http', shop.url, { secrets: [SECRET], ...change }),
  );
const create = (push = givenPush()) => receiver().create(push, { pushAnyway: false });
const settle = async (order: ShopOrder) =>
  receiver().settle(givenPush(), order, { taxDifference: 'Refuse', pushAnyway: false });

it('A push is the whole Order in decimals, and settled with its answer', async () => {
  const outcome = await create();
  expect(outcome).toMatchObject({ kind: 'created', order: { id: '1', number: 'S-1', state: 'Paid', total: '37.85' } });
  expect(await settle((outcome as { order: ShopOrder }).order)).toMatchObject({ kind: 'settled', isPushed: true });
  const [received] = shop.books.values();
  expect(JSON.parse(received!.body)).toEqual({
    ...{ SiteId: 1, OrderId: 912, ScheduledOrderId: 12, Cycle: 4 },
    ...{ DueUtc: '2026-11-24T10:30:00.000Z', DatePaid: '2026-11-24T10:30:05.000Z', CurrencyIso: 'USD' },
    ...{ Subtotal: '29.97', ShippingTotal: '5.00', TaxTotal: '2.88', Total: '37.85' },
    ...{ PaymentMethodType: 'GatewayOne', GatewayTransactionId: 'pi_12' },
    Customer: { ExternalId: '2', Email: 'ada@shop.example', TaxExempt: false },
    ...{ BillingFirstName: 'Ada', BillingLastName: 'Lovelace', BillingStreet1: '1 Main St', BillingStreet2: null },
    ...{ BillingCity: 'Oakland', BillingState: 'CA', BillingPostcode: '94607', BillingCountry: 'US' },
    ...{ ShippingFirstName: 'Ada', ShippingLastName: 'Lovelace', ShippingStreet1: '1 Main St', ShippingStreet2: null },
    ...{ ShippingCity: 'Oakland', ShippingState: 'CA', ShippingPostcode: '94607', ShippingCountry: 'US' },
    OrderItems: [
      {
        ...{ ProductExternalId: '10', Sku: 'COFFEE', Name: 'Coffee', Quantity: 3 },
        ...{ Total: '29.97', TaxTotal: '2.47', IsRecurring: true },
      },
    ],
  });
});

it('Three at once, and one later, are one order', async () => {
  await Promise.all([create(), create(), create()]);
  expect(await create()).toMatchObject({ kind: 'created', order: { id: '1' } });
  expect(shop.books.size).toBe(1);
});

it('An Order that a request has changed to what its currency cannot say is refused before it is sent', async () => {
  expect(await receiver().create(givenPush({ total: '37.8512' }), { pushAnyway: false })).toMatchObject({
    kind: 'refused',
    message: 'USD has no 37.8512: an amount of the Order has too many decimals.',
  });
});

describe('The look-up', () => {
  it('finds what is there, and nothing else', async () => {
    expect(await receiver().lookUp(givenPush())).toEqual({ kind: 'found', orders: [] });
    await create();
    expect(await receiver().lookUp(givenPush())).toMatchObject({ orders: [{ id: '1', total: '37.85' }] });
  });

  it('is signed, too', async () => {
    const unsigned = receiver({ secrets: [`whsec_${randomBytes(32).toString('base64')}`] });
    expect(await unsigned.lookUp(givenPush())).toMatchObject({ kind: 'shopRefused' });
  });
});

describe('An answer', () => {
  it.each([
    ['dropsBefore', 'unknown'],
    ['dropsAfter', 'unknown'],
    ['losesBody', 'unknown'],
    ['failsBefore', 'unknown'],
    ['failsAfter', 'unknown'],
    ['timesOut', 'unknown'],
    ['rateLimited', 'unavailable'],
  ] as const)('%s is %s', async (fault, kind) => {
    shop.faults.next(fault);
    expect(await create()).toMatchObject({ kind });
  });

  it.each([
    [-3_600_000, 60],
    [-264_000, 4],
  ])('401 of a shop whose clock is another (%p ms) is no refusal of the secret', async (aheadMs, minutes) => {
    shop.aheadMs = aheadMs;
    const message = `The shop's clock and ours are ${minutes} minutes apart: it refuses the signature (401).`;
    expect(await create()).toEqual({ ...{ kind: 'unavailable', message }, retryAfterMs: 60_000, isOfClocks: true });
    const { state, findings } = await receiver().verify(givenProbe());
    expect([state, ...findings.map((one) => one.message)]).toEqual(['Unreachable', message, message]);
  });

  it('409 is unknown: another request is being served', async () => {
    shop.faults.next('timesOut');
    await create();
    expect(await create()).toMatchObject({ kind: 'unknown', message: 'The shop is working on it (409).' });
  });

  it('422 is refused for good, in the receiver’s words', async () => {
    shop.unknownProducts.add('10');
    expect(await create()).toMatchObject({ kind: 'refused', message: 'There is no product 10.' });
    expect(shop.books.size).toBe(0);
  });

  it('403 is of this order alone where it takes others', async () => {
    shop.faults.next('forbids');
    expect(await create()).toMatchObject({ kind: 'refused' });
    shop.faults.always('forbids');
    expect(await create()).toMatchObject({ kind: 'shopRefused' });
  });

  it.each(['otherTotal', 'namesNothing'] as const)('of success that %s is a person’s', async (fault) => {
    shop.faults.next(fault);
    const outcome = await create();
    expect(await settle((outcome as { order: ShopOrder }).order)).toMatchObject({ kind: 'settled', isPushed: false });
  });

  it.each(['/elsewhere', '/elsewhere/'])('from no receiver (%s) stops the shop', async (path) => {
    const outcome = await receiver({ path }).create(givenPush(), { pushAnyway: false });
    expect(outcome).toMatchObject({ kind: 'shopRefused' });
  });
});

describe('Verify', () => {
  it('agrees with a receiver that refuses what it must, and leaves nothing behind', async () => {
    const { findings } = await receiver().verify(givenProbe());
    expect(findings.map(({ check, agrees }) => [check, agrees])).toEqual([
      ['LookUp', true],
      ['Orders', true],
    ]);
    expect(shop.books.size).toBe(0);
  });

  it('says that the secret is another', async () => {
    const { findings } = await receiver({ secrets: [] }).verify(givenProbe());
    expect(findings.map(({ agrees }) => agrees)).toEqual([false, false]);
    expect(findings[0]!.message).toContain('401');
  });
});
