import { type Charge, Gateways, type PaymentGateway } from '#libs/gateways';
import { itInAllCases } from '../support/all-cases.js';
import { AuthorizeNetStandIn, type Fault, StripeStandIn } from '../support/gateways/index.js';
import { gatewayOneCredentials, gatewayTwoCredentials, givenCharge, NO_LAG } from './given-charge.js';

const HOUR = 60 * 60 * 1_000;
const CHARGES = 400;

const MIX: Partial<Record<Fault, number>> = {
  loseBefore: 0.06,
  loseAfter: 0.06,
  resetBefore: 0.03,
  resetAfter: 0.03,
  silentAfter: 0.005,
  rateLimited: 0.03,
  unavailable: 0.06,
  errorBefore: 0.06,
  errorAfter: 0.06,
  malformed: 0.03,
  cutShort: 0.03,
};

/** Lets the gateway have its turn. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * As the processor does: an unknown outcome is settled before anything else, a new attempt only follows a definite
 * answer.
 */
async function chargeUntilSettled(gateway: PaymentGateway, first: Charge): Promise<'succeeded' | 'declined'> {
  for (let attempt = 1; ; attempt += 1) {
    const charge = { ...first, attempt, idempotencyKey: `${first.idempotencyKey}-${attempt}` };
    let outcome: { kind: string } = await gateway.charge(charge);
    while (outcome.kind === 'postponed') {
      await turn();
      outcome = await gateway.charge(charge);
    }
    if (outcome.kind === 'unavailable') continue;
    const unsettled = ['unknown', 'postponed', 'unavailable', 'refused'];
    while (unsettled.includes(outcome.kind)) {
      await turn();
      outcome = await gateway.resolve(charge, { ageMs: HOUR, mayRepeat: true, quietMs: null, isKnownToGateway: false });
    }
    if (outcome.kind === 'succeeded' || outcome.kind === 'declined') return outcome.kind;
    expect(outcome).toEqual({ kind: 'notFound' });
  }
}

describe('Whatever a gateway does', () => {
  let standIn: StripeStandIn | AuthorizeNetStandIn;
  afterEach(() => standIn.stop());

  itInAllCases.each([
    ['GatewayOne', gatewayOneCredentials(), { good: {}, declined: { gatewayPaymentId: 'pm_declined' } }],
    [
      'GatewayTwo',
      gatewayTwoCredentials(),
      {
        good: { gatewayPaymentId: '40027471' },
        declined: { gatewayPaymentId: '9001002' },
      },
    ],
  ] as const)('%s: each cycle is charged once, or not at all when it is declined', async (type, credentials, cards) => {
    standIn = type === 'GatewayOne' ? await StripeStandIn.start() : await AuthorizeNetStandIn.start();
    standIn.faults.randomly(MIX);
    standIn.faults.retryAfterSeconds = 0;
    const gateway = new Gateways({
      gatewayOneUrl: standIn.url,
      gatewayTwoUrl: standIn.url,
      timeoutMs: 2_000,
      listLagMs: NO_LAG,
      breakerOpenMs: 1,
    }).for(1, credentials);

    const charges = Array.from({ length: CHARGES }, (_, index) =>
      givenCharge({ gatewayCustomerId: String(1_000 + index), ...(index % 10 === 0 ? cards.declined : cards.good) }),
    );
    const ends = await Promise.all(charges.map((charge) => chargeUntilSettled(gateway, charge)));

    expect(standIn.ledger.doubles()).toEqual([]);
    charges.forEach(({ scheduledOrderId }, index) => {
      const declined = index % 10 === 0;
      expect(ends[index]).toBe(declined ? 'declined' : 'succeeded');
      expect(standIn.ledger.capturesOf(scheduledOrderId)).toHaveLength(declined ? 0 : 1);
    });
    expect(standIn.faults.total).toBeGreaterThan(CHARGES / 3);
  });
});
