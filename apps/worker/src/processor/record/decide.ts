import { exceptionInfo, failureInfo } from '#libs/audit-log';
import { type Failure, failure } from '#libs/rules';
import type { LeasedCycle } from '../cycle.js';
import type { Outcome } from '../outcome.js';
import { RetryPolicy, type RetrySchedules } from './retry-policy.js';
import type { FailedAttempt, LockedOrder } from './failed-attempt.js';

export type FailedOutcome = Exclude<Outcome, { kind: 'completed' }>;

/**
 * What follows from a try that did not complete its cycle, for the order as it stands now: decisions.md §9 as a function.
 * A charge that may have gone out never makes a new attempt.
 */
export function decide(
  cycle: LeasedCycle,
  order: LockedOrder,
  outcome: FailedOutcome,
  schedules: RetrySchedules,
  now: Date,
): FailedAttempt {
  const next = new RetryPolicy(cycle, order, schedules, now);
  switch (outcome.kind) {
    case 'failure':
      return decideFailure(next, outcome.failure, outcome.thrown);
    case 'postponed':
      return next.postponed(outcome.delayMs, outcome.reason);
    case 'stopped':
      return next.stopped();
    case 'dismissed':
      return next.dismissed();
    case 'held':
      return next.needsPerson(outcome.reason);
    case 'unrecorded':
      return next.unknown(technicalFault(), exceptionInfo(outcome.thrown), outcome.transactionId, RECORD_AGAIN_MS);
    case 'charge':
      return { ...decideCharge(next, outcome.outcome), isKnownToGateway: isDuplicate(outcome.outcome) };
    case 'inDoubt':
      return {
        ...decideInDoubt(next, outcome.outcome, outcome.mayRepeat),
        isLookUp: outcome.outcome.kind !== 'postponed',
        isKnownToGateway: isDuplicate(outcome.outcome),
      };
  }
}

/** What was charged and could not be written is tried again soon, whatever the schedule says: nothing else may be sent before. */
const RECORD_AGAIN_MS = 60_000;

const isDuplicate = (said: ChargeAnswer | InDoubtAnswer): boolean => said.kind === 'unknown' && said.duplicate === true;

/** What a customer may read of a fault of ours; the exception itself is for the error log. */
export const technicalFault = (): Failure =>
  failure('Unknown', 'The order could not be processed for a technical reason.');

function decideFailure(next: RetryPolicy, found: Failure, thrown: unknown): FailedAttempt {
  if (found.code === 1003)
    return next.waits(found, thrown === undefined ? failureInfo(found.message) : exceptionInfo(thrown));
  if (found.code === 2001) return next.retryTechnical(found, failureInfo(found.message));
  if (found.code === 99) return next.retryTechnical(found, exceptionInfo(thrown));
  return next.giveUp(found, failureInfo(found.message));
}

type ChargeAnswer = Extract<FailedOutcome, { kind: 'charge' }>['outcome'];

function decideCharge(next: RetryPolicy, said: ChargeAnswer): FailedAttempt {
  const info = failureInfo(said.message, 'detail' in said ? said.detail : undefined);
  switch (said.kind) {
    case 'declined': {
      const declined = failure('PaymentFailed', said.message);
      return said.hard ? next.giveUp(declined, info) : next.retryPayment(declined, info);
    }
    case 'refused':
      return next.waits(failure('PaymentIntegrationNotFound', said.message), info);
    case 'unchargeable':
      return next.giveUp(failure('AmountNotChargeable', said.message), info);
    case 'unavailable':
      return next.retryTechnical(failure('GatewayCommunicationFailed', said.message), info, said.retryAfterMs);
    case 'postponed':
      return next.postponed(said.retryAfterMs);
    case 'unknown':
      return next.unknown(failure('GatewayCommunicationFailed', said.message), info, said.transactionId ?? null);
  }
}

type InDoubtAnswer = Extract<FailedOutcome, { kind: 'inDoubt' }>['outcome'];

function decideInDoubt(next: RetryPolicy, said: InDoubtAnswer, mayRepeat: boolean): FailedAttempt {
  switch (said.kind) {
    case 'declined':
    case 'unchargeable':
      return decideCharge(next, said);
    case 'notFound':
      if (!mayRepeat) return next.needsPerson();
      return next.isStopped ? next.neverChargedAndStopped() : next.neverCharged();
    case 'refused':
      return next.unknownUntilCredentialsWork(
        failure('PaymentIntegrationNotFound', said.message),
        failureInfo(said.message, said.detail),
      );
    case 'postponed':
      return next.unknownUntil(said.retryAfterMs);
    case 'unavailable':
    case 'unknown':
      return next.unknown(
        failure('GatewayCommunicationFailed', said.message),
        failureInfo(said.message, said.detail),
        said.kind === 'unknown' ? (said.transactionId ?? null) : null,
      );
  }
}
