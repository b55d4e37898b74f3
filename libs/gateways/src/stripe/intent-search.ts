import type Stripe from 'stripe';
import type { GatewayClock } from '../throttle/gateway-clock.js';
import type { Charge, ChargeOutcome, FoundCharge } from '../payment-gateway.js';
import { Since } from '../since.js';
import { intentPages } from './intent-list.js';
import { foundCharge, isOfCycle, mostTelling, namesInstallation } from './intents.js';
import { type Failure, outcomeOfError, UNCERTAIN } from './outcomes.js';

/** Read of one customer when nobody knows how far back to look: 10,000 PaymentIntents. Beyond that nothing is concluded. */
const MOST_PAGES = 100;

/** What was not read may hold the charge. */
class TooMany extends Error {
  override readonly name = 'TooMany';

  constructor() {
    super(`more than ${MOST_PAGES * 100} payments of the customer`);
  }
}

/** Looks for charges among the PaymentIntents of an account. */
export class IntentSearch {
  constructor(
    private readonly stripe: Stripe,
    private readonly clock: GatewayClock,
  ) {}

  /**
   * Of a customer's PaymentIntents the one that tells what became of the charge, or of another attempt of its cycle.
   *
   * What names this installation counts however old it is, as far as it is read; the rest when it is young enough to be this charge.
   * (Installations that share an account count their orders from 1 as well, but hardly with the same customers: a charge that may be this
   * one's is never ruled out by its name alone.) @throws TooMany, and what Stripe's package throws.
   */
  async find(charge: Charge, agoMs?: number): Promise<Stripe.PaymentIntent | undefined> {
    const since = new Since(this.clock, agoMs);
    const ofCycle: Stripe.PaymentIntent[] = [];
    let pages = 0;
    for await (const intents of intentPages(this.stripe, since, charge.gatewayCustomerId)) {
      pages += 1;
      if (agoMs === undefined && pages > MOST_PAGES) throw new TooMany();
      const mayBeIt = (intent: Stripe.PaymentIntent) =>
        namesInstallation(intent, charge) || since.includes(intent.created * 1_000);
      ofCycle.push(...intents.filter((intent) => isOfCycle(intent, charge) && mayBeIt(intent)));
    }
    return mostTelling(ofCycle, charge);
  }

  /** The charges of scheduled orders, of a customer or of the whole account, page by page. */
  async *charges(agoMs: number, customer?: string): AsyncGenerator<readonly FoundCharge[], void> {
    const since = new Since(this.clock, agoMs);
    for await (const intents of intentPages(this.stripe, since, customer)) {
      const young = intents.filter(({ created }) => since.includes(created * 1_000));
      yield young.map(foundCharge).filter((found) => found !== null);
    }
  }
}

type Failed = Extract<ChargeOutcome, { kind: 'refused' | 'unavailable' | 'postponed' | 'unknown' }>;

/** What a look-up or list that failed says: nothing of any charge, at most something of the gateway. */
export function outcomeOfSearch(error: unknown): Failed {
  if (error instanceof TooMany) {
    return { kind: 'unknown', repeatable: false, message: UNCERTAIN, detail: error.message };
  }
  return nothingLearnt(outcomeOfError(error));
}

/** A look-up that failed says nothing of the charge; only what the gateway said of itself is worth passing on. */
function nothingLearnt(failure: Failure): Failed {
  switch (failure.kind) {
    case 'refused':
    case 'unavailable':
    case 'postponed':
      return failure;
    case 'unknown':
      return { kind: 'unavailable', message: 'The payment gateway did not answer.', detail: failure.detail };
    case 'declined':
    case 'unchargeable':
      return {
        kind: 'unknown',
        repeatable: false,
        message: 'The payment gateway cannot find the customer or the payment.',
        detail: failure.detail,
      };
  }
}
