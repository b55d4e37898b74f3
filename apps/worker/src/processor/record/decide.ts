import { exceptionInfo, failureInfo } from '#libs/events';
import type { LockedOrder, RetrySchedules } from '#libs/ledger';
import { type Failure, failure } from '#libs/rules';
import type { LeasedCycle } from '../cycle/cycle.js';
import { type Outcome, technicalFault } from '../cycle/outcome.js';
import type { FailedAttempt } from '../cycle/recorded.js';
import { RetryPolicy } from './retry-policy.js';

export type FailedOutcome = Exclude<Outcome, { kind: 'completed' }>;

/**
 * What follows from an attempt that did not complete its cycle, for the order as it is now: decisions.md §9 as a
 * function. A charge that may have been sent never leads to a new attempt.
 */
export function decide(
  cycle: LeasedCycle,
  order: LockedOrder,
  outcome: FailedOutcome,
  schedules: RetrySchedules,
  now: Date,
): FailedAttempt {
  const policy = new RetryPolicy(cycle, order, schedules, now);
  switch (outcome.kind) {
    case 'failure':
      return decideFailure(policy, outcome.failure, outcome.thrown);
    case 'postponed':
      return policy.postponed(outcome.delayMs, outcome.reason, outcome.endsWait);
    case 'stopped':
      return policy.stopped();
    case 'dismissed':
      return policy.dismissed();
    case 'needsReview':
      return policy.needsReview(outcome.reason);
    case 'paidElsewhere':
      return policy.paidElsewhere(outcome.paid.message);
    case 'unrecorded':
      return policy.unknown(technicalFault(), exceptionInfo(outcome.thrown), outcome.transactionId, RECORD_AGAIN_MS);
    case 'givenBack':
      return policy.givenBack(outcome.answer);
    case 'charge':
      return { ...decideCharge(policy, outcome.answer), ...shownBy(outcome.answer) };
    case 'inDoubt':
      return {
        ...decideInDoubt(policy, outcome),
        isLookUp: outcome.answer.kind !== 'postponed' && outcome.isOfFoundCharge !== true,
        ...shownBy(outcome.answer),
      };
  }
}

/**
 * A charge that could not be recorded is recorded again soon, independent of the retry schedule. Nothing else may be
 * sent before.
 */
const RECORD_AGAIN_MS = 60_000;

/** What an answer shows of the attempt for good. */
const shownBy = (answer: ChargeAnswer | InDoubtAnswer): Pick<FailedAttempt, 'isKnownToGateway' | 'isReplayed'> => ({
  isKnownToGateway: answer.kind === 'unknown' && answer.duplicate === true,
  isReplayed: (answer.kind === 'unknown' || answer.kind === 'postponed') && answer.replayed === true,
});

function decideFailure(policy: RetryPolicy, found: Failure, thrown: unknown): FailedAttempt {
  if (found.name === 'PaymentIntegrationNotFound')
    return policy.waits(found, thrown === undefined ? failureInfo(found.message) : exceptionInfo(thrown));
  if (found.name === 'PaymentDiffers' || found.name === 'NotPushable')
    return policy.held(found, failureInfo(found.message));
  if (found.name === 'GatewayCommunicationFailed') return policy.retryTechnical(found, failureInfo(found.message));
  if (found.name === 'Unknown') return policy.retryTechnical(found, exceptionInfo(thrown));
  return policy.giveUp(found, failureInfo(found.message));
}

type ChargeAnswer = Extract<FailedOutcome, { kind: 'charge' }>['answer'];

function decideCharge(policy: RetryPolicy, answer: ChargeAnswer): FailedAttempt {
  const info = failureInfo(answer.message, 'detail' in answer ? answer.detail : undefined);
  switch (answer.kind) {
    case 'declined': {
      const declined = failure('PaymentFailed', answer.message);
      return answer.hard ? policy.giveUp(declined, info) : policy.retryPayment(declined, info);
    }
    case 'refused':
      return policy.waits(failure('PaymentIntegrationNotFound', answer.message), info);
    case 'unchargeable':
      return policy.giveUp(failure('AmountNotChargeable', answer.message), info);
    case 'unavailable':
      return policy.retryTechnical(failure('GatewayCommunicationFailed', answer.message), info, answer.retryAfterMs);
    case 'postponed':
      return policy.postponed(answer.retryAfterMs);
    case 'unknown':
      return policy.unknown(failure('GatewayCommunicationFailed', answer.message), info, answer.transactionId ?? null);
  }
}

type InDoubt = Extract<FailedOutcome, { kind: 'inDoubt' }>;
type InDoubtAnswer = InDoubt['answer'];

function decideInDoubt(policy: RetryPolicy, { answer, mayRepeat, byPerson }: InDoubt): FailedAttempt {
  switch (answer.kind) {
    case 'declined':
    case 'unchargeable':
      return decideCharge(policy, answer);
    case 'givenBack':
      return policy.givenBack(answer);
    case 'notFound':
      if (!mayRepeat) return policy.needsPerson();
      return policy.isStopped ? policy.neverChargedAndStopped() : policy.neverCharged(byPerson === true);
    case 'refused':
      return policy.unknownUntilCredentialsWork(
        failure('PaymentIntegrationNotFound', answer.message),
        failureInfo(answer.message, answer.detail),
      );
    case 'postponed':
      return policy.unknownUntil(answer.retryAfterMs, answer.message);
    case 'unavailable':
    case 'unknown':
      return policy.unknown(
        failure('GatewayCommunicationFailed', answer.message),
        failureInfo(answer.message, answer.detail),
        answer.kind === 'unknown' ? (answer.transactionId ?? null) : null,
      );
  }
}
