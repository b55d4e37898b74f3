import type Stripe from 'stripe';
import type { Paging } from '../paging.js';
import type { Charge, ChargeOutcome, FoundCharge } from '../payment-gateway.js';
import { Since } from '../since.js';
import type { GatewayClock } from '../throttle/gateway-clock.js';
import { intentPages } from './intent-list.js';
import { foundCharge, isOfCycle, mostTelling, namesInstallation } from './intents.js';
import { type Failure, outcomeOfError, UNCERTAIN } from './outcomes.js';
import type { StripeApi } from './stripe-api.js';

/** The most PaymentIntents of one customer that are read when the age of the charge is unknown: 10,000. With more, the outcome stays unknown. */
const MOST_PAGES = 100;

/** The charge may be in the part that was not read. */
class TooMany extends Error {
  override readonly name = 'TooMany';

  constructor() {
    super(`more than ${MOST_PAGES * 100} payments of the customer`);
  }
}

/** Looks for charges among the PaymentIntents of an account. */
export class IntentSearch {
  constructor(
    private readonly api: StripeApi,
    private readonly clock: GatewayClock,
  ) {}

  /**
   * Finds the PaymentIntent of a customer that shows the outcome of the charge, or of another attempt of its cycle.
   *
   * PaymentIntents that name this installation count at any age, as far as they are read. Others count when they are new enough to be this charge.
   * (Installations that share an account all number their orders from 1, but rarely have the same customers. So a charge is never excluded by its
   * name alone.) @throws TooMany, and the errors of `StripeApi`.
   */
  async find(charge: Charge, agoMs?: number): Promise<Stripe.PaymentIntent | undefined> {
    const since = new Since(this.clock, agoMs);
    const ofCycle: Stripe.PaymentIntent[] = [];
    let pages = 0;
    for await (const intents of intentPages(this.api, since, charge.gatewayCustomerId)) {
      pages += 1;
      if (agoMs === undefined && pages > MOST_PAGES) throw new TooMany();
      const mayBeIt = (intent: Stripe.PaymentIntent) =>
        namesInstallation(intent, charge) || since.includes(intent.created * 1_000);
      ofCycle.push(...intents.filter((intent) => isOfCycle(intent, charge) && mayBeIt(intent)));
    }
    return mostTelling(ofCycle, charge);
  }

  /** The charges of scheduled orders, of a customer or of the whole account, page by page. */
  async *charges(agoMs: number, customer?: string, paging?: Paging): AsyncGenerator<readonly FoundCharge[], void> {
    const since = new Since(this.clock, agoMs);
    const read = paging?.reader(outcomeOfSearch);
    for await (const intents of intentPages(this.api, since, customer, paging, read)) {
      const young = intents.filter(({ created }) => since.includes(created * 1_000));
      yield young.map(foundCharge).filter((found) => found !== null);
    }
  }
}

type Failed = Extract<ChargeOutcome, { kind: 'refused' | 'unavailable' | 'postponed' | 'unknown' }>;

/** The outcome of a failed look-up or list. It shows nothing about any charge, only about the gateway. */
export function outcomeOfSearch(error: unknown): Failed {
  if (error instanceof TooMany) {
    return { kind: 'unknown', repeatable: false, message: UNCERTAIN, detail: error.message };
  }
  return nothingLearnt(outcomeOfError(error));
}

/** A failed look-up shows nothing about the charge. Only the gateway's answer about itself is passed on. */
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
