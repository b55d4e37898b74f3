import net from 'node:net';
import { type GatewayCredentials, type GatewayOptions, Gateways, type InDoubtCharge } from '#libs/gateways';
import { secondOf, StripeStandIn } from '../support/gateways/index.js';
import { until } from '../support/until.js';
import { gatewayOneCredentials, givenCharge, NO_LAG } from './given-charge.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const UNCERTAIN = 'It is not certain yet whether the payment went through.';
const UNREACHABLE = 'The payment gateway cannot be reached.';
const REFUSED = 'The payment gateway refuses the credentials of the payment integration.';
const WRONG_MODE =
  "The payment integration's TestMode does not agree with its credentials: the payment gateway answers in the other mode.";

let standIn: StripeStandIn;

beforeEach(async () => {
  standIn = await StripeStandIn.start();
});
afterEach(() => standIn.stop());

function gatewayOne(credentials: Partial<GatewayCredentials> = {}, options: GatewayOptions = {}) {
  const gateways = new Gateways({
    gatewayOneUrl: standIn.url,
    timeoutMs: 2_000,
    listLagMs: NO_LAG,
    breakerThreshold: 50,
    ...options,
  });
  return gateways.for(1, gatewayOneCredentials(credentials));
}

const later = (about: Partial<InDoubtCharge> = {}): InDoubtCharge => ({
  ageMs: HOUR,
  mayRepeat: true,
  quietMs: null,
  isKnownToGateway: false,
  ...about,
});

describe('GatewayOne.charge', () => {
  it('charges the stored payment method once and says by which transaction', async () => {
    const charge = givenCharge({ scheduledOrderId: 501, attempt: 2 });

    expect(await gatewayOne().charge(charge)).toEqual({ kind: 'succeeded', transactionId: standIn.intentIds[0] });

    expect(standIn.ledger.charges).toEqual([
      {
        account: 'sk_test_merchant',
        transactionId: standIn.intentIds[0],
        scheduledOrderId: 501,
        installation: 'test',
        attempt: 2,
        amount: '12.34',
        currencyIso: 'USD',
        atUtc: expect.any(Date),
        sentMs: expect.any(Number),
        dueUtc: secondOf(charge.dueUtc),
        gatewayCustomerId: charge.gatewayCustomerId,
        gatewayPaymentId: charge.gatewayPaymentId,
      },
    ]);
    expect(standIn.lastHeaders).toMatchObject({
      'stripe-version': '2026-10-28.endive',
      'idempotency-key': charge.idempotencyKey,
    });
    expect(standIn.lastHeaders).not.toHaveProperty('x-stripe-client-telemetry');
  });

  it.each([
    ['pm_insufficient_funds', false, 'Your card has insufficient funds.'],
    ['pm_expired_card', false, 'Your card has expired.'],
    ['pm_declined', false, 'Your card was declined.'],
    ['pm_lost_card', true, 'Your card was declined.'],
    ['pm_stolen_card', true, 'Your card was declined.'],
    ['pm_incorrect_number', true, 'Your card number is incorrect.'],
    ['pm_do_not_try_again', true, 'Your card was declined.'],
    ['pm_missing', true, 'The payment gateway does not accept this payment method.'],
  ])('tells whether the decline of %s is hard: %s', async (gatewayPaymentId, hard, message) => {
    const outcome = await gatewayOne().charge(givenCharge({ gatewayPaymentId }));

    const missing = gatewayPaymentId === 'pm_missing' ? { missing: true } : {};
    const detail: unknown = expect.stringMatching(/^HTTP 40[02], /);
    expect(outcome).toEqual({ kind: 'declined', hard, ...missing, message, detail });
    expect(standIn.ledger.charges).toEqual([]);
  });

  it('tells the customer to act when the bank wants a confirmation', async () => {
    expect(await gatewayOne().charge(givenCharge({ gatewayPaymentId: 'pm_authentication_required' }))).toEqual({
      kind: 'declined',
      hard: false,
      message:
        'The card asks the customer to confirm this payment. Please confirm it with your bank or use another card.',
      detail: expect.stringContaining('authentication_required'),
    });
  });

  it('leaves no payment behind that somebody could still complete', async () => {
    const gateway = gatewayOne();
    const charge = givenCharge({ gatewayPaymentId: 'pm_requires_action' });

    expect(await gateway.charge(charge)).toMatchObject({ kind: 'declined', hard: false });
    expect(standIn.statusOf(standIn.intentIds[0]!)).toBe('canceled');
    expect(await gateway.lookUp(charge)).toMatchObject({ kind: 'declined', hard: false });
  });

  it('counts nothing as declined that could not be cancelled', async () => {
    const charge = givenCharge({ gatewayPaymentId: 'pm_requires_action' });
    standIn.faults.next('unavailable', { operation: 'lookUp' });

    expect(await gatewayOne().charge(charge)).toEqual({
      kind: 'unknown',
      repeatable: false,
      message: UNCERTAIN,
      detail: `${standIn.intentIds[0]} is still requires_action`,
      transactionId: standIn.intentIds[0],
    });
  });

  it.each([
    ['USD', 50, '0.50'],
    ['JPY', 1234, '1234'],
    ['KRW', 99_999_999, '99999999'],
    ['KWD', 1230, '1.230'],
    ['MGA', 123_400, '1234'],
    ['ISK', 1234, '1234.00'],
    ['UGX', 1234, '1234.00'],
    ['HUF', 123_456, '1234.56'],
  ])('charges exactly: %s %d is %s at the gateway', async (currencyIso, amount, charged) => {
    expect(await gatewayOne().charge(givenCharge({ currencyIso, amount }))).toMatchObject({ kind: 'succeeded' });
    expect(standIn.ledger.charges).toMatchObject([{ amount: charged, currencyIso }]);
  });

  it.each([
    ['KWD', 1234, 'The payment gateway cannot take exactly this amount of KWD.'],
    ['MGA', 123_450, 'The payment gateway cannot take exactly this amount of MGA.'],
    ['IRR', 1000, 'The payment gateway does not take IRR.'],
    ['XAU', 1, 'The payment gateway does not take XAU.'],
    ['EURO', 1, 'The payment gateway does not take EURO.'],
    ['USD', 0, 'The payment gateway cannot take exactly this amount of USD.'],
    ['USD', -5, 'The payment gateway cannot take exactly this amount of USD.'],
  ])('refuses %s %d before anything is sent', async (currencyIso, amount, message) => {
    expect(await gatewayOne().charge(givenCharge({ currencyIso, amount }))).toEqual({ kind: 'unchargeable', message });
    expect(standIn.served).toEqual({ charge: 0, lookUp: 0 });
  });

  it.each([
    ['too small', 49],
    ['too large', 100_000_000],
  ])('calls an amount that the gateway finds %s unchargeable', async (_, amount) => {
    expect(await gatewayOne().charge(givenCharge({ amount }))).toEqual({
      kind: 'unchargeable',
      message: 'The payment gateway cannot take this amount in this currency.',
      detail: expect.stringContaining('amount_too_'),
    });
  });
});

describe('GatewayOne.charge, when the gateway does not answer as it should', () => {
  it.each([
    ['loseBefore', 0],
    ['loseAfter', 1],
    ['resetBefore', 0],
    ['resetAfter', 1],
    ['cutShort', 1],
  ] as const)('%s: unknown, and the same key may be sent again', async (fault, charged) => {
    standIn.faults.next(fault);
    expect(await gatewayOne().charge(givenCharge())).toEqual({
      kind: 'unknown',
      repeatable: true,
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
    expect(await gatewayOne().charge(givenCharge())).toEqual({
      kind: 'unknown',
      repeatable: true,
      message: UNCERTAIN,
      detail: 'no whole answer within 2000 ms',
    });
    expect(standIn.ledger.charges).toHaveLength(charged);
  });

  it.each([
    ['errorBefore', 0, /^HTTP 500/],
    ['errorAfter', 1, /^HTTP 500/],
    ['unavailable', 0, /Invalid JSON/],
    ['malformed', 1, /Invalid JSON/],
  ] as const)('%s: unknown, and only a look-up tells', async (fault, charged, detail) => {
    standIn.faults.next(fault);
    expect(await gatewayOne().charge(givenCharge())).toEqual({
      kind: 'unknown',
      repeatable: false,
      message: UNCERTAIN,
      detail: expect.stringMatching(detail),
    });
    expect(standIn.ledger.charges).toHaveLength(charged);
  });

  it('undecided: unknown, with the transaction to ask for', async () => {
    standIn.faults.next('undecided');
    expect(await gatewayOne().charge(givenCharge())).toEqual({
      kind: 'unknown',
      repeatable: false,
      message: 'The payment gateway is still processing the payment.',
      detail: 'status processing',
      transactionId: standIn.intentIds[0],
    });
  });

  it('rateLimited: not charged, and nothing more is sent until the gateway wants it', async () => {
    const gateway = gatewayOne();
    await gateway.charge(givenCharge());
    standIn.faults.retryAfterSeconds = 7;
    standIn.faults.next('rateLimited');

    const begunMs = performance.now();
    expect(await gateway.charge(givenCharge())).toEqual({
      kind: 'unavailable',
      message: 'The payment gateway is busy.',
      detail: 'HTTP 429, rate_limit, Too many requests.',
      retryAfterMs: 7_000,
    });
    const served = standIn.served.charge;
    const postponed = await gateway.charge(givenCharge());
    expect(postponed).toEqual({ kind: 'postponed', message: UNREACHABLE, retryAfterMs: expect.any(Number) });
    const leastMs = 7_000 - Math.ceil(performance.now() - begunMs);
    expect((postponed as { retryAfterMs: number }).retryAfterMs).toBeGreaterThanOrEqual(leastMs);
    expect(standIn.served.charge).toBe(served);
  });

  it('is definite where no connection was made', async () => {
    const gateway = gatewayOne();
    await standIn.stop();
    expect(await gateway.charge(givenCharge())).toEqual({
      kind: 'unavailable',
      message: UNREACHABLE,
      detail: expect.stringContaining('ECONNREFUSED'),
    });
    standIn = await StripeStandIn.start();
  });

  it('is definite where no connection was made in time', async () => {
    // It takes the connection and never answers the TLS handshake, which is part of connecting.
    const deaf = net.createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => deaf.once('listening', resolve));
    const { port } = deaf.address() as net.AddressInfo;
    const options = { gatewayOneUrl: `https://127.0.0.1:${port}`, connectTimeoutMs: 50 };
    expect(await gatewayOne({}, options).charge(givenCharge())).toEqual({
      kind: 'unavailable',
      message: UNREACHABLE,
      detail: 'no connection within 50 ms',
    });
    deaf.close();
  });

  it('repeats once, with the same key, what was sent into a connection that had been closed', async () => {
    const gateway = gatewayOne();
    await gateway.charge(givenCharge());
    standIn.faults.next('loseBefore');

    expect(await gateway.charge(givenCharge())).toMatchObject({ kind: 'succeeded' });
    expect(standIn.served.charge).toBe(3);
    expect(standIn.ledger.charges).toHaveLength(2);
  });

  it.each(['rateLimited', 'resetBefore'] as const)('learns nothing when that repetition meets %s', async (fault) => {
    const gateway = gatewayOne();
    await gateway.charge(givenCharge());
    standIn.faults.next('loseAfter');
    standIn.faults.next(fault);

    expect(await gateway.charge(givenCharge())).toEqual({
      kind: 'unknown',
      repeatable: true,
      message: UNCERTAIN,
      detail: expect.any(String),
    });
    expect(standIn.ledger.charges).toHaveLength(2);
  });

  it('never takes a key that was used with other parameters for a decline', async () => {
    const gateway = gatewayOne();
    await gateway.charge(givenCharge({ idempotencyKey: 'twice' }));
    expect(await gateway.charge(givenCharge({ idempotencyKey: 'twice' }))).toMatchObject({
      kind: 'unknown',
      repeatable: false,
    });
  });

  it('waits for the first of two sendings of one key', async () => {
    const gateway = gatewayOne();
    await gateway.charge(givenCharge());
    standIn.latencyMs = Infinity;
    const charge = givenCharge();
    const sent = [gateway.charge(charge), gateway.charge(charge)];
    await until(() => standIn.served.charge === 3);
    standIn.latencyMs = 0;
    standIn.letGo();
    const both = await Promise.all(sent);
    expect(both.map(({ kind }) => kind).sort()).toEqual(['succeeded', 'unknown']);
    expect(both.find(({ kind }) => kind === 'unknown')).toMatchObject({ repeatable: true });
    expect(standIn.ledger.capturesOf(charge.scheduledOrderId)).toHaveLength(1);
  });
});

describe('GatewayOne.settle', () => {
  it.each(['loseBefore', 'loseAfter', 'resetAfter', 'cutShort', 'malformed', 'errorAfter', 'unavailable'] as const)(
    'settles what %s left unknown with exactly one charge',
    async (fault) => {
      const gateway = gatewayOne();
      const charge = givenCharge();
      standIn.faults.next(fault);
      await gateway.charge(charge);

      expect(await gateway.resolve(charge, later())).toMatchObject({
        kind: 'succeeded',
        transactionId: standIn.intentIds[0],
      });
      expect(standIn.ledger.charges).toHaveLength(1);
    },
  );

  it('finds that a 500 which the key repeats for ever charged nothing', async () => {
    const gateway = gatewayOne();
    const charge = givenCharge();
    standIn.faults.next('errorBefore');
    await gateway.charge(charge);

    expect(await gateway.resolve(charge, later())).toEqual({ kind: 'notFound' });
    expect(standIn.ledger.charges).toEqual([]);
  });

  it('does not believe in nothing while the sending may still be under way', async () => {
    const gateway = gatewayOne();
    const charge = givenCharge();
    standIn.faults.next('errorBefore');
    await gateway.charge(charge);

    expect(await gateway.resolve(charge, later({ ageMs: 3_000 }))).toMatchObject({ kind: 'unknown', replayed: true });
    expect(await gateway.resolve(charge, later({ ageMs: 3_000, mayRepeat: false }))).toMatchObject({ kind: 'unknown' });
    expect(await gateway.resolve(charge, later({ ageMs: 4_000, mayRepeat: false }))).toEqual({ kind: 'notFound' });
  });

  it('does not believe in nothing when a 500 is fresh, however old the attempt', async () => {
    const gateway = gatewayOne();
    const charge = givenCharge();
    standIn.faults.next('loseBefore');
    await gateway.charge(charge);
    standIn.faults.next('errorBefore');

    const fresh = await gateway.resolve(charge, later());
    expect(fresh).toMatchObject({ kind: 'unknown', repeatable: false });
    expect(fresh).not.toHaveProperty('replayed');
    expect(await gateway.resolve(charge, later())).toEqual({ kind: 'notFound' });
  });

  it.each([
    ['the first sending has charged', null],
    ['a repetition has charged', 'loseBefore' as const],
  ])('waits, after a 500, until the lists must show what %s', async (_, first) => {
    const listLagMs = { GatewayOne: 10 * MINUTE, GatewayTwo: 0 };
    const gateway = gatewayOne({}, { listLagMs });
    const charge = givenCharge();
    standIn.listDelayMs = Infinity;
    if (first !== null) {
      standIn.faults.next(first);
      await gateway.charge(charge);
      standIn.faults.next('errorAfter');
      expect(await gateway.resolve(charge, later())).toMatchObject({ kind: 'unknown' });
    } else {
      standIn.faults.next('errorAfter');
      await gateway.charge(charge);
    }
    const waits = { kind: 'postponed', message: UNCERTAIN, replayed: true };
    expect(await gateway.resolve(charge, later())).toEqual({ ...waits, retryAfterMs: 10 * MINUTE });
    expect(await gateway.resolve(charge, later({ replayedMs: 9 * MINUTE }))).toEqual({
      ...waits,
      retryAfterMs: MINUTE,
    });
    // By a clock that was ahead.
    expect(await gateway.resolve(charge, later({ replayedMs: -HOUR }))).toMatchObject({ retryAfterMs: 10 * MINUTE });
    standIn.listDelayMs = 0;
    expect(await gateway.resolve(charge, later({ replayedMs: 9 * MINUTE }))).toMatchObject({ kind: 'succeeded' });
    expect(standIn.ledger.charges).toHaveLength(1);
  });

  it('believes in nothing when the lists would show what came before the first stored 500', async () => {
    const gateway = gatewayOne({}, { listLagMs: { GatewayOne: 10 * MINUTE, GatewayTwo: 0 } });
    const charge = givenCharge();
    standIn.faults.next('errorBefore');
    await gateway.charge(charge);
    expect(await gateway.resolve(charge, later({ replayedMs: 10 * MINUTE }))).toEqual({ kind: 'notFound' });
  });

  it('repeats after a crash that left nothing at the gateway', async () => {
    const charge = givenCharge();
    expect(await gatewayOne().resolve(charge, later({ ageMs: 0 }))).toMatchObject({ kind: 'succeeded' });
    expect(standIn.ledger.charges).toHaveLength(1);
  });

  it('only looks up when the gateway may have forgotten the key', async () => {
    const gateway = gatewayOne();
    const charge = givenCharge();
    standIn.faults.next('loseAfter');
    await gateway.charge(charge);
    standIn.forgetKeys();

    expect(await gateway.resolve(charge, later({ ageMs: 23 * HOUR }))).toMatchObject({ kind: 'succeeded' });
    expect(await gateway.resolve(givenCharge(), later({ ageMs: 23 * HOUR + 4_000 }))).toEqual({ kind: 'notFound' });
    expect(standIn.ledger.charges).toHaveLength(1);
  });

  it('does not believe in nothing while the last repetition may still be under way', async () => {
    const gateway = gatewayOne();
    const charge = givenCharge();
    standIn.faults.next('loseBefore');
    expect(await gateway.resolve(charge, later({ ageMs: 23 * HOUR - 1 }))).toMatchObject({ kind: 'unknown' });
    expect(await gateway.resolve(charge, later({ ageMs: 23 * HOUR }))).toMatchObject({ kind: 'unknown' });
    expect(await gateway.resolve(charge, later({ ageMs: 23 * HOUR + 3_999 }))).toMatchObject({ kind: 'unknown' });
    expect(await gateway.resolve(charge, later({ ageMs: 23 * HOUR + 4_000 }))).toEqual({ kind: 'notFound' });
  });

  it('only looks up when it may not repeat', async () => {
    expect(await gatewayOne().resolve(givenCharge(), later({ mayRepeat: false }))).toEqual({ kind: 'notFound' });
    expect(standIn.served.charge).toBe(0);
  });

  it('follows what is processing to its end', async () => {
    const gateway = gatewayOne();
    const charge = givenCharge();
    standIn.faults.next('undecided');
    await gateway.charge(charge);
    const [transactionId] = standIn.intentIds;

    expect(await gateway.resolve(charge, later())).toMatchObject({ kind: 'unknown', transactionId });
    expect(await gateway.resolve(charge, later({ transactionId }))).toMatchObject({ kind: 'unknown', transactionId });
    standIn.finish(transactionId!, 'succeeded');
    expect(await gateway.resolve(charge, later({ transactionId }))).toMatchObject({ kind: 'succeeded', transactionId });
  });

  it('tells a decline that was answered into the void', async () => {
    const gateway = gatewayOne();
    const charge = givenCharge({ gatewayPaymentId: 'pm_lost_card' });
    standIn.faults.next('loseAfter');
    await gateway.charge(charge);

    const declined = {
      kind: 'declined',
      hard: true,
      message: 'Your card was declined.',
      detail: 'card_declined, lost_card',
    };
    expect(await gateway.resolve(charge, later())).toEqual(declined);
    expect(await gateway.resolve(charge, later({ mayRepeat: false }))).toEqual(declined);
  });

  it.each([
    ['rateLimited', 'unavailable'],
    ['loseBefore', 'unknown'],
  ] as const)('leaves the attempt as it was when the repetition meets %s', async (fault, kind) => {
    const gateway = gatewayOne();
    const charge = givenCharge();
    standIn.faults.next('loseAfter');
    standIn.faults.next(fault);
    await gateway.charge(charge);
    expect(await gateway.resolve(charge, later())).toMatchObject({ kind });
  });

  it('believes the look-up rather than a request that is invalid by now', async () => {
    const gateway = gatewayOne();
    const charge = givenCharge();
    standIn.faults.next('errorAfter');
    await gateway.charge(charge);
    standIn.forgetKeys();
    const invalidByNow = { ...charge, gatewayPaymentId: 'pm_missing' };

    expect(await gateway.resolve(invalidByNow, later())).toMatchObject({ kind: 'succeeded' });
    expect(await gateway.resolve(givenCharge({ gatewayPaymentId: 'pm_missing' }), later())).toMatchObject({
      kind: 'declined',
      hard: true,
    });
  });
});

describe('GatewayOne.settle, when refunds cannot be read', () => {
  it('keeps the transaction, so that the next look-up goes on from it', async () => {
    const gateway = gatewayOne();
    const charge = givenCharge();
    await gateway.charge(charge);
    const [transactionId] = standIn.intentIds;
    standIn.faults.next('unavailable', { operation: 'lookUp' });
    expect(await gateway.resolve(charge, later())).toMatchObject({ kind: 'unknown', repeatable: false, transactionId });
    expect(await gateway.resolve(charge, later({ transactionId: transactionId! }))).toMatchObject({
      kind: 'succeeded',
      transactionId,
    });
  });
});

describe('GatewayOne.lookUp', () => {
  it('tells that the account has no such transaction', async () => {
    expect(await gatewayOne().lookUp(givenCharge(), 'pi_of_another_account')).toMatchObject({
      kind: 'unknown',
      missing: true,
    });
  });

  it('finds another attempt of the occurrence that charged, and what it charged', async () => {
    const gateway = gatewayOne();
    const first = givenCharge({ currencyIso: 'ISK', amount: 990 });
    await gateway.charge(first);

    expect(await gateway.lookUp({ ...first, attempt: 2, amount: 1000 })).toMatchObject({
      kind: 'succeeded',
      transactionId: standIn.intentIds[0],
      chargedAmount: 990,
    });
    expect(await gateway.lookUp({ ...first, dueUtc: new Date('2026-11-24T10:30:00Z') })).toEqual({ kind: 'notFound' });
  });

  it('tells what was charged, also where this very attempt was sent with another amount', async () => {
    const gateway = gatewayOne();
    const charge = givenCharge({ amount: 1200 });
    await gateway.charge(charge);
    expect(await gateway.lookUp({ ...charge, amount: 1000 })).toMatchObject({ kind: 'succeeded', chargedAmount: 1200 });
  });

  it('turns every page of a customer with many payments', async () => {
    const gateway = gatewayOne();
    const customer = { gatewayCustomerId: 'cus_busy' };
    const charge = givenCharge(customer);
    await gateway.charge(charge);
    for (let index = 0; index < 101; index += 1) await gateway.charge(givenCharge(customer));

    expect(await gateway.lookUp(charge)).toMatchObject({ kind: 'succeeded', transactionId: standIn.intentIds[0] });
  });

  it.each([
    ['loseBefore', { kind: 'unavailable', message: 'The payment gateway did not answer.', detail: expect.any(String) }],
    [
      'unavailable',
      { kind: 'unavailable', message: 'The payment gateway did not answer.', detail: expect.any(String) },
    ],
    ['malformed', { kind: 'unavailable', message: 'The payment gateway did not answer.', detail: expect.any(String) }],
    [
      'rateLimited',
      { kind: 'unavailable', message: 'The payment gateway is busy.', detail: expect.any(String), retryAfterMs: 1_000 },
    ],
  ] as const)('learns nothing from %s', async (fault, outcome) => {
    standIn.faults.next(fault, { operation: 'lookUp' });
    expect(await gatewayOne().lookUp(givenCharge())).toEqual(outcome);
  });

  it('does not take a customer that is gone for a charge that never was', async () => {
    expect(await gatewayOne().lookUp(givenCharge({ gatewayCustomerId: 'cus_missing' }))).toEqual({
      kind: 'unknown',
      repeatable: false,
      message: 'The payment gateway cannot find the customer or the payment.',
      detail: expect.stringContaining('resource_missing'),
    });
  });
});

describe('GatewayOne with credentials that do not fit', () => {
  it.each([
    ['no key', { apiKey1: null }, 'The payment integration has no secret key (ApiKey1).'],
    [
      'a key with a line break',
      { apiKey1: 'sk_test_x\n' },
      'ApiKey1 has characters that are not possible in a secret key.',
    ],
    ['a publishable key', { apiKey1: 'pk_test_x' }, 'ApiKey1 holds a publishable key; the secret key belongs there.'],
    [
      'a sandbox key outside TestMode',
      { apiKey1: 'sandbox', testMode: false },
      'A sandbox key works in TestMode only.',
    ],
    ['a live key in TestMode', { apiKey1: 'sk_live_x' }, WRONG_MODE],
    ['a test key outside TestMode', { testMode: false }, WRONG_MODE],
  ])('%s: refused before anything is sent', async (_, credentials, message) => {
    const gateway = gatewayOne(credentials);
    expect(await gateway.charge(givenCharge())).toEqual({ kind: 'refused', message });
    expect(await gateway.verify()).toEqual({ verified: false, message });
    expect(standIn.served).toEqual({ charge: 0, lookUp: 0 });
  });

  it('says nothing of the key when the gateway refuses it', async () => {
    standIn.revoked.add('sk_test_merchant');
    const gateway = gatewayOne();
    const outcome = await gateway.charge(givenCharge());
    expect(outcome).toEqual({ kind: 'refused', message: REFUSED, detail: 'HTTP 401, req_stand_in' });
    expect(await gateway.lookUp(givenCharge())).toEqual(outcome);
    expect(await gateway.verify()).toEqual({ verified: false, message: REFUSED });
  });

  it('lets one order probe, not all, and goes on when the key is good again', async () => {
    standIn.revoked.add('sk_test_merchant');
    const gateway = gatewayOne();
    const refused = await Promise.all(Array.from({ length: 50 }, () => gateway.charge(givenCharge())));
    expect(new Set(refused.map(({ kind }) => kind))).toEqual(new Set(['refused']));
    expect(standIn.served.charge).toBe(1);

    standIn.revoked.clear();
    const charged = await Promise.all(Array.from({ length: 50 }, () => gateway.charge(givenCharge())));
    expect(new Set(charged.map(({ kind }) => kind))).toEqual(new Set(['succeeded']));

    standIn.revoked.add('sk_test_merchant');
    await gateway.charge(givenCharge());
    const before = standIn.served.charge;
    await Promise.all(Array.from({ length: 50 }, () => gateway.charge(givenCharge())));
    expect(standIn.served.charge).toBe(before + 1);
  });

  it('postpones what waited for a probe that told nothing', async () => {
    standIn.faults.next('loseBefore');
    const gateway = gatewayOne();
    const [probe, ...others] = await Promise.all([1, 2, 3].map(() => gateway.charge(givenCharge())));
    expect(probe).toMatchObject({ kind: 'unknown' });
    const postponed = {
      kind: 'postponed',
      message: 'The payment gateway has not answered yet.',
      retryAfterMs: 1_000,
    };
    expect(others).toEqual([postponed, postponed]);
    expect(standIn.served.charge).toBe(1);
  });

  it('records a charge in the wrong mode and takes no second one', async () => {
    standIn.livemode = true;
    const gateway = gatewayOne();
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => gateway.charge(givenCharge())));

    expect(first).toEqual({
      kind: 'succeeded',
      transactionId: standIn.intentIds[0],
      integrationRefused: WRONG_MODE,
    });
    expect(others).toEqual([
      { kind: 'refused', message: WRONG_MODE },
      { kind: 'refused', message: WRONG_MODE },
    ]);
    expect(standIn.ledger.charges).toHaveLength(1);
  });

  it('still looks up what it sent in the wrong mode', async () => {
    const gateway = gatewayOne();
    const charge = givenCharge();
    standIn.faults.next('errorAfter');
    await gateway.charge(charge);
    standIn.livemode = true;
    await gateway.charge(givenCharge());

    expect(await gateway.resolve(charge, later())).toMatchObject({ kind: 'succeeded' });
    expect(standIn.served.charge).toBe(2);
  });

  it('notices the wrong mode of a decline as well', async () => {
    standIn.livemode = true;
    const gateway = gatewayOne();
    expect(await gateway.charge(givenCharge({ gatewayPaymentId: 'pm_declined' }))).toMatchObject({ kind: 'declined' });
    expect(await gateway.charge(givenCharge())).toEqual({ kind: 'refused', message: WRONG_MODE });
  });

  it('asks a key that does not say its mode before it charges', async () => {
    standIn.livemode = true;
    expect(await gatewayOne({ apiKey1: 'old_key' }).charge(givenCharge())).toEqual({
      kind: 'refused',
      message: WRONG_MODE,
    });
    expect(standIn.served.charge).toBe(0);

    standIn.livemode = false;
    const gateway = gatewayOne({ apiKey1: 'old_key' });
    expect(await gateway.charge(givenCharge())).toMatchObject({ kind: 'succeeded' });
    expect(await gateway.charge(givenCharge())).toMatchObject({ kind: 'succeeded' });
    expect(standIn.served).toEqual({ charge: 2, lookUp: 2 });
  });

  it.each([
    ['loseBefore', { kind: 'unavailable', message: UNREACHABLE }],
    ['rateLimited', { kind: 'unavailable', message: 'The payment gateway is busy.' }],
  ] as const)('charges nothing while it cannot learn the mode: %s', async (fault, outcome) => {
    standIn.faults.next(fault, { operation: 'lookUp' });
    expect(await gatewayOne({ apiKey1: 'old_key' }).charge(givenCharge())).toMatchObject(outcome);
    expect(standIn.served.charge).toBe(0);
  });

  it('takes a restricted key that may charge but not read the balance', async () => {
    standIn.restricted.add('old_restricted');
    const gateway = gatewayOne({ apiKey1: 'old_restricted' });
    expect(await gateway.charge(givenCharge())).toMatchObject({ kind: 'succeeded' });
  });
});

describe('GatewayOne.verify', () => {
  it('knows good credentials, without charging', async () => {
    expect(await gatewayOne().verify()).toEqual({ verified: true });
    expect(standIn.served.charge).toBe(0);
  });

  it('sees the mode in what the account holds', async () => {
    standIn.livemode = true;
    await gatewayOne().charge(givenCharge());
    expect(await gatewayOne().verify()).toEqual({ verified: false, message: WRONG_MODE });
  });

  it('says that the gateway is out of reach', async () => {
    standIn.faults.next('unavailable', { operation: 'lookUp' });
    expect(await gatewayOne().verify()).toEqual({ verified: false, message: 'The payment gateway did not answer.' });
  });
});
