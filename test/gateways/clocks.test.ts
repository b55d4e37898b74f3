import { type Charge, type GatewayOptions, Gateways, type InDoubtCharge } from '#libs/gateways';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { gatewayOneCredentials, gatewayTwoCredentials, givenCharge, NO_LAG } from './given-charge.js';

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

const gateways = (options: GatewayOptions = {}) =>
  new Gateways({ gatewayOneUrl: one.url, gatewayTwoUrl: two.url, timeoutMs: 2_000, listLagMs: NO_LAG, ...options });

const charges = (about: Partial<Charge> = {}) =>
  givenCharge({ gatewayCustomerId: '40025205', gatewayPaymentId: '40027471', ...about });

const onlyLookedUp = (ageMs: number): InDoubtCharge => ({
  ageMs,
  mayRepeat: false,
  quietMs: null,
  isKnownToGateway: false,
});

describe.each([
  ['GatewayOne', (options?: GatewayOptions) => gateways(options).for(1, gatewayOneCredentials()), () => one],
  ['GatewayTwo', (options?: GatewayOptions) => gateways(options).for(1, gatewayTwoCredentials()), () => two],
] as const)('%s, whose clock is not ours', (_, gatewayOf, standInOf) => {
  it.each([-30 * DAY, -2 * DAY, -2 * HOUR, 2 * HOUR, 2 * DAY, 30 * DAY])(
    'shows a look-up the charge when it is %d ms ahead',
    async (aheadMs) => {
      const standIn = standInOf();
      standIn.clockAheadMs = aheadMs;
      const charge = charges();
      standIn.faults.next('errorAfter');
      await gatewayOf().charge(charge);

      // A fresh process: no answer has told the gateway's time before.
      expect(await gatewayOf().resolve(charge, onlyLookedUp(HOUR))).toMatchObject({ kind: 'succeeded' });
      expect(await gatewayOf().resolve(charge, { ...onlyLookedUp(HOUR), mayRepeat: true })).toMatchObject({
        kind: 'succeeded',
      });
      expect(await gatewayOf().lookUp(charge, null, 0)).toMatchObject({ kind: 'succeeded' });
      expect(standIn.ledger.charges).toHaveLength(1);
    },
  );

  it('shows it when the clock of the database was put right by nearly two days in the meantime', async () => {
    const charge = charges();
    standInOf().faults.next('errorAfter');
    await gatewayOf().charge(charge);
    standInOf().advance(MARGIN - HOUR);
    expect(await gatewayOf().resolve(charge, onlyLookedUp(4_000))).toMatchObject({ kind: 'succeeded' });
  });

  it.each([null, 'soon', '12', 'Thu, 01 Jan 1970 00:00:00 GMT'])('may date its answers %s', async (dateHeader) => {
    standInOf().dateHeader = dateHeader;
    const charge = charges();
    await gatewayOf().charge(charge);
    expect(await gatewayOf().lookUp(charge, null, HOUR)).toMatchObject({ kind: 'succeeded' });
    expect(await gatewayOf().lookUp(charges(), null, HOUR)).toEqual({ kind: 'notFound' });
    expect(await gatewayOf().verify()).toEqual({ verified: true });
  });

  it('is shown to whom it concerns with every answer that is dated', async () => {
    const seen: [number, number][] = [];
    const gateway = gatewayOf({ onDate: (id, gatewayUtc) => seen.push([id, gatewayUtc.getTime()]) });
    const standIn = standInOf();
    standIn.clockAheadMs = 3 * HOUR;
    const before = Date.now();
    await gateway.charge(charges());
    standIn.faults.next('unavailable');
    await gateway.charge(charges());
    standIn.dateHeader = 'soon';
    await gateway.charge(charges());

    expect(seen.map(([id]) => id)).toEqual([1, 1]);
    for (const [, gatewayMs] of seen) {
      expect(gatewayMs).toBeGreaterThan(before + 3 * HOUR - 1_000);
      expect(gatewayMs).toBeLessThanOrEqual(Date.now() + 3 * HOUR);
    }
  });
});

describe('A look-up of a customer whose charges nobody knows the age of', () => {
  it('reads no more than a bound, beyond which GatewayOne concludes nothing', async () => {
    const gateway = gateways({ concurrency: 50 }).for(1, gatewayOneCredentials());
    const first = charges();
    await gateway.charge(first);
    one.fill('sk_test_merchant', first.gatewayCustomerId, 10_000);
    expect(await gateway.lookUp(first)).toMatchObject({ kind: 'unknown', detail: expect.stringContaining('10000') });
    expect(await gateway.lookUp(first, null, HOUR)).toMatchObject({ kind: 'succeeded' });
  });
});

describe('GatewayOne', () => {
  it('knows a charge that names this installation however old it is, as far as it is read', async () => {
    const gateway = gateways().for(1, gatewayOneCredentials());
    const charge = charges();
    await gateway.charge(charge);
    one.advance(300 * DAY);
    expect(await gateway.lookUp(charge, null, 0)).toMatchObject({ kind: 'succeeded' });
  });
});

describe('GatewayTwo', () => {
  it('is asked from the age that is known and two days before, and from any age when none is known', async () => {
    const gateway = gateways().for(1, gatewayTwoCredentials());
    const charge = charges();
    await gateway.charge(charge);
    two.advance(HOUR + MARGIN);

    expect(await gateway.lookUp(charge, null, HOUR - 60_000)).toEqual({ kind: 'notFound' });
    expect(await gateway.lookUp(charge, null, HOUR + 60_000)).toMatchObject({ kind: 'succeeded' });
    expect(await gateway.lookUp(charge)).toMatchObject({ kind: 'succeeded' });
    const attempt = onlyLookedUp(4_000);
    expect(await gateway.resolve(charge, attempt)).toEqual({ kind: 'notFound' });
    expect(await gateway.resolve(charge, { ...attempt, agoMs: HOUR + 60_000 })).toMatchObject({ kind: 'succeeded' });
  });
});
