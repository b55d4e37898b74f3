import { type AccountPayment, Gateways, type PaymentGateway } from '#libs/gateways';
import { AuthorizeNetStandIn, secondOf, StripeStandIn } from '../support/gateways/index.js';
import { gatewayOneCredentials, gatewayTwoCredentials, givenCharge } from './given-charge.js';

const DAY = 24 * 60 * 60 * 1_000;
const SHOP = { customer: '40025205', card: '40027471', amount: 990, currency: 'USD' };

let one: StripeStandIn;
let two: AuthorizeNetStandIn;

beforeEach(async () => {
  one = await StripeStandIn.start();
  two = await AuthorizeNetStandIn.start();
});
afterEach(() => Promise.all([one.stop(), two.stop()]));

const gateways = () =>
  new Gateways({ gatewayOneUrl: one.url, gatewayTwoUrl: two.url, timeoutMs: 2_000, breakerThreshold: 50 });
const gatewayOne = (about = {}) => gateways().for(1, gatewayOneCredentials(about));
const gatewayTwo = (about = {}) => gateways().for(2, gatewayTwoCredentials(about));

async function listed(gateway: PaymentGateway, agoMs = 0) {
  const found: AccountPayment[] = [];
  const answer = await gateway.listPayments({ agoMs, installation: 'test' }, (page) =>
    Promise.resolve(void found.push(...page)),
  );
  return { answer, found };
}

describe.each([
  ['GatewayOne', gatewayOne, () => one, 'sk_test_merchant', 'USD'],
  ['GatewayTwo', gatewayTwo, () => two, 'login', null],
] as const)('%s.listPayments', (_, gatewayOf, standInOf, account, currencyIso) => {
  it("tells of the shop's own payments whose card they took, when and how much", async () => {
    const transactionId = standInOf().chargeElsewhere(account, SHOP);
    expect(await listed(gatewayOf())).toEqual({
      answer: { kind: 'listed' },
      found: [
        {
          transactionId,
          isCharged: true,
          gatewayCustomerId: SHOP.customer,
          gatewayPaymentId: SHOP.card,
          amount: 990,
          currencyIso,
          chargedUtc: expect.any(Date),
          named: null,
        },
      ],
    });
  });

  it('names the occurrence of a charge that the service made', async () => {
    const gateway = gatewayOf();
    const charge = givenCharge({ gatewayCustomerId: SHOP.customer, gatewayPaymentId: SHOP.card });
    await gateway.charge(charge);
    const { transactionId } = standInOf().ledger.charges[0]!;
    expect((await listed(gateway)).found).toMatchObject([
      {
        transactionId,
        named: {
          scheduledOrderId: charge.scheduledOrderId,
          dueUtc: new Date(secondOf(charge.dueUtc)),
          installation: 'this',
        },
      },
    ]);
  });

  it('shows what is undecided, and leaves out what took no money', async () => {
    const gateway = gatewayOf();
    const declined = {
      gatewayCustomerId: SHOP.customer,
      gatewayPaymentId: account === 'login' ? '9001002' : 'pm_declined',
    };
    await gateway.charge(givenCharge(declined));
    standInOf().faults.next('undecided');
    const undecided = givenCharge({ gatewayCustomerId: SHOP.customer, gatewayPaymentId: SHOP.card });
    await gateway.charge(undecided);
    expect((await listed(gateway)).found).toMatchObject([
      { isCharged: false, named: { scheduledOrderId: undecided.scheduledOrderId } },
    ]);
  });

  it('knows a purchase as a guest by its missing customer', async () => {
    standInOf().chargeElsewhere(account, { ...SHOP, customer: null });
    expect((await listed(gatewayOf())).found).toMatchObject([{ gatewayCustomerId: null, amount: 990 }]);
  });

  it('turns every page, and stops before what is older', async () => {
    standInOf().chargeElsewhere(account, SHOP);
    standInOf().advance(5 * DAY);
    for (let payment = 0; payment < 1_201; payment += 1) standInOf().chargeElsewhere(account, SHOP);
    const { found } = await listed(gatewayOf());
    expect(new Set(found.map(({ transactionId }) => transactionId)).size).toBe(1_201);
    expect(found).toHaveLength(1_201);
    expect((await listed(gatewayOf(), 5 * DAY)).found).toHaveLength(1_202);
  });

  it.each(['loseBefore', 'unavailable', 'malformed', 'rateLimited'] as const)(
    'says so when it meets %s',
    async (fault) => {
      standInOf().chargeElsewhere(account, SHOP);
      standInOf().faults.next(fault, { operation: 'lookUp' });
      expect((await listed(gatewayOf())).answer).toMatchObject({ kind: 'unavailable' });
    },
  );

  it.each(['loseBefore', 'unavailable', 'malformed', 'rateLimited'] as const)(
    'does not take a card for missing when it meets %s',
    async (fault) => {
      standInOf().faults.next(fault, { operation: 'lookUp' });
      expect(await gatewayOf().findMethod(SHOP.customer, SHOP.card)).toMatchObject({ kind: 'unavailable' });
    },
  );

  it('finds a stored card, and only with its own customer', async () => {
    standInOf().attach(SHOP.card, SHOP.customer);
    expect(await gatewayOf().findMethod(SHOP.customer, SHOP.card)).toEqual({ kind: 'stored' });
    expect(await gatewayOf().findMethod('7', SHOP.card)).toMatchObject({ kind: 'missing' });
    expect(await gatewayOf().findMethod(SHOP.customer, '8')).toMatchObject({ kind: 'missing' });
  });

  it('is refused without credentials', async () => {
    const gateway = gatewayOf({ apiKey1: null });
    expect((await listed(gateway)).answer).toMatchObject({ kind: 'refused' });
    expect(await gateway.findMethod(SHOP.customer, SHOP.card)).toMatchObject({ kind: 'refused' });
  });
});

describe('GatewayOne', () => {
  it('lists what was charged without a PaymentIntent', async () => {
    const transactionId = one.chargeElsewhere('sk_test_merchant', { ...SHOP, isOlder: true });
    expect(transactionId).toMatch(/^ch_/);
    expect((await listed(gatewayOne())).found).toMatchObject([{ transactionId, isCharged: true }]);
  });

  it('says which permission a restricted key lacks', async () => {
    one.chargesOnly.add('sk_test_merchant');
    const refused = (what: string) => ({
      kind: 'refused',
      message: `The restricted key may not read ${what}: give it that permission.`,
    });
    expect((await listed(gatewayOne())).answer).toMatchObject(refused('charges'));
    expect(await gatewayOne().findMethod('cus_1', 'pm_1')).toEqual(refused('payment methods'));
  });

  it('says that a card is no longer attached to a customer', async () => {
    one.attach('pm_1', null);
    expect(await gatewayOne().findMethod('cus_1', 'pm_1')).toEqual({
      kind: 'missing',
      message: 'The card pm_1 is no longer attached to a customer.',
    });
  });
});

describe('GatewayTwo', () => {
  it('asks for the details of a transaction where the list does not say whose card it took', async () => {
    two.profilesIn = 'details';
    two.chargeElsewhere('login', SHOP);
    expect((await listed(gatewayTwo())).found).toMatchObject([
      { gatewayCustomerId: SHOP.customer, gatewayPaymentId: SHOP.card },
    ]);
  });

  it('sends no id that its schema cannot take', async () => {
    expect(await gatewayTwo().findMethod('cus_1', 'pm_1')).toMatchObject({ kind: 'missing' });
    expect(two.served.lookUp).toBe(0);
  });
});

it('lists nothing in the sandbox, and takes every card for stored', async () => {
  const gateway = gatewayOne({ apiKey1: 'sandbox' });
  expect(await listed(gateway)).toEqual({ answer: { kind: 'listed' }, found: [] });
  expect(await gateway.findMethod('cus_1', 'pm_1')).toEqual({ kind: 'stored' });
});
