import { type GatewayCredentials, type GatewayOptions, Gateways, type InDoubtCharge } from '#libs/gateways';
import { AuthorizeNetStandIn, NO_PROFILE } from '../support/gateways/index.js';
import { gatewayTwoCredentials, givenCharge as given, NO_LAG } from './given-charge.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const UNCERTAIN = 'It is not certain yet whether the payment went through.';
const UNREACHABLE = 'The payment gateway cannot be reached.';
const REFUSED = 'The payment gateway refuses the credentials of the payment integration.';
const DID_NOT_ANSWER = 'The payment gateway did not answer.';
const DETAILS_OFF = "The account's Transaction Details API is off: it must be on, so that charges can be looked up.";

let standIn: AuthorizeNetStandIn;

beforeEach(async () => {
  standIn = await AuthorizeNetStandIn.start();
});
afterEach(() => standIn.stop());

function gatewayTwo(credentials: Partial<GatewayCredentials> = {}, options: GatewayOptions = {}) {
  const gateways = new Gateways({
    gatewayTwoUrl: standIn.url,
    timeoutMs: 2_000,
    listLagMs: NO_LAG,
    breakerThreshold: 50,
    ...options,
  });
  return gateways.for(2, gatewayTwoCredentials(credentials));
}

const givenCharge: typeof given = (about) =>
  given({ gatewayCustomerId: '40025205', gatewayPaymentId: '40027471', ...about });

const later = (about: Partial<InDoubtCharge> = {}): InDoubtCharge => ({
  ageMs: HOUR,
  mayRepeat: true,
  quietMs: null,
  isKnownToGateway: false,
  ...about,
});

/** Installation, order, occurrence and attempt, each in its width, and a check character. */
const INVOICE = '9fw00000dx0tp056002s';

describe('GatewayTwo.charge', () => {
  it('charges the stored payment method once and says by which transaction', async () => {
    const charge = givenCharge({ scheduledOrderId: 501, dueUtc: new Date('2026-11-24T10:30:00.500Z'), attempt: 2 });

    expect(await gatewayTwo().charge(charge)).toEqual({ kind: 'succeeded', transactionId: standIn.transactionIds[0] });

    expect(standIn.ledger.charges).toEqual([
      {
        account: 'login',
        transactionId: standIn.transactionIds[0],
        scheduledOrderId: 501,
        installation: INVOICE.slice(0, 3),
        attempt: 2,
        amount: '12.34',
        currencyIso: 'USD',
        atUtc: expect.any(Date),
        sentMs: expect.any(Number),
        dueUtc: '2026-11-24T10:30:00.000Z',
        gatewayCustomerId: charge.gatewayCustomerId,
        gatewayPaymentId: charge.gatewayPaymentId,
      },
    ]);
    expect(JSON.parse(standIn.lastBody)).toEqual({
      createTransactionRequest: {
        merchantAuthentication: { name: 'login', transactionKey: 'key4567890123456' },
        refId: INVOICE,
        transactionRequest: {
          transactionType: 'authCaptureTransaction',
          amount: '12.34',
          currencyCode: 'USD',
          profile: { customerProfileId: '40025205', paymentProfile: { paymentProfileId: '40027471' } },
          order: { invoiceNumber: INVOICE, description: 'Scheduled order 501, occurrence 2026-11-24T10:30:00Z' },
          transactionSettings: { setting: [{ settingName: 'duplicateWindow', settingValue: '28800' }] },
        },
      },
    });
  });

  it.each([
    ['9001002', false, 'This transaction has been declined.', 'reason 2'],
    ['9001065', false, 'Declined.', 'reason 65'],
    ['9001004', true, 'The card needs to be picked up.', 'reason 4'],
    ['9001008', true, 'The credit card has expired.', 'reason 8'],
  ])('tells whether the decline of %s is hard: %s', async (gatewayPaymentId, hard, message, detail) => {
    const outcome = await gatewayTwo().charge(givenCharge({ gatewayPaymentId }));
    expect(outcome).toEqual({ kind: 'declined', hard, message, detail });
    expect(standIn.ledger.charges).toEqual([]);
  });

  it.each([
    [
      'a profile that does not exist',
      { gatewayCustomerId: NO_PROFILE },
      { missing: true, detail: 'E00040, The record cannot be found.' },
    ],
    [
      'a profile id that is no number',
      { gatewayCustomerId: 'cus_1' },
      { detail: expect.stringContaining('E00003') as string },
    ],
  ])('declines %s for good', async (_, about, rest) => {
    expect(await gatewayTwo().charge(givenCharge(about))).toEqual({
      kind: 'declined',
      hard: true,
      message: 'The payment gateway does not accept this payment method.',
      ...rest,
    });
  });

  it.each([
    ['USD', 1, '0.01'],
    ['CAD', 100, '1.00'],
    ['EUR', 9_007_199_254_740_991, '90071992547409.91'],
  ])('charges exactly: %s %d is %s at the gateway', async (currencyIso, amount, charged) => {
    expect(await gatewayTwo().charge(givenCharge({ currencyIso, amount }))).toMatchObject({ kind: 'succeeded' });
    expect(standIn.ledger.charges).toMatchObject([{ amount: charged, currencyIso }]);
  });

  it.each([
    ['JPY', 100, 'The payment gateway does not take JPY.'],
    ['KWD', 1230, 'The payment gateway does not take KWD.'],
    ['MGA', 100, 'The payment gateway does not take MGA.'],
    ['ISK', 100, 'The payment gateway does not take ISK.'],
    ['USD', 0, 'The payment gateway cannot take exactly this amount of USD.'],
    ['USD', 1.5, 'The payment gateway cannot take exactly this amount of USD.'],
  ])('refuses %s %d before anything is sent', async (currencyIso, amount, message) => {
    expect(await gatewayTwo().charge(givenCharge({ currencyIso, amount }))).toEqual({ kind: 'unchargeable', message });
    expect(standIn.served).toEqual({ charge: 0, lookUp: 0 });
  });

  it("calls a currency unchargeable that is not the account's", async () => {
    standIn.currencyOf.set('login', 'USD');
    expect(await gatewayTwo().charge(givenCharge({ currencyIso: 'EUR' }))).toEqual({
      kind: 'unchargeable',
      message: 'The payment gateway cannot take this amount in this currency.',
      detail: expect.stringContaining('reason 39'),
    });
  });

  it('counts nothing as charged that an account in test mode approved', async () => {
    standIn.inTestMode.add('login');
    expect(await gatewayTwo().charge(givenCharge())).toEqual({
      kind: 'refused',
      message: 'The account at the payment gateway is in test mode: it approves without charging.',
    });
  });

  it('names order, occurrence and attempt in 20 characters, and refuses larger ones before anything is sent', async () => {
    const largest = { scheduledOrderId: 36 ** 7 - 1, dueUtc: new Date((36 ** 7 - 1) * 1_000), attempt: 36 ** 2 - 1 };
    const charge = givenCharge(largest);
    const gateway = gatewayTwo();
    await gateway.charge(charge);
    expect(standIn.invoiceNumbers).toEqual([expect.stringMatching(/^[0-9a-z]{3}z{16}[0-9a-z]$/)]);
    expect(await gateway.lookUp(charge)).toMatchObject({ kind: 'succeeded', transactionId: standIn.transactionIds[0] });
    expect(await gateway.charge(givenCharge({ ...largest, attempt: 36 ** 2 }))).toEqual({
      kind: 'unchargeable',
      message: 'The payment gateway cannot take this charge: attempt 1296 is too large for an invoice number.',
    });
    expect(standIn.served.charge).toBe(1);
  });

  it('finds nothing by the number of a cycle', async () => {
    const charge = givenCharge({ scheduledOrderId: 501 });
    const { gatewayCustomerId: customer, gatewayPaymentId: card, amount, currencyIso: currency } = charge;
    standIn.chargeElsewhere('login', { customer, card, amount, currency, invoice: '501-1-1' });
    expect(await gatewayTwo().lookUp(charge)).toEqual({ kind: 'notFound' });
  });
});

describe('GatewayTwo.charge, when the gateway does not answer as it should', () => {
  it.each([
    ['loseBefore', 0],
    ['loseAfter', 1],
    ['resetBefore', 0],
    ['resetAfter', 1],
    ['cutShort', 1],
    ['errorBefore', 0],
    ['errorAfter', 1],
    ['unavailable', 0],
    ['malformed', 1],
  ] as const)('%s: unknown, and only a look-up tells', async (fault, charged) => {
    standIn.faults.next(fault);
    expect(await gatewayTwo().charge(givenCharge())).toEqual({
      kind: 'unknown',
      repeatable: false,
      message: UNCERTAIN,
      detail: expect.any(String),
    });
    expect(standIn.ledger.charges).toHaveLength(charged);
  });

  it.each([
    ['silentBefore', 0],
    ['silentAfter', 1],
  ] as const)('%s: unknown after the total time-out', async (fault, charged) => {
    standIn.faults.next(fault);
    expect(await gatewayTwo().charge(givenCharge())).toEqual({
      kind: 'unknown',
      repeatable: false,
      message: UNCERTAIN,
      detail: 'no whole answer within 2000 ms',
    });
    expect(standIn.ledger.charges).toHaveLength(charged);
  });

  it('undecided: held for review is unknown, with the transaction to ask for', async () => {
    standIn.faults.next('undecided');
    expect(await gatewayTwo().charge(givenCharge())).toEqual({
      kind: 'unknown',
      repeatable: false,
      message: 'The payment is being reviewed by the payment gateway.',
      detail: 'held for review, reason 253',
      transactionId: standIn.transactionIds[0],
    });
    expect(standIn.ledger.charges).toEqual([]);
  });

  it('rateLimited: not charged, and nothing more is sent until the gateway wants it', async () => {
    const gateway = gatewayTwo();
    await gateway.charge(givenCharge());
    standIn.faults.retryAfterSeconds = 7;
    standIn.faults.next('rateLimited');

    expect(await gateway.charge(givenCharge())).toEqual({
      kind: 'unavailable',
      message: 'The payment gateway is busy.',
      detail: 'HTTP 429',
      retryAfterMs: 7_000,
    });
    expect(await gateway.charge(givenCharge())).toMatchObject({ kind: 'postponed', message: UNREACHABLE });
    expect(standIn.served.charge).toBe(2);
  });

  it('is definite where no connection was made', async () => {
    const gateway = gatewayTwo();
    await standIn.stop();
    expect(await gateway.charge(givenCharge())).toEqual({
      kind: 'unavailable',
      message: UNREACHABLE,
      detail: expect.stringContaining('ECONNREFUSED'),
    });
    standIn = await AuthorizeNetStandIn.start();
  });

  it('takes "duplicate transaction" for "charged already" and looks it up', async () => {
    const gateway = gatewayTwo();
    const charge = givenCharge();
    const first = await gateway.charge(charge);
    expect(await gateway.charge(charge)).toMatchObject(first);
    expect(standIn.ledger.charges).toHaveLength(1);
  });

  it('stays unknown when the duplicate cannot be found yet', async () => {
    const gateway = gatewayTwo();
    const charge = givenCharge();
    await gateway.charge(charge);
    standIn.listDelayMs = HOUR;
    expect(await gateway.charge(charge)).toEqual({
      kind: 'unknown',
      repeatable: false,
      duplicate: true,
      message: UNCERTAIN,
      detail: 'the gateway calls it a duplicate; look-up: notFound',
    });
  });
});

describe('GatewayTwo.settle', () => {
  it.each([
    ['nothing was charged', 'loseBefore', 'succeeded'],
    ['the charge is in no list yet', 'loseAfter', 'unknown'],
  ] as const)(
    'repeats at once when %s: late lists need no wait within the duplicate window',
    async (_, fault, kind) => {
      const gateway = gatewayTwo({}, { listLagMs: { GatewayOne: 0, GatewayTwo: HOUR } });
      const charge = givenCharge();
      standIn.faults.next(fault);
      await gateway.charge(charge);
      standIn.listDelayMs = Infinity;
      expect(await gateway.resolve(charge, later({ ageMs: 5_000 }))).toMatchObject({ kind });
      expect(standIn.served.charge).toBe(2);
      expect(standIn.ledger.charges).toHaveLength(1);
    },
  );

  it.each(['loseBefore', 'loseAfter', 'cutShort', 'malformed', 'errorBefore', 'errorAfter', 'unavailable'] as const)(
    'settles what %s left unknown with exactly one charge',
    async (fault) => {
      const gateway = gatewayTwo();
      const charge = givenCharge();
      standIn.faults.next(fault);
      await gateway.charge(charge);

      expect(await gateway.resolve(charge, later())).toMatchObject({
        kind: 'succeeded',
        transactionId: standIn.transactionIds[0],
      });
      expect(standIn.ledger.charges).toHaveLength(1);
    },
  );

  it('sends nothing again while the first sending may still be under way', async () => {
    const gateway = gatewayTwo();
    expect(await gateway.resolve(givenCharge(), later({ ageMs: 3_999 }))).toMatchObject({ kind: 'unknown' });
    expect(standIn.served.charge).toBe(0);
    expect(await gateway.resolve(givenCharge(), later({ ageMs: 4_000 }))).toMatchObject({ kind: 'succeeded' });
  });

  it('charges once even if the look-up missed the charge', async () => {
    const gateway = gatewayTwo();
    const charge = givenCharge();
    standIn.faults.next('loseAfter');
    await gateway.charge(charge);
    standIn.listDelayMs = HOUR;

    expect(await gateway.resolve(charge, later())).toMatchObject({ kind: 'unknown' });
    standIn.listDelayMs = 0;
    expect(await gateway.resolve(charge, later())).toMatchObject({ kind: 'succeeded' });
    expect(standIn.ledger.charges).toHaveLength(1);
  });

  it('sends nothing again near the end of the duplicate window', async () => {
    const gateway = gatewayTwo();
    expect(await gateway.resolve(givenCharge(), later({ ageMs: 7.75 * HOUR + 4_000 }))).toEqual({ kind: 'notFound' });
    expect(standIn.served.charge).toBe(0);
    expect(await gateway.resolve(givenCharge(), later({ ageMs: 7.75 * HOUR - 1 }))).toMatchObject({
      kind: 'succeeded',
    });
  });

  it('does not believe in nothing while the last repetition may still be under way', async () => {
    const gateway = gatewayTwo();
    const charge = givenCharge();
    standIn.faults.next('loseAfter');
    standIn.listDelayMs = 60_000;
    expect(await gateway.resolve(charge, later({ ageMs: 7.75 * HOUR - 1 }))).toMatchObject({ kind: 'unknown' });
    expect(await gateway.resolve(charge, later({ ageMs: 7.75 * HOUR }))).toMatchObject({ kind: 'unknown' });
    expect(await gateway.resolve(charge, later({ ageMs: 7.75 * HOUR + 3_999 }))).toMatchObject({ kind: 'unknown' });
    standIn.advance(60_000);
    expect(await gateway.resolve(charge, later({ ageMs: 7.75 * HOUR + 4_000 }))).toMatchObject({ kind: 'succeeded' });
    expect(standIn.ledger.charges).toHaveLength(1);
  });

  it('only looks up when it may not repeat', async () => {
    expect(await gatewayTwo().resolve(givenCharge(), later({ mayRepeat: false }))).toEqual({ kind: 'notFound' });
    expect(standIn.served.charge).toBe(0);
  });

  it.each([
    ['capturedPendingSettlement', { kind: 'succeeded' }],
    ['declined', { kind: 'declined', hard: false }],
    ['voided', { kind: 'givenBack' }],
  ] as const)('follows what was held for review to its end: %s', async (status, outcome) => {
    const gateway = gatewayTwo();
    const charge = givenCharge();
    standIn.faults.next('undecided');
    await gateway.charge(charge);
    const [transactionId] = standIn.transactionIds;

    expect(await gateway.resolve(charge, later({ transactionId }))).toMatchObject({ kind: 'unknown', transactionId });
    expect(await gateway.resolve(charge, later())).toMatchObject({ kind: 'unknown', transactionId });
    standIn.finish(transactionId!, status);
    expect(await gateway.resolve(charge, later({ transactionId }))).toMatchObject(outcome);
    expect(standIn.served.charge).toBe(1);
  });

  it('tells a decline that was answered into the void, with its reason', async () => {
    const gateway = gatewayTwo();
    const charge = givenCharge({ gatewayPaymentId: '9001004' });
    standIn.faults.next('loseAfter');
    await gateway.charge(charge);
    expect(await gateway.resolve(charge, later())).toEqual({
      kind: 'declined',
      hard: true,
      message: 'The card needs to be picked up.',
      detail: 'reason 4',
    });
  });
});

describe('GatewayTwo.lookUp', () => {
  it('finds a charge that has been settled with the bank', async () => {
    const gateway = gatewayTwo();
    const charge = givenCharge();
    await gateway.charge(charge);
    standIn.settleAll();
    expect(await gateway.lookUp(charge)).toMatchObject({ kind: 'succeeded', transactionId: standIn.transactionIds[0] });
  });

  it.each(['listsAndDetails', 'details', 'nothing'] as const)(
    'finds a charge among the unsettled ones when the profile is gone, with the profile in %s',
    async (where) => {
      const gateway = gatewayTwo();
      const charge = givenCharge();
      await gateway.charge(charge);
      standIn.deletedProfiles.add(charge.gatewayCustomerId);
      standIn.profilesIn = where;
      expect(await gateway.lookUp(charge)).toMatchObject({ kind: 'succeeded' });
    },
  );

  it.each(['listsAndDetails', 'details'] as const)(
    "does not take another customer's charge of the same number for this one, with the profile in %s",
    async (where) => {
      const gateway = gatewayTwo();
      const charge = givenCharge();
      standIn.profilesIn = where;
      await gateway.charge({ ...charge, gatewayCustomerId: '40025299' });
      expect(await gateway.lookUp(charge)).toEqual({ kind: 'notFound' });

      await gateway.charge(charge);
      await gateway.charge({ ...charge, gatewayCustomerId: '40025288' });
      standIn.deletedProfiles.add(charge.gatewayCustomerId);
      expect(await gateway.lookUp(charge)).toMatchObject({
        kind: 'succeeded',
        transactionId: standIn.transactionIds[1],
      });
    },
  );

  it('does not take a profile that is gone for a charge that never was', async () => {
    expect(await gatewayTwo().lookUp(givenCharge({ gatewayCustomerId: NO_PROFILE }))).toEqual({
      kind: 'unknown',
      repeatable: false,
      message: 'The payment gateway cannot find the customer or the payment.',
      detail: 'E00040, The record cannot be found.',
    });
    expect(await gatewayTwo().lookUp(givenCharge({ gatewayCustomerId: NO_PROFILE }), null, HOUR)).toMatchObject({
      kind: 'unknown',
      missing: true,
    });
  });

  it('keeps the transaction of a charge whose refunds cannot be read, so that the next look-up goes on from it', async () => {
    const gateway = gatewayTwo();
    const charge = givenCharge();
    await gateway.charge(charge);
    standIn.settleAll();
    const [transactionId] = standIn.transactionIds;
    standIn.whenAsked = (request) =>
      void (request === 'getSettledBatchListRequest' && standIn.withoutDetails.add('login'));
    expect(await gateway.lookUp(charge)).toMatchObject({ kind: 'unknown', repeatable: false, transactionId });
    standIn.whenAsked = null;
    standIn.withoutDetails.clear();
    expect(await gateway.resolve(charge, later({ transactionId: transactionId! }))).toMatchObject({
      kind: 'succeeded',
      transactionId,
    });
  });

  it('finds another attempt of the occurrence that charged, and what it charged', async () => {
    const gateway = gatewayTwo();
    const first = givenCharge({ amount: 990 });
    await gateway.charge(first);
    await gateway.charge({ ...first, attempt: 2, gatewayPaymentId: '9001002' });

    expect(await gateway.lookUp({ ...first, attempt: 2, amount: 1000 })).toMatchObject({
      kind: 'succeeded',
      transactionId: standIn.transactionIds[0],
      chargedAmount: 990,
    });
    expect(await gateway.lookUp({ ...first, dueUtc: new Date('2026-11-24T10:30:00Z') })).toEqual({ kind: 'notFound' });
  });

  it('tells what was charged, also where this very attempt was sent with another amount', async () => {
    const gateway = gatewayTwo();
    const charge = givenCharge({ amount: 1200 });
    await gateway.charge(charge);
    expect(await gateway.lookUp({ ...charge, amount: 1000 })).toMatchObject({ kind: 'succeeded', chargedAmount: 1200 });
  });

  it('turns every page of a customer with many payments', async () => {
    const gateway = gatewayTwo();
    const charge = givenCharge();
    await gateway.charge(charge);
    const other = { customer: charge.gatewayCustomerId, card: '2001', amount: 1_234, currency: 'USD' };
    for (let payment = 0; payment < 1_000; payment += 1) standIn.chargeElsewhere('login', other);
    standIn.settleAll();

    expect(await gateway.lookUp(charge)).toMatchObject({ kind: 'succeeded', transactionId: standIn.transactionIds[0] });
  });

  it.each([
    ['loseBefore', { kind: 'unavailable', message: DID_NOT_ANSWER, detail: expect.any(String) }],
    ['unavailable', { kind: 'unavailable', message: DID_NOT_ANSWER, detail: expect.any(String) }],
    ['malformed', { kind: 'unavailable', message: DID_NOT_ANSWER, detail: 'an answer that is not JSON' }],
    [
      'rateLimited',
      { kind: 'unavailable', message: 'The payment gateway is busy.', detail: 'HTTP 429', retryAfterMs: 1_000 },
    ],
  ] as const)('learns nothing from %s', async (fault, outcome) => {
    standIn.faults.next(fault, { operation: 'lookUp' });
    expect(await gatewayTwo().lookUp(givenCharge())).toEqual(outcome);
  });
});

describe('GatewayTwo with credentials that do not fit', () => {
  it.each([
    ['no login id', { apiAccount: null }, 'The payment integration has no login id (ApiAccount).'],
    ['no key', { apiKey1: '' }, 'The payment integration has no transaction key (ApiKey1).'],
    [
      'a sandbox key outside TestMode',
      { apiKey1: 'sandbox', testMode: false },
      'A sandbox key works in TestMode only.',
    ],
  ])('%s: refused before anything is sent', async (_, credentials, message) => {
    const gateway = gatewayTwo(credentials);
    expect(await gateway.charge(givenCharge())).toEqual({ kind: 'refused', message });
    expect(await gateway.lookUp(givenCharge())).toEqual({ kind: 'refused', message });
    expect(await gateway.verify()).toEqual({ verified: false, message });
    expect(standIn.served).toEqual({ charge: 0, lookUp: 0 });
  });

  it('wrong credentials: refused, and one order probes, not all', async () => {
    standIn.accounts.set('login', 'another');
    const gateway = gatewayTwo();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => gateway.charge(givenCharge())));
    expect(outcomes[0]).toEqual({
      kind: 'refused',
      message: REFUSED,
      detail: 'E00007, User authentication failed due to invalid authentication values.',
    });
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(standIn.served.charge).toBe(1);
    expect(await gateway.lookUp(givenCharge())).toMatchObject({ kind: 'refused' });
    expect(await gateway.verify()).toEqual({ verified: false, message: REFUSED });

    standIn.accounts.set('login', 'key4567890123456');
    expect(await gateway.charge(givenCharge())).toMatchObject({ kind: 'succeeded' });
  });

  it.each([
    ['key', { apiKey1: 'a key that is far too long' }],
    ['key with quotes', { apiKey1: `a "key" that's far too long` }],
    ['login id', { apiAccount: 'a login id that is far too long' }],
  ])('a %s of the wrong form: refused, and never repeated although the gateway does', async (_, credentials) => {
    const outcome = await gatewayTwo(credentials).charge(givenCharge());
    expect(outcome).toEqual({
      kind: 'refused',
      message: REFUSED,
      detail: expect.stringContaining("value '[redacted]' is invalid"),
    });
    expect(JSON.stringify(outcome)).not.toContain('too long');
  });
});

describe('GatewayTwo.verify', () => {
  it('knows good credentials, without charging', async () => {
    expect(await gatewayTwo().verify()).toEqual({ verified: true });
    expect(standIn.served.charge).toBe(0);
  });

  it('asks for the Transaction Details API, without which nothing can be looked up', async () => {
    standIn.withoutDetails.add('login');
    expect(await gatewayTwo().verify()).toEqual({ verified: false, message: DETAILS_OFF });
    expect(await gatewayTwo().lookUp(givenCharge())).toMatchObject({ kind: 'refused' });
  });

  it('says that the gateway is out of reach', async () => {
    standIn.faults.next('unavailable', { operation: 'lookUp' });
    expect(await gatewayTwo().verify()).toEqual({ verified: false, message: DID_NOT_ANSWER });
  });
});
