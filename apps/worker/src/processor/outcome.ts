import type { ChargeOutcome, ResolveOutcome } from '#libs/gateways';
import type { Failure } from '#libs/rules';
import type { LeasedCycle } from './cycle.js';
import type { LoadedOrder } from './prepare/loaded-order.js';
import type { Quote } from '#libs/rules';

/** What a try came to, before it is known how the order stands now. */
export type Outcome =
  /** Paid, or nothing to pay. */
  | {
      readonly kind: 'completed';
      readonly transactionId: string | null;
      /** What was charged where it is not what this attempt froze, in minor units; else null. */
      readonly chargedAmount: number | null;
      /** Found in the gateway's books after commits were lost: when it was charged. What fell due after that may have been charged too. */
      readonly foundUtc?: Date | null;
      /** A person had to tell, and the order stayed as it was until then: its schedule does not go back. */
      readonly wasHeld?: boolean;
      /** The order that it was priced from, for new dates and totals without reading it again. */
      readonly basis: {
        readonly order: LoadedOrder;
        readonly quote: Quote;
        readonly leftOut: readonly string[];
      } | null;
    }
  /** The gateway's answer to the first sending of an attempt. */
  | { readonly kind: 'charge'; readonly outcome: Exclude<ChargeOutcome, { kind: 'succeeded' }> }
  /** The answer about an attempt that may have been sent before; `mayRepeat`: it might be sent again. */
  | {
      readonly kind: 'inDoubt';
      readonly outcome: Exclude<ResolveOutcome, { kind: 'succeeded' }>;
      readonly mayRepeat: boolean;
    }
  /** A charge was found of which a person has to tell what it paid. */
  | { readonly kind: 'held'; readonly reason: string }
  /** A person has told that a charge that was found is none of this order's. */
  | { readonly kind: 'dismissed' }
  /** Found before anything was sent. */
  | { readonly kind: 'failure'; readonly failure: Failure; readonly thrown?: unknown }
  /** Nothing was sent, and nothing is wrong with it: it waits until `delayMs` from now. */
  | { readonly kind: 'postponed'; readonly delayMs: number; readonly reason?: string }
  /** Its order was paused or deleted before anything was sent. */
  | { readonly kind: 'stopped' }
  /** Charged (or maybe so), but recording it failed. */
  | { readonly kind: 'unrecorded'; readonly transactionId: string | null; readonly thrown: unknown };

export interface Result {
  readonly cycle: LeasedCycle;
  readonly outcome: Outcome;
}

/** Whether a gateway was called for a charge, as far as its outcome tells: an answer came, or was waited for. */
export const wasSent = (outcome: Outcome): boolean =>
  outcome.kind !== 'stopped' &&
  outcome.kind !== 'postponed' &&
  !(outcome.kind === 'charge' && outcome.outcome.kind === 'postponed');
