import { type Charge, Gateways, type InDoubtCharge } from '#libs/gateways';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { gatewayOneCredentials, gatewayTwoCredentials, givenCharge, NO_LAG } from './given-charge.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const A_PERSON_LOOKS =
  'It is not certain whether the payment went through: the shop has to look it up at the payment gateway.';

let one: StripeStandIn;
let two: AuthorizeNetStandIn;

beforeEach(async () => {
  one = await StripeStandIn.start();
  two = await AuthorizeNetStandIn.start();
});
afterEach(() => Promise.all([one.stop(), two.stop()]));

const gateways = () =>
  new Gateways({ gatewayOneUrl: one.url, gatewayTwoUrl: two.url, timeoutMs: 2_000, listLagMs: NO_LAG });
const gatewayOne = () => gateways().for(1, gatewayOneCredentials());
const gatewayTwo = () => gateways().for(2, gatewayTwoCredentials());
const charges = (about: Partial<Charge> = {}) =>
  givenCharge({ gatewayCustomerId: '40025205', gatewayPaymentId: '40027471', ...about });

const attempt = (about: Partial<InDoubtCharge> = {}): InDoubtCharge => ({
  ageMs: HOUR,
  mayRepeat: true,
  quietMs: null,
  isKnownToGateway: false,
  ...about,
});

describe.each([
  ['GatewayOne', gatewayOne, () => one],
  ['GatewayTwo', gatewayTwo, () => two],
] as const)('%s.settle of what the gateway has said that it has', (_, gatewayOf, standInOf) => {
  it.each([0, HOUR, 5 * HOUR, 8 * HOUR, 24 * HOUR, 30 * DAY])(
    'never concludes that nothing was charged, and sends nothing, %d ms after the sending',
    async (ageMs) => {
      expect(await gatewayOf().resolve(charges(), attempt({ ageMs, isKnownToGateway: true }))).toEqual({
        kind: 'unknown',
        repeatable: false,
        duplicate: true,
        message: A_PERSON_LOOKS,
        detail: 'the gateway has said that it has this charge, but no list of it shows it: a person has to look',
      });
      expect(standInOf().served.charge).toBe(0);
    },
  );

  it('finds it all the same, as soon as it is shown', async () => {
    const gateway = gatewayOf();
    const charge = charges();
    await gateway.charge(charge);
    standInOf().listDelayMs = 2 * HOUR;
    const known = attempt({ isKnownToGateway: true });
    expect(await gateway.resolve(charge, known)).toMatchObject({ kind: 'unknown', duplicate: true });
    standInOf().advance(2 * HOUR);
    expect(await gateway.resolve(charge, known)).toMatchObject({ kind: 'succeeded', chargedAmount: 1234 });
    expect(standInOf().served.charge).toBe(1);
  });
});

describe('GatewayTwo, when it calls a sending a duplicate', () => {
  it.each([2 * HOUR, 7 * HOUR + 44 * MINUTE])('finds the charge of %d ms before', async (agoMs) => {
    const gateway = gatewayTwo();
    const charge = charges();
    two.faults.next('loseAfter');
    await gateway.charge(charge);
    two.advance(agoMs);
    // The look-up missed it, so it is sent again; by then the lists have caught up.
    two.listDelayMs = DAY;
    two.whenAsked = (request) => {
      if (request === 'createTransactionRequest') two.listDelayMs = 0;
    };
    expect(await gateway.resolve(charge, attempt({ ageMs: agoMs }))).toMatchObject({
      kind: 'succeeded',
      transactionId: two.transactionIds[0],
    });
    expect(two.ledger.charges).toHaveLength(1);
  });

  it('finds the charge in a settled batch when the profile is gone', async () => {
    const gateway = gatewayTwo();
    const charge = charges();
    await gateway.charge(charge);
    two.settleAll();
    two.deletedProfiles.add(charge.gatewayCustomerId);
    expect(await gateway.charge(charge)).toMatchObject({ kind: 'succeeded', transactionId: two.transactionIds[0] });
    expect(await gateway.resolve(charge, attempt({ isKnownToGateway: true }))).toMatchObject({ kind: 'succeeded' });
  });

  it('charges no second time in all the hours that follow, whatever the lists show', async () => {
    const gateway = gatewayTwo();
    const charge = charges();
    two.faults.next('loseAfter');
    await gateway.charge(charge);
    two.listDelayMs = 30 * DAY;
    two.advance(2 * HOUR);
    let known = attempt({ ageMs: 2 * HOUR });
    const outcome = await gateway.resolve(charge, known);
    expect(outcome).toMatchObject({ kind: 'unknown', duplicate: true });
    for (let hours = 3; hours < 60; hours += 3) {
      two.advance(3 * HOUR);
      known = attempt({ ageMs: hours * HOUR, isKnownToGateway: true });
      expect(await gateway.resolve(charge, known)).toMatchObject({ kind: 'unknown', duplicate: true });
    }
    expect(two.ledger.charges).toHaveLength(1);
    expect(two.served.charge).toBe(2);
  });

  it('does not take a failure that is listed for the charge that it has', async () => {
    const gateway = gatewayTwo();
    const declined = charges({ gatewayPaymentId: '9001002' });
    await gateway.charge(declined);
    const charge = { ...declined, gatewayPaymentId: '40027471' };
    await gateway.charge(charge);
    two.whenAsked = (request) => {
      if (request !== 'createTransactionRequest') two.hide(two.transactionIds[1]!);
    };
    expect(await gateway.charge(charge)).toMatchObject({
      kind: 'unknown',
      duplicate: true,
      detail: 'the gateway calls it a duplicate; look-up: declined',
    });
  });

  it('names the transaction when the charge is held for review', async () => {
    const gateway = gatewayTwo();
    const charge = charges();
    two.faults.next('undecided');
    await gateway.charge(charge);
    const [transactionId] = two.transactionIds;
    expect(await gateway.charge(charge)).toMatchObject({ kind: 'unknown', duplicate: true, transactionId });
    two.finish(transactionId!, 'declined');
    expect(
      await gateway.resolve(charge, attempt({ isKnownToGateway: true, transactionId: transactionId! })),
    ).toMatchObject({ kind: 'declined' });
  });
});

describe('GatewayOne, when a key was used with other parameters', () => {
  it('takes it neither for a decline nor for "not charged"', async () => {
    const gateway = gatewayOne();
    const first = charges();
    await gateway.charge(first);
    const other = { ...first, amount: 999 };
    const answer = { kind: 'unknown', repeatable: false, duplicate: true };
    expect(await gateway.charge(other)).toMatchObject(answer);
    expect(await gateway.resolve(other, attempt())).toMatchObject({ kind: 'succeeded', chargedAmount: 1234 });
    expect(one.ledger.charges).toHaveLength(1);
  });

  it('stays unknown when no charge of the occurrence is found: what came first may be shown later', async () => {
    const gateway = gatewayOne();
    const { idempotencyKey } = charges();
    await gateway.charge(charges({ idempotencyKey }));
    const other = charges({ idempotencyKey });
    expect(await gateway.resolve(other, attempt())).toMatchObject({ kind: 'unknown', duplicate: true });
    expect(await gateway.resolve(other, attempt({ ageMs: 30 * HOUR, isKnownToGateway: true }))).toMatchObject({
      kind: 'unknown',
      duplicate: true,
    });
    expect(one.ledger.charges).toHaveLength(1);
  });

  it('shows that the credentials work: what waited for the first answer is sent', async () => {
    const first = charges();
    await gatewayOne().charge(first);
    const gateway = gatewayOne();
    const [known, waiting] = await Promise.all([gateway.charge({ ...first, amount: 999 }), gateway.charge(charges())]);
    expect(known).toMatchObject({ kind: 'unknown', duplicate: true });
    expect(waiting).toMatchObject({ kind: 'succeeded' });
  });
});
