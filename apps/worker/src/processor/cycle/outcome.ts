import type { ChargeOutcome, GivenBack, PaymentMethodType, ResolveOutcome } from '#libs/gateways';
import type { PaidElsewhere } from '#libs/ledger';
import { type Failure, failure, type Quote } from '#libs/rules';
import type { LeasedCycle } from './cycle.js';
import type { LoadedOrder } from './loaded-order.js';

/**
 * The integration at which a look-up found a charge: another one of the site may have sent the attempt, or a deleted
 * one.
 */
export interface FoundAt {
  readonly integrationId: number;
  readonly type: PaymentMethodType;
}

/** The outcome of an attempt, before the order is read again. */
export type Outcome =
  /** Paid, or nothing to pay. */
  | {
      readonly kind: 'completed';
      readonly transactionId: string | null;
      /** In minor units: the charged amount where it is not the frozen one; else null. */
      readonly chargedAmount: number | null;
      /**
       * When it was charged, for a charge found in the gateway's list after commits were lost. Later occurrences may
       * have been charged too.
       */
      readonly foundUtc?: Date | null;
      /** A person decided, and the order stayed as it was until then: its schedule does not go back. */
      readonly wasReviewed?: boolean;
      readonly foundAt?: FoundAt;
      /** The order as it was priced, so that new dates and totals need no further read. */
      readonly basis: {
        readonly order: LoadedOrder;
        readonly quote: Quote;
        readonly leftOut: readonly string[];
      } | null;
    }
  /** The gateway's answer to the first sending of an attempt. */
  | { readonly kind: 'charge'; readonly answer: Exclude<ChargeOutcome, { kind: 'succeeded' }> }
  /** Nothing was sent: an earlier attempt was charged and given back, and nobody knows yet. */
  | { readonly kind: 'givenBack'; readonly answer: GivenBack }
  /** What a look-up or a repetition showed of an in-doubt attempt; `mayRepeat`: it may be sent again. */
  | {
      readonly kind: 'inDoubt';
      readonly answer: Exclude<ResolveOutcome, { kind: 'succeeded' }>;
      readonly mayRepeat: boolean;
      /** It was about a found charge, and no attempt of the cycle. */
      readonly isOfFoundCharge?: boolean;
      /** A person has said that it was not charged. */
      readonly byPerson?: boolean;
    }
  /** A charge was found. Manual review: a person must decide which occurrence it paid. */
  | { readonly kind: 'needsReview'; readonly reason: string }
  /** Charged, as it seemed; but its transaction has paid another occurrence. */
  | { readonly kind: 'paidElsewhere'; readonly transactionId: string; readonly paid: PaidElsewhere }
  /** A person has decided that a found charge is not this order's. */
  | { readonly kind: 'dismissed' }
  /** The failure was found before anything was sent. */
  | { readonly kind: 'failure'; readonly failure: Failure; readonly thrown?: unknown }
  /**
   * Nothing was sent, and nothing is wrong with the order: it is tried again in `delayMs`. `endsWait`: the reason is
   * the cycle's alone, so it does not wait for its integration any more.
   */
  | { readonly kind: 'postponed'; readonly delayMs: number; readonly reason?: string; readonly endsWait?: boolean }
  /** Its order was paused or deleted before anything was sent. */
  | { readonly kind: 'stopped' }
  /** Charged, or perhaps charged, but recording it failed. */
  | { readonly kind: 'unrecorded'; readonly transactionId: string | null; readonly thrown: unknown };

export interface Result {
  readonly cycle: LeasedCycle;
  readonly outcome: Outcome;
}

/** The outcome of a charge, and what it shows of the integration's credentials. */
export interface Charged {
  readonly outcome: Outcome;
  /** A sentence: the gateway refuses the credentials. Null: they work. Undefined: nothing was learned. */
  readonly refused?: string | null | undefined;
}

/** The sandbox answers at once: its charges would hide how long the others take. */
export type ChargedThrough = PaymentMethodType | 'Sandbox';

/** The failure that a customer may read when this service has a bug. The exception itself goes to the error log. */
export const technicalFault = (): Failure =>
  failure('Unknown', 'The order could not be processed for a technical reason.');

/** The gateway refused the credentials, before it did anything. */
export const isRefused = (outcome: Outcome): boolean =>
  (outcome.kind === 'charge' || outcome.kind === 'inDoubt') && outcome.answer.kind === 'refused';

/** Whether a gateway was called for a charge, as far as the outcome shows. */
export const wasSent = (outcome: Outcome): boolean =>
  outcome.kind !== 'stopped' &&
  outcome.kind !== 'inDoubt' &&
  outcome.kind !== 'postponed' &&
  outcome.kind !== 'givenBack' &&
  !(outcome.kind === 'charge' && outcome.answer.kind === 'postponed');
