import { type Charge, Gateways, type InDoubtCharge } from '#libs/gateways';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { gatewayOneCredentials, gatewayTwoCredentials, givenCharge, NO_LAG } from './given-charge.js';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const UNDER_WAY_MS = 4_000;

let one: StripeStandIn;
let two: AuthorizeNetStandIn;

beforeEach(async () => {
  one = await StripeStandIn.start();
  two = await AuthorizeNetStandIn.start();
});
afterEach(() => Promise.all([one.stop(), two.stop()]));

const gateways = () =>
  new Gateways({ gatewayOneUrl: one.url, gatewayTwoUrl: two.url, timeoutMs: 2_000, listLagMs: NO_LAG });
const charges = (about: Partial<Charge> = {}) =>
  givenCharge({ gatewayCustomerId: '40025205', gatewayPaymentId: '40027471', ...about });

const stopped = (quietMs: number, about: Partial<InDoubtCharge> = {}): InDoubtCharge => ({
  ageMs: HOUR,
  mayRepeat: true,
  quietMs,
  isKnownToGateway: false,
  ...about,
});

describe.each([
  ['GatewayOne', () => gateways().for(1, gatewayOneCredentials()), () => one],
  ['GatewayTwo', () => gateways().for(2, gatewayTwoCredentials()), () => two],
] as const)('%s.settle of what a request has stopped', (_, gatewayOf, standInOf) => {
  it.each([true, false])('never sends, also when it may be repeated: %s', async (mayRepeat) => {
    for (const quietMs of [0, UNDER_WAY_MS - 1, UNDER_WAY_MS, DAY]) {
      await gatewayOf().resolve(charges(), stopped(quietMs, { mayRepeat }));
    }
    expect(standInOf().served.charge).toBe(0);
  });

  it.each([0, HOUR, 7.75 * HOUR, 8 * HOUR, 23 * HOUR, 24 * HOUR])(
    'is certain that nothing was charged only when nothing can be under way, at an age of %d ms',
    async (ageMs) => {
      const gateway = gatewayOf();
      expect(await gateway.resolve(charges(), stopped(0, { ageMs }))).toMatchObject({ kind: 'unknown' });
      expect(await gateway.resolve(charges(), stopped(UNDER_WAY_MS - 1, { ageMs }))).toMatchObject({ kind: 'unknown' });
      expect(await gateway.resolve(charges(), stopped(UNDER_WAY_MS, { ageMs }))).toEqual({ kind: 'notFound' });
    },
  );

  it('is certain only when the lists must show what was charged', async () => {
    const listLagMs = { GatewayOne: HOUR, GatewayTwo: HOUR };
    const late = new Gateways({ gatewayOneUrl: one.url, gatewayTwoUrl: two.url, timeoutMs: 2_000, listLagMs });
    const credentials = standInOf() === one ? gatewayOneCredentials() : gatewayTwoCredentials();
    const lookedUp = (quietMs: number) =>
      late.for(3, credentials).resolve(charges(), stopped(quietMs, { ageMs: 2 * HOUR }));
    expect(await lookedUp(HOUR + UNDER_WAY_MS - 1)).toMatchObject({ kind: 'unknown' });
    expect(await lookedUp(HOUR + UNDER_WAY_MS)).toEqual({ kind: 'notFound' });
  });

  it('finds what was charged all the same', async () => {
    const charge = charges();
    standInOf().faults.next('loseAfter');
    await gatewayOf().charge(charge);
    expect(await gatewayOf().resolve(charge, stopped(0))).toMatchObject({ kind: 'succeeded' });
    expect(standInOf().ledger.charges).toHaveLength(1);
  });

  it('is never certain of what the gateway has said that it has', async () => {
    const known = stopped(DAY, { isKnownToGateway: true });
    expect(await gatewayOf().resolve(charges(), known)).toMatchObject({ kind: 'unknown', duplicate: true });
  });
});
