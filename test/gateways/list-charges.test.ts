import { type Charge, type ChargeQuery, type FoundCharge, Gateways, Paging, type PaymentGateway } from '#libs/gateways';
import { AuthorizeNetStandIn, NO_PROFILE, secondOf, StripeStandIn } from '../support/gateways/index.js';
import { gatewayOneCredentials, gatewayTwoCredentials, givenCharge } from './given-charge.js';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const MARGIN = 48 * HOUR;

let one: StripeStandIn;
let two: AuthorizeNetStandIn;

beforeEach(async () => {
  one = await StripeStandIn.start();
  two = await AuthorizeNetStandIn.start();
});
afterEach(() => Promise.all([one.stop(), two.stop()]));

const gateways = () =>
  new Gateways({ gatewayOneUrl: one.url, gatewayTwoUrl: two.url, timeoutMs: 2_000, breakerThreshold: 50 });
const gatewayOne = () => gateways().for(1, gatewayOneCredentials());
const gatewayTwo = () => gateways().for(2, gatewayTwoCredentials());

/** What both gateways take. */
const charges = (about: Partial<Charge> = {}) =>
  givenCharge({ gatewayCustomerId: '40025205', gatewayPaymentId: '40027471', ...about });

/**
 * So many charges at GatewayTwo, the first of which is sent: a thousand requests would say nothing more of a list. They
 * differ in their amounts.
 */
async function enter(count: number): Promise<void> {
  await gatewayTwo().charge(charges());
  const [invoice] = two.invoiceNumbers as [string];
  const about = { customer: '40025205', card: '40027471', currency: 'USD', invoice };
  for (let amount = 1; amount < count; amount += 1) two.chargeElsewhere('login', { ...about, amount });
}

async function listed(gateway: PaymentGateway, about: Omit<ChargeQuery, 'installation'>) {
  const query = { ...about, installation: 'test' };
  const pages: (readonly FoundCharge[])[] = [];
  const answer = await gateway.listCharges(query, (page) => Promise.resolve(void pages.push(page)));
  return { answer, found: pages.flat(), pages };
}

/** In the shop's other software, at GatewayOne. */
async function chargeOfShop(metadata: string): Promise<void> {
  const body = `amount=500&currency=usd&customer=cus_1&payment_method=pm_1&confirm=true&off_session=true&${metadata}`;
  const headers = { authorization: 'Bearer sk_test_merchant', 'idempotency-key': 'of the shop' };
  await fetch(`${one.url}/v1/payment_intents`, { method: 'POST', headers, body });
}

/** For the third cycle of order 2026. */
async function chargeInOldForm(standIn: StripeStandIn | AuthorizeNetStandIn): Promise<void> {
  if (standIn === one)
    return chargeOfShop('metadata[scheduled_order_id]=2026&metadata[cycle]=3&metadata[attempt]=1&metadata[site_id]=7');
  two.chargeElsewhere('login', { customer: 'cus_1', card: '1', amount: 500, currency: 'USD', invoice: '2026-3-1' });
}

const transactionsOf = (found: readonly FoundCharge[]) => new Set(found.map(({ transactionId }) => transactionId));
const ordersOf = (found: readonly FoundCharge[]) => found.map(({ scheduledOrderId }) => scheduledOrderId);

describe('GatewayOne.listCharges', () => {
  it('tells of each charge whose it is, for which occurrence, and what it took', async () => {
    const gateway = gatewayOne();
    const charge = charges({ attempt: 2, currencyIso: 'ISK', amount: 990 });
    await gateway.charge(charge);

    expect(await listed(gateway, { agoMs: 0 })).toMatchObject({
      answer: { kind: 'listed' },
      found: [
        {
          transactionId: one.intentIds[0],
          isCharged: true,
          scheduledOrderId: charge.scheduledOrderId,
          attempt: 2,
          dueUtc: new Date(secondOf(charge.dueUtc)),
          cycle: null,
          siteId: 7,
          installation: 'this',
          gatewayCustomerId: '40025205',
          amount: 990,
          currencyIso: 'ISK',
          chargedUtc: expect.any(Date),
          refunded: 0,
          isVoided: false,
          isDisputed: false,
        },
      ],
    });
  });

  it('shows what is undecided as not charged, and leaves out what took nothing', async () => {
    const gateway = gatewayOne();
    await gateway.charge(charges({ gatewayPaymentId: 'pm_declined' }));
    await gateway.charge(charges({ gatewayPaymentId: 'pm_requires_action' }));
    one.faults.next('undecided');
    const undecided = charges();
    await gateway.charge(undecided);

    const { found } = await listed(gateway, { agoMs: 0 });
    expect(found).toMatchObject([{ scheduledOrderId: undecided.scheduledOrderId, isCharged: false, amount: 1234 }]);
  });

  it("leaves out what is not a scheduled order's", async () => {
    await chargeOfShop('metadata[cycle]=1');
    expect(one.ledger.charges).toHaveLength(1);
    expect(await listed(gatewayOne(), { agoMs: 0 })).toMatchObject({ answer: { kind: 'listed' }, found: [] });
  });
});

describe('GatewayTwo.listCharges', () => {
  it('tells what an invoice number has room for', async () => {
    const gateway = gatewayTwo();
    const charge = charges({ attempt: 2 });
    await gateway.charge(charge);

    expect((await listed(gateway, { agoMs: 0 })).found).toEqual([
      {
        transactionId: two.transactionIds[0],
        isCharged: true,
        scheduledOrderId: charge.scheduledOrderId,
        attempt: 2,
        dueUtc: new Date(secondOf(charge.dueUtc)),
        cycle: null,
        siteId: null,
        installation: 'this',
        gatewayCustomerId: '40025205',
        amount: 1234,
        currencyIso: null,
        chargedUtc: expect.any(Date),
        refunded: 0,
        isVoided: false,
        isDisputed: false,
      },
    ]);
  });

  it('shows what is held for review, and what was voided, as not charged, and leaves out what was declined', async () => {
    const gateway = gatewayTwo();
    await gateway.charge(charges({ gatewayPaymentId: '9001002' }));
    const voided = charges();
    await gateway.charge(voided);
    two.finish(two.transactionIds[1]!, 'voided');
    two.faults.next('undecided');
    const undecided = charges();
    await gateway.charge(undecided);
    const { found } = await listed(gateway, { agoMs: 0 });
    expect(found).toMatchObject([
      { scheduledOrderId: undecided.scheduledOrderId, isCharged: false, isVoided: false },
      { scheduledOrderId: voided.scheduledOrderId, isCharged: false, isVoided: true },
    ]);
  });

  it('finds in the batches of every day what has been settled, in requests of at most 31 days', async () => {
    const gateway = gatewayTwo();
    const sent: Charge[] = [];
    for (let day = 0; day < 70; day += 10) {
      sent.push(charges());
      await gateway.charge(sent.at(-1)!);
      two.advance(10 * DAY);
    }
    sent.push(charges());
    await gateway.charge(sent.at(-1)!);

    const { answer, found } = await listed(gateway, { agoMs: 70 * DAY });
    expect(answer).toEqual({ kind: 'listed' });
    expect(ordersOf(found).sort()).toEqual(ordersOf(sent as unknown as FoundCharge[]).sort());
  });

  it.each([
    ['before the batches are asked for', 'getSettledBatchListRequest', 1],
    ['before the second page of the unsettled ones is read', 'getUnsettledTransactionListRequest', 2],
  ])('misses nothing, and hands nothing over twice, when all is settled %s', async (_, when, onPage) => {
    const gateway = gatewayTwo();
    await enter(1_001);
    let isSettled = false;
    two.whenAsked = (request, page) => {
      if (isSettled || request !== when || page !== onPage) return;
      isSettled = true;
      two.settleAll();
    };
    const { answer, found } = await listed(gateway, { agoMs: 0 });
    expect(isSettled).toBe(true);
    expect(answer).toEqual({ kind: 'listed' });
    expect(found).toHaveLength(1_001);
    expect(transactionsOf(found).size).toBe(1_001);
  });

  it.each([1_001, 1_002])(
    'misses nothing of %d when something leaves the first page while it is read',
    async (sent) => {
      const gateway = gatewayTwo();
      await enter(sent);
      two.whenAsked = (request, page) => {
        if (request !== 'getUnsettledTransactionListRequest' || page !== 2) return;
        two.whenAsked = null;
        two.settleOne(two.transactionIds.at(-1)!);
      };
      const { found } = await listed(gateway, { agoMs: 0 });
      expect(transactionsOf(found).size).toBe(sent);
      expect(found).toHaveLength(sent);
    },
  );

  it('hands over once what stood in a batch that failed and then in another', async () => {
    const gateway = gatewayTwo();
    await gateway.charge(charges());
    two.settleAll('settlementError');
    expect((await listed(gateway, { agoMs: 0 })).found).toMatchObject([{ isCharged: false }]);
    two.resetFailedBatches();
    expect((await listed(gateway, { agoMs: 0 })).found).toMatchObject([{ isCharged: true }]);
    two.settleAll();
    expect((await listed(gateway, { agoMs: 0 })).found).toMatchObject([{ isCharged: true }]);
  });

  it("finds a deleted profile's charges in the account's lists", async () => {
    const gateway = gatewayTwo();
    const [settled, other, unsettled] = [charges(), charges({ gatewayCustomerId: '77' }), charges()];
    for (const charge of [settled, other]) await gateway.charge(charge);
    two.settleAll();
    await gateway.charge(unsettled);
    two.deletedProfiles.add('40025205');

    const { found } = await listed(gateway, { agoMs: 0, gatewayCustomerId: '40025205' });
    expect(ordersOf(found)).toEqual([unsettled.scheduledOrderId, settled.scheduledOrderId]);
    expect(await listed(gateway, { agoMs: 0, gatewayCustomerId: NO_PROFILE })).toMatchObject({
      answer: { kind: 'listed' },
      found: [],
    });
  });

  it('asks whose a charge is where the list does not say, and a guest’s is nobody’s', async () => {
    const gateway = gatewayTwo();
    two.profilesIn = 'details';
    await gateway.charge(charges());
    const guest = { customer: null, card: '1', amount: 24_990, currency: 'USD' };
    for (const invoice of ['2026-11-42', '2026-11-0042']) two.chargeElsewhere('login', { ...guest, invoice });
    expect((await listed(gateway, { agoMs: 0 })).found).toMatchObject([
      { installation: 'unnamed', scheduledOrderId: 2026, cycle: 11, gatewayCustomerId: null },
      { installation: 'this', gatewayCustomerId: '40025205' },
    ]);
  });

  it('goes on at a cursor: what is settled is read once, what still moves is read anew', async () => {
    const gateway = gatewayTwo();
    const sent = Array.from({ length: 6 }, () => charges());
    for (const [day, charge] of sent.entries()) {
      await gateway.charge(charge);
      if (day === 1) two.settleAll('settlementError');
      if (day < 5) two.advance(DAY);
    }
    const lists: string[] = [];
    two.whenAsked = (request) => lists.push(request);
    const kept: FoundCharge[] = [];
    let stored: string | null = null;
    /** A worker that ends when it has kept so many pages. */
    const read = (mostPages: number) => {
      const paging = new Paging(stored, () => Promise.resolve());
      let pages = 0;
      return gateway.listCharges({ agoMs: 6 * DAY, installation: 'test', paging }, (page) => {
        if (pages === mostPages) return Promise.reject(new Error('the worker ended'));
        pages += 1;
        kept.push(...page);
        stored = paging.cursor;
        return Promise.resolve();
      });
    };
    // The unsettled ones, the batch that failed, and two of the four others.
    await expect(read(4)).rejects.toThrow('the worker ended');
    expect(kept).toHaveLength(4);
    expect(lists.filter((request) => request === 'getTransactionListRequest')).toHaveLength(4);

    lists.length = 0;
    expect(await read(Infinity)).toEqual({ kind: 'listed' });
    expect(lists.filter((request) => request === 'getTransactionListRequest')).toHaveLength(4);
    expect(new Set(ordersOf(kept))).toEqual(new Set(sent.map(({ scheduledOrderId }) => scheduledOrderId)));
    expect(kept).toHaveLength(8);
  });

  it('says that the Transaction Details API is off', async () => {
    two.withoutDetails.add('login');
    expect((await listed(gatewayTwo(), { agoMs: 0 })).answer).toMatchObject({ kind: 'refused' });
  });
});

describe('GatewayOne.listCharges of what was given back', () => {
  it('tells refunds and disputes of charges of any age, each charge once', async () => {
    const gateway = gatewayOne();
    for (let count = 0; count < 3; count += 1) await gateway.charge(charges());
    const [first, second] = one.intentIds as [string, string];
    one.advance(100 * DAY);
    await gateway.charge(charges());
    one.refund(first, 34);
    one.refund(first, 200);
    one.dispute(second);
    const { found } = await listed(gateway, { agoMs: 0, marginMs: HOUR, givenBack: true });
    expect(found.map(({ transactionId, refunded, isDisputed }) => [transactionId, refunded, isDisputed])).toEqual([
      [first, 234, false],
      [second, 0, true],
      [one.intentIds.at(-1), 0, false],
    ]);
    expect(found[0]).toMatchObject({ amount: 1234, currencyIso: 'USD', installation: 'this', isCharged: true });
    one.advance(2 * HOUR);
    expect((await listed(gateway, { agoMs: 0, marginMs: HOUR, givenBack: true })).found).toEqual([]);
  });

  it('needs no further permission for the charges themselves', async () => {
    const gateway = gatewayOne();
    await gateway.charge(charges());
    one.refund(one.intentIds[0]!);
    one.chargesOnly.add('sk_test_merchant');
    expect(await listed(gateway, { agoMs: 0, givenBack: true })).toMatchObject({
      answer: { kind: 'listed' },
      found: [{ transactionId: one.intentIds[0], refunded: 0 }],
    });
  });
});

describe('GatewayTwo.listCharges of what was given back', () => {
  const facts = (found: readonly FoundCharge[]) =>
    found.map(({ transactionId, refunded, isVoided, isDisputed }) => [transactionId, refunded, isVoided, isDisputed]);

  it('tells refunds, which are transactions of their own, of charges of any age', async () => {
    const gateway = gatewayTwo();
    await gateway.charge(charges());
    const [first] = two.transactionIds as [string];
    two.advance(50 * DAY);
    await gateway.charge(charges());
    const recent = two.transactionIds[1]!;
    two.refund(first, '2.00');
    two.refund(first, '0.34');
    const { found } = await listed(gateway, { agoMs: 0, marginMs: HOUR, givenBack: true });
    expect(facts(found)).toEqual([
      [recent, 0, false, false],
      [first, 234, false, false],
    ]);
    expect((await listed(gateway, { agoMs: 100 * DAY })).found).toHaveLength(2);
  });

  it('shows what was voided or taken back meanwhile once more when it is settled', async () => {
    const gateway = gatewayTwo();
    for (let count = 0; count < 3; count += 1) await gateway.charge(charges());
    const [voided, disputed] = two.transactionIds as [string, string];
    two.advance(6 * HOUR);
    two.void(voided);
    two.dispute(disputed);
    const query = { agoMs: 0, marginMs: HOUR, givenBack: true } as const;
    two.settleAll();
    expect(facts((await listed(gateway, query)).found).sort()).toEqual([
      [voided, 0, true, false],
      [disputed, 0, false, true],
    ]);
    expect(ordersOf((await listed(gateway, { agoMs: 0 })).found)).toHaveLength(3);
  });
});

describe.each([
  ['GatewayOne', gatewayOne, () => one, 250],
  ['GatewayTwo', gatewayTwo, () => two, 1_201],
] as const)('%s.listCharges', (_, gatewayOf, standInOf, moreThanPage) => {
  it('lists the whole account, or one customer', async () => {
    const gateway = gatewayOf();
    const sent = [charges(), charges({ gatewayCustomerId: '77' })];
    for (const charge of sent) await gateway.charge(charge);

    const orders = sent.map(({ scheduledOrderId }) => scheduledOrderId);
    expect(ordersOf((await listed(gateway, { agoMs: 0 })).found).sort()).toEqual(orders.sort());
    expect((await listed(gateway, { agoMs: 0, gatewayCustomerId: '77' })).found).toMatchObject([
      { scheduledOrderId: sent[1]!.scheduledOrderId, gatewayCustomerId: '77' },
    ]);
  });

  it('tells the charges of another installation, and those of an old form, from its own', async () => {
    const gateway = gatewayOf();
    for (const charge of [charges(), charges({ installation: 'another' })]) await gateway.charge(charge);
    await chargeInOldForm(standInOf());
    const { found } = await listed(gateway, { agoMs: 0 });
    expect(found.map(({ installation }) => installation).sort()).toEqual(['other', 'this', 'unnamed']);
    const inOldForm = found.find(({ installation }) => installation === 'unnamed');
    expect(inOldForm).toMatchObject({ scheduledOrderId: 2026, cycle: 3, attempt: 1, dueUtc: null });
  });

  it.each([0, 3 * HOUR, -3 * HOUR, 20 * DAY, -20 * DAY])(
    "goes back from the gateway's own present, which is %d ms ahead of ours",
    async (aheadMs) => {
      const standIn = standInOf();
      standIn.clockAheadMs = aheadMs;
      const gateway = gatewayOf();
      await gateway.charge(charges());
      standIn.advance(2 * HOUR);
      const recent = charges();
      await gateway.charge(recent);
      standIn.advance(MARGIN - HOUR);

      expect((await listed(gatewayOf(), { agoMs: 0 })).found).toHaveLength(1);
      expect((await listed(gatewayOf(), { agoMs: 0, gatewayCustomerId: '40025205' })).found).toHaveLength(1);
      expect((await listed(gatewayOf(), { agoMs: 2 * HOUR })).found).toHaveLength(2);
    },
  );

  it.each([null, 'yesterday', '7'])('needs no Date of the answers: %s', async (dateHeader) => {
    const standIn = standInOf();
    standIn.dateHeader = dateHeader;
    const gateway = gatewayOf();
    await gateway.charge(charges());
    expect(await listed(gateway, { agoMs: 0 })).toMatchObject({ answer: { kind: 'listed' }, found: [{}] });
  });

  it('turns every page, and asks for none before the last one was taken', async () => {
    const gateway = gatewayOf();
    if (standInOf() === two) await enter(moreThanPage);
    else await Promise.all(Array.from({ length: moreThanPage }, () => gateway.charge(charges())));
    let isTaking = false;
    let found = 0;
    const before = standInOf().served.lookUp;
    let lookUps = before;
    await gateway.listCharges({ agoMs: 0, installation: 'test' }, async (page) => {
      expect(isTaking).toBe(false);
      isTaking = true;
      lookUps = standInOf().served.lookUp;
      await new Promise((resolve) => setImmediate(resolve));
      expect(standInOf().served.lookUp).toBe(lookUps);
      found += page.length;
      isTaking = false;
    });
    expect(found).toBe(moreThanPage);
  });

  it.each([
    ['loseBefore', 'unavailable'],
    ['unavailable', 'unavailable'],
    ['malformed', 'unavailable'],
    ['rateLimited', 'unavailable'],
  ] as const)('learns nothing from %s, and says so', async (fault, kind) => {
    const gateway = gatewayOf();
    await gateway.charge(charges());
    standInOf().faults.next(fault, { operation: 'lookUp' });
    expect((await listed(gateway, { agoMs: 0 })).answer).toMatchObject({ kind });
  });

  it('throws what the caller itself throws', async () => {
    const gateway = gatewayOf();
    await gateway.charge(charges());
    const failing = gateway.listCharges({ agoMs: 0, installation: 'test' }, () =>
      Promise.reject(new Error('the database is gone')),
    );
    await expect(failing).rejects.toThrow('the database is gone');
  });
});

describe('listCharges', () => {
  it('is refused without credentials, and finds nothing in the sandbox', async () => {
    const bad = gateways().for(1, gatewayOneCredentials({ apiKey1: null }));
    expect((await listed(bad, { agoMs: 0 })).answer).toMatchObject({ kind: 'refused' });
    const other = gateways().for(2, gatewayTwoCredentials({ apiAccount: null }));
    expect((await listed(other, { agoMs: 0 })).answer).toMatchObject({ kind: 'refused' });
    const sandbox = gateways().for(3, gatewayTwoCredentials({ apiKey1: 'sandbox-key' }));
    expect(await listed(sandbox, { agoMs: 0 })).toMatchObject({ answer: { kind: 'listed' }, pages: [] });
  });
});
