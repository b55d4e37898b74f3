import type { OutwardType } from '#libs/events';
import { FAILURE_CODES } from '#libs/rules';
import type { FailedAttempt } from '../cycle/recorded.js';

/** A type, whether the event of the log belongs to it, and facts: as `recordFailed` takes it. */
type PublishedEvent = readonly [type: OutwardType, isLogged: boolean, facts: Readonly<Record<string, unknown>>];

/** What was charged, or was to be charged, for the cycle. */
interface Sent {
  readonly amount: number;
  readonly currencyIso: string;
}

/** The events that a failed attempt publishes, as JSON. */
export const publishedJson = (attempt: FailedAttempt, sent: Sent): string =>
  JSON.stringify(publishedEvents(attempt, sent));

/**
 * In the order in which they are published. An outcome that stays unknown is never published as a failure: it may still
 * prove paid.
 */
function publishedEvents(attempt: FailedAttempt, { amount, currencyIso }: Sent): PublishedEvent[] {
  const { cycle, state, failure, event } = attempt;
  const facts = { Cycle: cycle.cycle };
  const paid = { ...facts, Amount: amount, CurrencyIso: currencyIso };
  const events: PublishedEvent[] = [];
  if (cycle.state === 'Unknown' && state !== 'Unknown')
    events.push(['scheduled_order.outcome_settled', false, { ...paid, Charged: false }]);
  if (event === null || failure === null) return events;
  const failed = { FailureCode: failure.code };
  const again = state === 'Retrying' && attempt.nextAttemptUtc ? { NextAttemptUtc: attempt.nextAttemptUtc } : {};
  if (event.type === 'ScheduledOrderHeld')
    return [...events, ['scheduled_order.waiting', true, { ...facts, ...failed }]];
  if (state === 'Unknown')
    return [
      ['scheduled_order.outcome_unknown', true, { ...paid, ...failed, RetriesExhausted: attempt.retriesExhausted }],
    ];
  const isDeclined = failure.code === FAILURE_CODES.PaymentFailed.code;
  const isOver = state === 'Failed';
  if (isDeclined) events.push(['scheduled_order.payment_failed', !isOver, { ...paid, ...failed, ...again }]);
  if (isOver) events.push(['scheduled_order.failed', true, { ...facts, ...failed }]);
  else if (!isDeclined) events.push(['scheduled_order.waiting', true, { ...facts, ...failed, ...again }]);
  return events;
}
