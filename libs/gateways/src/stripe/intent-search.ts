import type Stripe from 'stripe';
import { readOnce } from '../charge-lists/paging.js';
import { Since } from '../charge-lists/since.js';
import type { Charge, ChargeOutcome, ChargeQuery, FoundCharge } from '../payment-gateway.js';
import type { GatewayClock } from '../throttle/gateway-clock.js';
import { givenBackSince } from './given-back.js';
import { intentPages } from './intent-list.js';
import { byWhatTheyTell, foundCharge, isOfOccurrence } from './intents.js';
import { type Failure, outcomeOfError, UNCERTAIN } from './outcomes.js';
import type { StripeApi } from './stripe-api.js';

/**
 * The most PaymentIntents of one customer that are read when the age of the charge is unknown: 10,000. With more, the
 * outcome stays unknown.
 */
const MOST_PAGES = 100;

/** The charge may be in the part that was not read. */
class TooMany extends Error {
  override readonly name = 'TooMany';

  constructor() {
    super(`more than ${MOST_PAGES * 100} payments of the customer`);
  }
}

const NONE: ReadonlyMap<string, FoundCharge> = new Map();

/** Looks for charges among the PaymentIntents of an account. */
export class IntentSearch {
  constructor(
    private readonly api: StripeApi,
    private readonly clock: GatewayClock,
  ) {}

  /**
   * Finds the PaymentIntents of a customer that show the outcome of the charge, or of another attempt of its
   * occurrence; what shows most comes first. They name installation and occurrence, so they count at any age, as far as
   * they are read. @throws TooMany, and the errors of `StripeApi`.
   */
  async find(charge: Charge, agoMs?: number): Promise<Stripe.PaymentIntent[]> {
    const since = new Since(this.clock, agoMs);
    const ofOccurrence: Stripe.PaymentIntent[] = [];
    let pages = 0;
    for await (const intents of intentPages(this.api, since, charge.gatewayCustomerId)) {
      pages += 1;
      if (agoMs === undefined && pages > MOST_PAGES) throw new TooMany();
      ofOccurrence.push(...intents.filter((intent) => isOfOccurrence(intent, charge)));
    }
    return byWhatTheyTell(ofOccurrence, charge);
  }

  /** The charges of scheduled orders, of a customer or of the whole account, page by page. */
  async *charges(query: ChargeQuery): AsyncGenerator<readonly FoundCharge[], void> {
    const { agoMs, installation, gatewayCustomerId, paging, givenBack, marginMs } = query;
    const since = new Since(this.clock, agoMs, marginMs);
    const read = paging?.reader(outcomeOfSearch) ?? readOnce;
    const returned = givenBack ? await givenBackSince(this.api, since, installation, read) : NONE;
    if (returned.size > 0) yield [...returned.values()];
    for await (const intents of intentPages(this.api, since, gatewayCustomerId, paging, read)) {
      const young = intents.filter(({ id, created }) => since.includes(created * 1_000) && !returned.has(id));
      yield young.map((intent) => foundCharge(intent, installation)).filter((found) => found !== null);
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
