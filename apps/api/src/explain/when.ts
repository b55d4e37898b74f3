import { isInProgress, isWaiting, planActivation } from '#libs/ledger';
import { Conflict } from '#libs/records';
import {
  describeFailure,
  type Failure,
  FAILURE_CODES,
  frequencyRule,
  missingDay,
  Rejected,
  shownDay,
} from '#libs/rules';
import type { WhenReason } from '../contract/insight/explanation.dto.js';
import type { CycleFacts, Facts } from './facts.js';
import { heldWords, notPushable, notPushableWords } from './held.js';
import type { Move } from './moves.js';
import { capital, occurrenceOf, ordinal, ruleWords, sentences } from './words.js';

function reasonOf(facts: Facts, move: Move | null): WhenReason {
  const { order, newest, cycle } = facts;
  if (order.cancelledUtc !== null) return 'Cancelled';
  if (order.status === 'Paused') return 'Paused';
  if (newest?.state === 'Unknown') return 'Unknown';
  if (order.status === 'Pending') return reasonOfPending(facts);
  if (isInProgress(newest)) return 'InProgress';
  if (facts.held.length > 0 || notPushable(facts) !== null) return 'Held';
  if (isWaiting(newest)) return cycle?.waitingSinceUtc != null ? 'Integration' : 'Retry';
  if (move?.actionType === 'RetryScheduledOrder') return 'Process';
  return move?.actionType === 'RescheduleScheduledOrder' ? 'Rescheduled' : 'Schedule';
}

function reasonOfPending(facts: Facts): WhenReason {
  if (frequencyRule(facts.order) === null) return 'NoFrequency';
  if (facts.newest?.retriesExhausted === true) return 'GivenUp';
  return facts.order.nextOccurrenceUtc === null ? 'CalendarEnd' : 'Pending';
}

/** What failed, as the ledger has it; null where nothing did. */
export function failureOf({ failureCode, failureMessage }: CycleFacts): Failure | null {
  const known = Object.values(FAILURE_CODES).find(({ code }) => code === failureCode);
  return known === undefined ? null : { ...known, message: failureMessage ?? '' };
}

/** When the order is processed next, and why then; `isShop`: in words for the shop, which reads internals. */
export function explainWhen(facts: Facts, move: Move | null, isShop: boolean): object {
  const { order, now, cycle } = facts;
  const { nextOccurrenceUtc: next, scheduleAnchorUtc: anchor } = order;
  const reason = reasonOf(facts, move);
  const rule = frequencyRule(facts.order);
  const missing = rule === null || next === null ? null : missingDay(rule, anchor, next);
  const isOverdue = AWAITED.includes(reason) && next !== null && next <= now;
  return {
    Sentence: sentences(
      describe(reason, facts, isShop),
      heldWords(facts.held, isShop),
      notPushableWords(facts, isShop),
      movedWords(facts, move),
      reason === 'Schedule' && `${ruleWords(rule!, anchor)}. It is counted from ${shownDay(anchor)}.`,
      reason === 'Schedule' && takenUpWords(facts),
      missing !== null && `The month has no ${ordinal(missing)}, so it falls on the month’s last day.`,
      isOverdue && 'It is due: it is processed as soon as a worker takes it.',
    ),
    Reason: reason,
    NextOccurrenceUtc: next,
    Rule: rule === null ? null : ruleWords(rule, anchor),
    FrequencyType: order.frequencyType,
    Frequency: order.frequency,
    AnchorUtc: rule === null ? null : anchor,
    Clamped: missing !== null,
    Overdue: isOverdue,
    MovedBy: move === null ? null : { ActionType: move.actionType, By: move.by, AtUtc: move.atUtc },
    Retry: isRetried(reason, facts) && cycle !== null ? retryOf(cycle, isShop) : null,
  };
}

/** Reasons with a time at which a worker takes the order. */
const AWAITED: readonly WhenReason[] = ['Schedule', 'Rescheduled', 'Process', 'Retry'];
const RETRIED: readonly WhenReason[] = ['Retry', 'Integration', 'Unknown'];

const isRetried = (reason: WhenReason, { newest }: Facts): boolean =>
  RETRIED.includes(reason) || (reason === 'Held' && isWaiting(newest));

const retryOf = (cycle: CycleFacts, isShop: boolean) => ({
  Retry: cycle.paymentFailures + cycle.technicalFailures,
  Cycle: isShop ? cycle.cycle : null,
  OccurrenceUtc: cycle.dueUtc,
  NextTryUtc: cycle.nextAttemptUtc,
});

function describe(reason: WhenReason, facts: Facts, isShop: boolean): string {
  const { order, cycle } = facts;
  const next = order.nextOccurrenceUtc === null ? null : shownDay(order.nextOccurrenceUtc);
  switch (reason) {
    case 'Schedule':
    case 'Rescheduled':
    case 'Process':
      return `The next occurrence is ${next}.`;
    case 'Retry':
      return `${retryWords(cycle!, isShop)} The next try is on ${shownDay(cycle!.nextAttemptUtc ?? order.nextOccurrenceUtc!)}.`;
    case 'Held':
      return notChargedWords(facts) ?? `The next occurrence is ${next}.`;
    case 'Integration':
      return waitWords(cycle!, isShop);
    case 'InProgress':
      return `${capital(occurrenceOf(cycle!.dueUtc))} is being processed now.`;
    case 'Unknown':
      return sentences(
        unknownWords(cycle!, isShop),
        order.status === 'Pending' && 'The order is Pending in the meantime.',
      );
    case 'Cancelled':
    case 'Paused':
      return pausedWords(facts, isShop);
    case 'Pending':
      return sentences(
        'The order is Pending, because a request made it so: nothing is processed until it is Active again.',
        activationWords(facts),
      );
    case 'GivenUp':
      return sentences(exhaustedWords(cycle!, isShop), activationWords(facts));
    case 'NoFrequency':
      return 'The order is Pending: it has no frequency, and so no next occurrence.';
    case 'CalendarEnd':
      return 'The order is Pending: its schedule has no further occurrence before the year 10000.';
  }
}

function pausedWords(facts: Facts, isShop: boolean): string {
  const { order, cycle, newest } = facts;
  const cancelled = order.cancelledUtc;
  return sentences(
    cancelled === null
      ? 'The order is Paused: nothing is processed until it is Active again.'
      : `The order was cancelled on ${shownDay(cancelled)}: it has no next occurrence, until it is reactivated.`,
    newest?.state === 'Unknown' && unknownWords(cycle!, isShop),
    activationWords(facts),
  );
}

const whyWords = (cycle: CycleFacts, isShop: boolean): string => {
  const failed = failureOf(cycle);
  if (failed === null) return '';
  return isShop ? describeFailure(failed) : `${failed.code} ${failed.name}.`;
};

function retryWords(cycle: CycleFacts, isShop: boolean): string {
  const failures = cycle.paymentFailures + cycle.technicalFailures;
  const occurrence = `${occurrenceOf(cycle.dueUtc)}${isShop ? ` (cycle ${cycle.cycle})` : ''}`;
  if (failures === 0) return `${capital(occurrence)} has not been charged yet.`;
  return sentences(`This is retry ${failures} of ${occurrence}.`, whyWords(cycle, isShop));
}

const notChargedWords = ({ newest }: Facts): string | null =>
  isWaiting(newest) ? `${capital(occurrenceOf(newest.dueUtc))} has not been charged.` : null;

function waitWords(cycle: CycleFacts, isShop: boolean): string {
  const occurrence = capital(occurrenceOf(cycle.dueUtc));
  if (!isShop) return `${occurrence} waits until the shop can take payments again. Then it is tried at once.`;
  const next =
    cycle.nextAttemptUtc === null ? '' : ` The next try is on ${shownDay(cycle.nextAttemptUtc)} at the latest.`;
  return sentences(
    `${occurrence} (cycle ${cycle.cycle}) waits for its payment integration since ${shownDay(cycle.waitingSinceUtc!)}, for at most 30 days.${next}`,
    whyWords(cycle, isShop),
  );
}

function unknownWords(cycle: CycleFacts, isShop: boolean): string {
  const occurrence = `${occurrenceOf(cycle.dueUtc)}${isShop ? ` (cycle ${cycle.cycle})` : ''}`;
  const next =
    cycle.nextAttemptUtc === null
      ? 'It is being looked up now.'
      : `It is looked up next on ${shownDay(cycle.nextAttemptUtc)}.`;
  return sentences(
    `Whether ${occurrence} was charged is not known yet, and nothing is charged until that is known.`,
    next,
  );
}

const exhaustedWords = (cycle: CycleFacts, isShop: boolean): string =>
  sentences(
    `The order is Pending: ${occurrenceOf(cycle.dueUtc)} was not charged, and is not tried again by itself.`,
    whyWords(cycle, isShop),
  );

/** The next occurrence of an order on hold, if it became Active now. */
function activationWords({ order, newest, now }: Facts): string {
  if (order.frequencyType === null) return 'It has no frequency yet.';
  try {
    return `Made Active now, it would be processed next on ${shownDay(planActivation(order, newest, now).nextUtc)}.`;
  } catch (error) {
    // MayNow says why it cannot become Active.
    if (error instanceof Conflict || error instanceof Rejected) return '';
    throw error;
  }
}

/** An occurrence before the next one that was processed, or skipped, at another time. */
function takenUpWords({ order: { nextOccurrenceUtc: next }, last }: Facts): string | null {
  const replaced = last?.replacedUtc ?? null;
  if (last === null || replaced === null || next === null || replaced <= last.dueUtc || replaced >= next) return null;
  return `${capital(occurrenceOf(replaced))} does not come again: that of ${shownDay(last.dueUtc)} stood for it.`;
}

function movedWords({ order, last }: Facts, move: Move | null): string | null {
  if (move === null) return null;
  const did = `by ${move.by} on ${shownDay(move.atUtc)}`;
  const instead =
    order.replacedOccurrenceUtc === null ? '' : `, in place of ${occurrenceOf(order.replacedOccurrenceUtc)}`;
  switch (move.actionType) {
    case 'RescheduleScheduledOrder':
      return `It was moved there ${did}${instead}. Later occurrences are counted from it.`;
    case 'RetryScheduledOrder':
      return `The order was made due at once ${did}${instead}.`;
    case 'SkipScheduledOrder':
      return `${capital(occurrenceOf(last!.dueUtc))} was skipped ${did}.`;
  }
}
