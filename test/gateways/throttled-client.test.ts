import { Gateways } from '#libs/gateways';
import { describeInAllCases, itInAllCases } from '../support/all-cases.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { until } from '../support/until.js';
import { gatewayOneCredentials, gatewayTwoCredentials, givenCharge } from './given-charge.js';

let one: StripeStandIn;
let two: AuthorizeNetStandIn;

beforeEach(async () => {
  one = await StripeStandIn.start();
  two = await AuthorizeNetStandIn.start();
});
afterEach(() => Promise.all([one.stop(), two.stop()]));

const both = (options: ConstructorParameters<typeof Gateways>[0] = {}) =>
  new Gateways({ gatewayOneUrl: one.url, gatewayTwoUrl: two.url, timeoutMs: 2_000, ...options });

describeInAllCases('1,000 parallel charges', () => {
  it.each(['GatewayOne', 'GatewayTwo'] as const)('through %s: each once, within the bound', async (type) => {
    const isOne = type === 'GatewayOne';
    const standIn = isOne ? one : two;
    const gateway = both({ concurrency: 20, timeoutMs: 20_000 }).for(
      1,
      isOne ? gatewayOneCredentials() : gatewayTwoCredentials(),
    );
    const method = isOne ? {} : { gatewayCustomerId: '40025205', gatewayPaymentId: '40027471' };
    standIn.latencyMs = 15;

    const charges = Array.from({ length: 1_000 }, () => givenCharge(method));
    const outcomes = await Promise.all(charges.map((charge) => gateway.charge(charge)));

    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['succeeded']));
    expect(standIn.ledger.charges).toHaveLength(1_000);
    expect(standIn.ledger.doubles()).toEqual([]);
    expect([...standIn.peakUnderWay.values()]).toEqual([20]);
  });

  it('counts the time-out from the sending, not from the queue', async () => {
    const gateway = both({ concurrency: 1, timeoutMs: 2_000 }).for(1, gatewayOneCredentials());
    one.latencyMs = 300;
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => gateway.charge(givenCharge())));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['succeeded']));
  });
});

/** So long that all is asked that must be while a breaker is open. */
const OPEN_MS = 3_000;

describe('The breaker of an integration', () => {
  it('opens after failures in a row, holds that integration alone, and closes when a probe succeeds', async () => {
    const states: [number, string][] = [];
    const gateways = both({
      breakerThreshold: 3,
      breakerOpenMs: OPEN_MS,
      onBreaker: (id, state) => states.push([id, state]),
    });
    const sick = gateways.for(1, gatewayOneCredentials({ apiKey1: 'sk_test_sick' }));
    const well = gateways.for(2, gatewayOneCredentials({ apiKey1: 'sk_test_well' }));
    await sick.charge(givenCharge());

    one.faults.next('unavailable', { times: 3 });
    for (let failure = 0; failure < 3; failure += 1) {
      expect(await sick.charge(givenCharge())).toMatchObject({ kind: 'unknown' });
    }
    const served = one.served.charge;
    const held = await Promise.all([1, 2, 3].map(() => sick.charge(givenCharge())));
    expect(held[0]).toEqual({
      kind: 'postponed',
      message: 'The payment gateway cannot be reached.',
      retryAfterMs: expect.any(Number),
    });
    expect(await sick.lookUp(givenCharge())).toMatchObject({ kind: 'postponed' });
    expect(
      await sick.resolve(givenCharge(), { ageMs: 0, mayRepeat: true, quietMs: null, isKnownToGateway: false }),
    ).toMatchObject({ kind: 'postponed' });
    expect(one.served.charge).toBe(served);
    expect(await well.charge(givenCharge())).toMatchObject({ kind: 'succeeded' });

    const outcome = await until(async () => {
      const answered = await sick.charge(givenCharge());
      if (answered.kind !== 'postponed') return answered;
      // A second at least, however soon it is tried again.
      expect(answered.retryAfterMs).toBeGreaterThanOrEqual(1_000);
      return null;
    });
    expect(outcome).toMatchObject({ kind: 'succeeded' });
    expect(states).toEqual([
      [1, 'open'],
      [1, 'closed'],
    ]);
  });

  it('asks to wait for as long as it stays open', async () => {
    const gateway = both({ breakerThreshold: 1, breakerOpenMs: 60_000 }).for(1, gatewayOneCredentials());
    one.faults.next('unavailable');
    await gateway.charge(givenCharge());
    const { retryAfterMs } = (await gateway.charge(givenCharge())) as { retryAfterMs: number };
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  itInAllCases('lets a probe through after its pause although the clock was set back, and one only', async () => {
    const gateway = both({ breakerThreshold: 1, breakerOpenMs: OPEN_MS }).for(1, gatewayOneCredentials());
    await gateway.charge(givenCharge());
    one.faults.next('unavailable', { times: 2 });
    await gateway.charge(givenCharge());
    const opened = performance.now();
    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
    try {
      expect(await gateway.charge(givenCharge())).toMatchObject({ kind: 'postponed' });
      await until(() => performance.now() > opened + OPEN_MS);
      const outcomes = await Promise.all([1, 2, 3].map(() => gateway.charge(givenCharge())));
      expect(outcomes.map(({ kind }) => kind)).toEqual(['unknown', 'postponed', 'postponed']);
      const again = performance.now();
      await until(() => performance.now() > again + OPEN_MS);
      expect(await gateway.charge(givenCharge())).toMatchObject({ kind: 'succeeded' });
    } finally {
      clock.mockRestore();
    }
  });

  it.each([
    ['whose credentials were replaced', (gateways: Gateways) => gateways.for(1, gatewayOneCredentials())],
    ['that nobody has used for long', (gateways: Gateways) => gateways.for(2, gatewayOneCredentials())],
  ])('counts as closed for an integration %s', async (_, andThen) => {
    const states: [number, string][] = [];
    const gateways = both({ breakerThreshold: 1, idleAdapters: 1, onBreaker: (id, state) => states.push([id, state]) });
    const before = gateways.for(1, gatewayOneCredentials({ apiKey1: 'sk_test_before' }));
    one.faults.next('unavailable', { times: 2 });
    await before.charge(givenCharge());
    andThen(gateways);
    await before.charge(givenCharge());
    expect(states).toEqual([
      [1, 'open'],
      [1, 'closed'],
    ]);
  });

  it.each([
    ['declines', { gatewayPaymentId: 'pm_declined' }],
    ['invalid requests', { gatewayPaymentId: 'pm_missing' }],
  ])('stays closed over %s', async (_, about) => {
    const gateway = both({ breakerThreshold: 2 }).for(1, gatewayOneCredentials());
    for (let time = 0; time < 5; time += 1) await gateway.charge(givenCharge(about));
    expect(await gateway.charge(givenCharge())).toMatchObject({ kind: 'succeeded' });
  });
});

describe('A charge that may not be sent any more', () => {
  it.each(['GatewayOne', 'GatewayTwo'] as const)('when its turn comes is not sent through %s', async (type) => {
    const isOne = type === 'GatewayOne';
    const standIn = isOne ? one : two;
    const gateway = both({ concurrency: 1 }).for(1, isOne ? gatewayOneCredentials() : gatewayTwoCredentials());
    const method = isOne ? {} : { gatewayCustomerId: '40025205', gatewayPaymentId: '40027471' };
    await gateway.charge(givenCharge(method));
    standIn.latencyMs = Infinity;
    let maySend = true;
    const outcomes = [
      gateway.charge(givenCharge(method)),
      gateway.charge(givenCharge(method), () => maySend),
      gateway.charge(givenCharge(method), () => true),
    ];
    await until(() => standIn.served.charge === 2);
    maySend = false;
    standIn.latencyMs = 0;
    standIn.letGo();

    const kinds = [{ kind: 'succeeded' }, { kind: 'postponed', retryAfterMs: 0 }, { kind: 'succeeded' }];
    expect(await Promise.all(outcomes)).toMatchObject(kinds);
    const old = { ageMs: 3_600_000, mayRepeat: true, quietMs: null, isKnownToGateway: false };
    expect(await gateway.resolve(givenCharge(method), old, () => maySend)).toMatchObject({ kind: 'postponed' });
    expect(standIn.served.charge).toBe(3);
  });

  it.each(['GatewayOne', 'GatewayTwo'] as const)('when the connection stands is not sent through %s', async (type) => {
    const isOne = type === 'GatewayOne';
    const gateway = both().for(1, isOne ? gatewayOneCredentials() : gatewayTwoCredentials());
    const method = isOne ? {} : { gatewayCustomerId: '40025205', gatewayPaymentId: '40027471' };
    const answers = [true, false];
    expect(await gateway.charge(givenCharge(method), () => answers.shift()!)).toMatchObject({
      kind: 'postponed',
      retryAfterMs: 0,
    });
    expect(answers).toEqual([]);
    expect([one.served.charge, two.served.charge]).toEqual([0, 0]);
    expect(await gateway.charge(givenCharge(method), () => true)).toMatchObject({ kind: 'succeeded' });
  });
});

describe('Gateways', () => {
  it('keeps one adapter for an integration, and takes a fresh one for other credentials', () => {
    const gateways = both();
    const first = gateways.for(1, gatewayOneCredentials());
    expect(gateways.for(1, gatewayOneCredentials())).toBe(first);
    expect(gateways.for(2, gatewayOneCredentials())).not.toBe(first);
    expect(gateways.for(1, gatewayOneCredentials({ testMode: false }))).not.toBe(first);
    expect(gateways.for(1, gatewayOneCredentials())).not.toBe(first);
  });

  it('sends nothing more with credentials that were replaced', async () => {
    const gateways = both({ concurrency: 1 });
    const before = gateways.for(1, gatewayOneCredentials());
    await before.charge(givenCharge());
    one.latencyMs = Infinity;
    const outcomes = [before.charge(givenCharge()), before.charge(givenCharge())];
    await until(() => one.served.charge === 2);
    gateways.for(1, gatewayOneCredentials({ apiKey1: 'sk_test_other' }));
    one.latencyMs = 0;
    one.letGo();

    expect(await Promise.all(outcomes)).toMatchObject([{ kind: 'succeeded' }, { kind: 'postponed' }]);
    expect(one.ledger.charges).toHaveLength(2);
  });

  it('finishes what is under way when it closes, and sends nothing more', async () => {
    const gateways = both({ concurrency: 1 });
    const gateway = gateways.for(1, gatewayOneCredentials());
    await gateway.charge(givenCharge());
    one.latencyMs = Infinity;
    const outcomes = [gateway.charge(givenCharge()), gateway.charge(givenCharge())];
    await until(() => one.served.charge === 2);
    gateways.close();
    one.latencyMs = 0;
    one.letGo();

    expect(await Promise.all(outcomes)).toMatchObject([{ kind: 'succeeded' }, { kind: 'postponed' }]);
    const fresh = gateways.for(9, gatewayOneCredentials());
    expect(await fresh.charge(givenCharge())).toMatchObject({ kind: 'postponed' });
    expect(one.served.charge).toBe(2);
  });

  it('forgets adapters that are idle, never one that is in use', async () => {
    const gateways = both({ idleAdapters: 2 });
    one.latencyMs = Infinity;
    const busy = gateways.for(1, gatewayOneCredentials());
    const charging = busy.charge(givenCharge());
    await until(() => one.served.charge === 1);
    const idle = gateways.for(2, gatewayOneCredentials());
    gateways.for(3, gatewayOneCredentials());
    expect(gateways.for(1, gatewayOneCredentials())).toBe(busy);
    expect(gateways.for(2, gatewayOneCredentials())).not.toBe(idle);
    one.letGo();
    expect(await charging).toMatchObject({ kind: 'succeeded' });
  });

  it('uses the sandbox only for a sandbox key in TestMode, without any call', async () => {
    const sandbox = both().for(1, gatewayTwoCredentials({ apiKey1: 'sandbox-key' }));
    const charge = givenCharge({ idempotencyKey: 'key' });
    expect(await sandbox.charge(charge)).toEqual({ kind: 'succeeded', transactionId: 'sandbox_key' });
    expect(
      await sandbox.resolve(charge, { ageMs: 1, mayRepeat: true, quietMs: null, isKnownToGateway: false }),
    ).toMatchObject({ kind: 'succeeded' });
    expect(
      await sandbox.resolve(charge, { ageMs: 1, mayRepeat: false, quietMs: null, isKnownToGateway: false }),
    ).toEqual({ kind: 'notFound' });
    expect(await sandbox.resolve(charge, { ageMs: 1, mayRepeat: true, quietMs: 0, isKnownToGateway: false })).toEqual({
      kind: 'notFound',
    });
    expect(await sandbox.charge({ ...charge, gatewayPaymentId: 'card_declined_1' })).toEqual({
      kind: 'declined',
      hard: false,
      message: 'The card was declined.',
    });
    expect(await sandbox.charge({ ...charge, gatewayPaymentId: 'card_declined_hard' })).toEqual({
      kind: 'declined',
      hard: true,
      message: 'The card was reported lost.',
    });
    expect(await sandbox.verify()).toEqual({ verified: true });
    expect(two.served).toEqual({ charge: 0, lookUp: 0 });
  });
});
