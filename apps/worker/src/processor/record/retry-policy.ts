import { type ExceptionInfo, failureInfo } from '#libs/events';
import type { GivenBack } from '#libs/gateways';
import {
  advanceFrom,
  INTEGRATION_RETRY_MS,
  LAST_TRY_UTC,
  laterUtc,
  type LockedOrder,
  LONGEST_WAIT_MS,
  nextTryUtc,
  retryDelayMs,
  type RetrySchedules,
} from '#libs/ledger';
import { describeFailure, type Failure, failure } from '#libs/rules';
import type { LeasedCycle } from '../cycle/cycle.js';
import type { FailedAttempt } from '../cycle/recorded.js';
import { ACTIVE_AGAIN, describeEnd, describeRetry } from './failure-descriptions.js';

/** How often an unknown outcome is looked up when the technical retry schedule is used up, or empty. */
const LAST_CHECK_MS = 6 * 3_600_000;
/** A held cycle goes on as soon as its hold is lifted. It is looked at this often in case nobody heard. */
const HELD_AGAIN_MS = 86_400_000;
/** What its shop cannot take may have been corrected while a worker had it: so it is looked at once more. */
const NOT_PUSHABLE_AGAIN_MS = 60_000;

type Ends = 'retriesExhausted' | 'endedByRequest';

/** What may follow an attempt that did not complete its cycle, for one cycle and its order as it is now. */
export class RetryPolicy {
  private readonly active: boolean;
  /**
   * A request paused or deleted the order after the freeze: nothing more is sent for this cycle, even when the order is
   * active again.
   */
  readonly isStopped: boolean;
  /** It is Pending only because the outcome is unknown, and retries are left. */
  private readonly reactivates: boolean;

  constructor(
    private readonly cycle: LeasedCycle,
    private readonly order: LockedOrder,
    private readonly schedules: RetrySchedules,
    private readonly now: Date,
  ) {
    this.isStopped = order.stopped || cycle.isStopped;
    this.active = order.status === 'Active' && !order.deleted && !this.isStopped;
    const isPendingForIt = order.status === 'Pending' && order.madePending && !order.deleted && !this.isStopped;
    this.reactivates = isPendingForIt && cycle.technicalFailures <= schedules.technical.length;
  }

  /** Declined; the next attempt may succeed. */
  retryPayment(why: Failure, error: ExceptionInfo): FailedAttempt {
    const paymentFailures = this.cycle.paymentFailures + 1;
    const delayMs = retryDelayMs(this.schedules.payment, this.cycle.paymentFailures);
    if (delayMs === null) return this.ends('retriesExhausted', why, error, { paymentFailures });
    return this.retries(delayMs, why, error, { paymentFailures });
  }

  /** Not charged, and not the card's fault. */
  retryTechnical(why: Failure, error: ExceptionInfo, atLeastMs = 0): FailedAttempt {
    const technicalFailures = this.cycle.technicalFailures + 1;
    const delayMs = retryDelayMs(this.schedules.technical, this.cycle.technicalFailures);
    if (delayMs === null) return this.ends('retriesExhausted', why, error, { technicalFailures });
    return this.retries(Math.max(delayMs, atLeastMs), why, error, { technicalFailures });
  }

  giveUp(why: Failure, error: ExceptionInfo): FailedAttempt {
    return this.ends('retriesExhausted', why, error, {});
  }

  /**
   * It was charged, and the shop has given it back: only a request charges it again. Its transaction is kept, so that
   * this is told once.
   */
  givenBack({ message, detail, transactionId }: GivenBack): FailedAttempt {
    const why = failure('GatewayCommunicationFailed', message);
    return { ...this.giveUp(why, failureInfo(message, detail)), transactionId };
  }

  /**
   * Waits for its payment integration, without using up an attempt. Logged once a wait (decisions.md §9, code 1003).
   */
  waits(why: Failure, error: ExceptionInfo): FailedAttempt {
    const since = this.cycle.waitingSinceUtc ?? this.now;
    if (this.now.getTime() - since.getTime() >= LONGEST_WAIT_MS)
      return this.ends('retriesExhausted', why, error, this.unsent());
    if (!this.active) return this.ends('endedByRequest', why, error, this.unsent());
    const isFirst = this.cycle.waitingSinceUtc === null;
    return {
      ...this.unchanged(why),
      ...this.unsent(),
      state: 'Waiting',
      waitingSinceUtc: since,
      ...this.untilDeadline(since),
      nextProbeUtc: this.probeIn(INTEGRATION_RETRY_MS),
      event: isFirst ? { type: 'ScheduledOrderHeld', description: describeFailure(why) } : null,
      error: isFirst ? error : null,
    };
  }

  /**
   * Something must be settled first: a difference about its payments, or what its shop cannot take; no attempt is used
   * up. Logged once a hold (decisions.md §9, code 1009).
   */
  held(why: Failure, error: ExceptionInfo): FailedAttempt {
    if (!this.active) return this.ends('endedByRequest', why, null, this.unsent());
    const isFirst = this.cycle.heldFor !== why.code;
    return {
      ...this.unchanged(why),
      ...this.unsent(),
      state: 'Waiting',
      waitingSinceUtc: null,
      heldFor: why.code,
      nextAttemptUtc: nextTryUtc(
        this.order,
        isFirst && why.name === 'NotPushable' ? NOT_PUSHABLE_AGAIN_MS : HELD_AGAIN_MS,
        this.now,
      ),
      event: isFirst ? { type: 'ScheduledOrderHeld', description: describeFailure(why) } : null,
      error: isFirst ? error : null,
    };
  }

  /**
   * Nothing was sent and nothing is wrong with the order: the try does not count. `reason`: for `cycles:stuck`. A cycle
   * that waits for its integration goes on waiting, unless `endsWait`.
   */
  postponed(
    delayMs: number,
    reason = 'The payment gateway is not being called for the moment.',
    endsWait = false,
  ): FailedAttempt {
    const why = failure('GatewayCommunicationFailed', reason);
    if (!this.active) return this.ends('endedByRequest', why, null, this.unsent());
    const since = endsWait ? null : this.cycle.waitingSinceUtc;
    if (since === null)
      return {
        ...this.unchanged(why),
        ...this.unsent(),
        state: 'Retrying',
        waitingSinceUtc: null,
        ...this.nextTry(delayMs),
      };
    return {
      ...this.unchanged(failure('PaymentIntegrationNotFound', 'The payment integration does not work yet.')),
      ...this.unsent(),
      state: 'Waiting',
      ...this.untilDeadline(since, delayMs),
      nextProbeUtc: this.probeIn(delayMs),
    };
  }

  /** Nothing was sent because of a request, and nothing failed. */
  stopped(): FailedAttempt {
    return this.ends('endedByRequest', null, null, this.unsent());
  }

  /** The cycle was made for a charge that is not this order's: the order goes on as if the cycle had not been there. */
  dismissed(): FailedAttempt {
    return {
      ...this.ends('endedByRequest', null, null, {}),
      missedOccurrences: 0,
      status: null,
      nextOccurrenceUtc: undefined,
    };
  }

  /** A request stopped it while its outcome was unknown, and the gateway certainly does not know it. */
  neverChargedAndStopped(): FailedAttempt {
    return this.ends('endedByRequest', null, null, {});
  }

  /**
   * Whether it was charged must be looked up, for as long as it takes. The order may become Pending in the meantime.
   * Logged when something changes: when the outcome becomes unknown, and when the retries are used up.
   */
  unknown(why: Failure, error: ExceptionInfo, transactionId: string | null, atMostMs = Infinity): FailedAttempt {
    const technicalFailures = this.cycle.technicalFailures + 1;
    const delayMs = retryDelayMs(this.schedules.technical, this.cycle.technicalFailures);
    const isLast = delayMs === null;
    const nextMs = Math.min(delayMs ?? this.schedules.technical.at(-1) ?? LAST_CHECK_MS, atMostMs);
    // A look-up that could not be made has left it unknown without a word.
    const isFirst = this.cycle.state !== 'Unknown' || this.cycle.technicalFailures === 0;
    const isNews = isFirst || (isLast && !this.cycle.retriesExhausted);
    const event = {
      type: isLast ? 'ScheduledOrderFailed' : 'ScheduledOrderRetryScheduled',
      description: `${describeFailure(why)} Whether it was charged is being found out.`,
    } as const;
    return {
      ...this.unchanged(why),
      ...this.stillUnknown(nextMs, isLast && this.active),
      retriesExhausted: this.cycle.retriesExhausted || isLast,
      technicalFailures,
      transactionId,
      event: isNews ? event : null,
      error: isNews ? error : null,
    };
  }

  /** Like `unknown`, while nothing can be found out. Not counted, not logged. `reason`: for `cycles:stuck`. */
  unknownUntil(delayMs: number, reason: string): FailedAttempt {
    return { ...this.unchanged(failure('GatewayCommunicationFailed', reason)), ...this.stillUnknown(delayMs, false) };
  }

  /** Like `unknown`, until the integration's credentials work again. Not counted, logged once. */
  unknownUntilCredentialsWork(why: Failure, error: ExceptionInfo): FailedAttempt {
    const isFirst = this.cycle.waitingSinceUtc === null;
    return {
      ...this.unchanged(why),
      ...this.stillUnknown(LONGEST_WAIT_MS, false),
      nextProbeUtc: this.probeIn(INTEGRATION_RETRY_MS),
      waitingSinceUtc: this.cycle.waitingSinceUtc ?? this.now,
      event: isFirst ? { type: 'ScheduledOrderHeld', description: describeFailure(why) } : null,
      error: isFirst ? error : null,
    };
  }

  /**
   * The gateway certainly did not charge: the next attempt may be sent at once. The order is Active again if only the
   * unknown outcome had made it Pending; where look-ups have used up the retries, or a person says that it was not
   * charged, it stays Pending.
   */
  neverCharged(byPerson: boolean): FailedAttempt {
    const why = failure('GatewayCommunicationFailed', 'The payment gateway did not carry out the charge.');
    return this.retries(0, why, failureInfo(why.message), {}, this.reactivates && !byPerson);
  }

  /**
   * It is held for a found charge that does not fit (decisions.md §9, code 1009): the order stays Active. `reason`:
   * what differs, for the shop.
   */
  needsReview(reason: string): FailedAttempt {
    return this.needsPerson(reason, !this.cycle.retriesExhausted, false);
  }

  /**
   * Not found, and not to be sent again: a person decides with `cycles:resolve`. Look-ups go on. `reason`: what is
   * known, for the shop.
   */
  needsPerson(reason?: string, isNews = !this.cycle.retriesExhausted, becomesPending = this.active): FailedAttempt {
    const shown = failure(
      'GatewayCommunicationFailed',
      'The service cannot tell whether this cycle was charged: the shop has to look.',
    );
    const why = reason === undefined ? shown : failure('PaymentDiffers', reason);
    return {
      ...this.unchanged(why),
      ...this.stillUnknown(LAST_CHECK_MS, becomesPending),
      retriesExhausted: true,
      event: isNews ? { type: 'ScheduledOrderFailed', description: describeFailure(shown) } : null,
      error: isNews ? failureInfo(why.message) : null,
    };
  }

  /** Its transaction has paid another occurrence, as `reason` says: held for a person from now on. */
  paidElsewhere(reason: string): FailedAttempt {
    return { ...this.needsPerson(reason, true), beginsReview: true };
  }

  private retries(
    delayMs: number,
    why: Failure,
    error: ExceptionInfo,
    counts: Partial<FailedAttempt>,
    reactivates = false,
  ): FailedAttempt {
    if (!this.active && !reactivates) return this.ends('endedByRequest', why, error, counts);
    const next = this.nextTry(delayMs);
    // Simulated clocks come to the end of the calendar.
    if (next.nextAttemptUtc >= LAST_TRY_UTC) return this.ends('retriesExhausted', why, error, counts);
    return {
      ...this.unchanged(why),
      ...counts,
      state: 'Retrying',
      waitingSinceUtc: null,
      ...next,
      status: reactivates ? 'Active' : null,
      event: {
        type: 'ScheduledOrderRetryScheduled',
        description: describeRetry(why, next.nextAttemptUtc) + (reactivates ? ACTIVE_AGAIN : ''),
      },
      error,
    };
  }

  private ends(
    how: Ends,
    why: Failure | null,
    error: ExceptionInfo | null,
    counts: Partial<FailedAttempt>,
  ): FailedAttempt {
    const { nextUtc, missedOccurrences } = advanceFrom(this.cycle, this.order, this.now);
    // A cycle whose retries were exhausted before can still be taken up by Process, unless a request decided otherwise.
    const retriesExhausted =
      this.order.status === 'Pending' ? this.cycle.retriesExhausted : how === 'retriesExhausted' && this.active;
    const isOver = nextUtc === null && !this.order.rescheduledMeanwhile;
    return {
      ...this.unchanged(why),
      ...counts,
      state: 'Failed',
      nextAttemptUtc: null,
      retriesExhausted,
      waitingSinceUtc: null,
      missedOccurrences,
      status: this.order.status === 'Active' && (retriesExhausted || isOver) ? 'Pending' : null,
      nextOccurrenceUtc: this.order.rescheduledMeanwhile ? undefined : nextUtc,
      event: why && { type: 'ScheduledOrderFailed', description: describeEnd(why, retriesExhausted) },
      error,
    };
  }

  /** For a cycle that waits for its integration: it is tried earlier when it probes, or when all are woken. */
  private untilDeadline(since: Date, atLeastMs = 0) {
    return this.nextTry(Math.max(since.getTime() + LONGEST_WAIT_MS - this.now.getTime(), atLeastMs));
  }

  private probeIn(delayMs: number): Date {
    return laterUtc(this.now, delayMs);
  }

  /**
   * The order's next occurrence becomes the time of the next attempt. When a request has set it in the meantime, the
   * attempt is at that time.
   */
  private nextTry(delayMs: number): { nextAttemptUtc: Date; nextOccurrenceUtc: Date | undefined } {
    const nextAttemptUtc = nextTryUtc(this.order, delayMs, this.now);
    const isSet = this.order.rescheduledMeanwhile && this.order.nextOccurrenceUtc !== null;
    return { nextAttemptUtc, nextOccurrenceUtc: isSet ? undefined : nextAttemptUtc };
  }

  private stillUnknown(delayMs: number, becomesPending: boolean): Partial<FailedAttempt> {
    const nextAttemptUtc = laterUtc(this.now, delayMs);
    return {
      state: 'Unknown',
      nextAttemptUtc,
      status: becomesPending ? 'Pending' : null,
      madePending: becomesPending,
      retriesExhausted: this.cycle.retriesExhausted || becomesPending,
      nextOccurrenceUtc: this.active && !this.order.rescheduledMeanwhile ? nextAttemptUtc : undefined,
    };
  }

  private unsent(): Pick<FailedAttempt, 'attempt' | 'unsent'> {
    const isFrozen = this.cycle.state === 'Charging';
    return { attempt: isFrozen ? this.cycle.attempt - 1 : this.cycle.attempt, unsent: isFrozen };
  }

  private unchanged(why: Failure | null): FailedAttempt {
    return {
      cycle: this.cycle,
      state: 'Retrying',
      attempt: this.cycle.attempt,
      unsent: false,
      isLookUp: false,
      isKnownToGateway: false,
      isReplayed: false,
      beginsReview: false,
      madePending: false,
      nextAttemptUtc: null,
      nextProbeUtc: null,
      paymentFailures: this.cycle.paymentFailures,
      technicalFailures: this.cycle.technicalFailures,
      retriesExhausted: false,
      waitingSinceUtc: this.cycle.waitingSinceUtc,
      heldFor: null,
      missedOccurrences: 0,
      failure: why,
      transactionId: null,
      status: null,
      nextOccurrenceUtc: undefined,
      event: null,
      error: null,
    };
  }
}
