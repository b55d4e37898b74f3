import { isInProgress, isWaiting, type RetrySchedules, triesAfter } from '#libs/ledger';
import { COUNTRY_UNKNOWN, FAILURE_CODES, shownDay } from '#libs/rules';
import type { Facts } from './facts.js';
import { notPushable } from './held.js';
import { durationWords, listed, sentences } from './words.js';

/** What Explain needs of a quote's JSON. */
export interface Quoted {
  readonly Total: number;
  readonly Problems: readonly { readonly Code: number; readonly Name: string; readonly Message: string }[];
}

/**
 * What follows when the next charge fails: the processor's own retries, from the failures that its cycle has already.
 */
export function explainIfItFails(facts: Facts, schedules: RetrySchedules, quoted: Quoted, isShop: boolean): object {
  const { order } = facts;
  const without = withoutCharge(facts, quoted);
  const retries = without === null ? triesFrom(facts, schedules) : [];
  return {
    Sentence:
      without ??
      sentences(
        problemWords(quoted, isShop),
        declineWords(facts, retries),
        'A decline that can never succeed, such as one of a stolen card, makes the order Pending at once.',
      ),
    Retries: retries.map((atUtc, index) => ({ Retry: failedTries(facts) + index + 1, AtUtc: atUtc })),
    Technical: order.status === 'Active' ? technicalWords(facts, schedules, isShop) : null,
  };
}

/** The cycle whose next try is meant; null where the next occurrence begins a new one. */
const openCycle = ({ newest, cycle }: Facts) => (isWaiting(newest) || isInProgress(newest) ? cycle : null);

/** How many tries of that cycle have failed, as `When` counts them. */
function failedTries(facts: Facts): number {
  const cycle = openCycle(facts);
  return cycle === null ? 0 : cycle.paymentFailures + cycle.technicalFailures;
}

/** When the next charge is made, if nothing comes in between. */
function firstTryUtc(facts: Facts): Date {
  const { order, newest, now } = facts;
  const due = openCycle(facts)?.nextAttemptUtc ?? (isInProgress(newest) ? now : order.nextOccurrenceUtc);
  return due === null || due < now ? now : due;
}

function triesFrom(facts: Facts, { payment }: RetrySchedules): readonly Date[] {
  const { order, newest } = facts;
  const rescheduledMeanwhile = isInProgress(newest) && newest.rescheduledMeanwhile;
  const standing = { rescheduledMeanwhile, nextOccurrenceUtc: order.nextOccurrenceUtc };
  return triesAfter(standing, payment, openCycle(facts)?.paymentFailures ?? 0, firstTryUtc(facts));
}

/** Why no charge can be declined; null where one can. */
function withoutCharge(facts: Facts, { Total, Problems }: Quoted): string | null {
  const { order, held } = facts;
  if (order.status !== 'Active') return `Nothing is charged while the order is ${order.status}.`;
  if (held.length > 0 || notPushable(facts) !== null) return 'Nothing is charged while the order is held.';
  const problem = Problems.find(({ Code }) => !PASSING.includes(Code));
  if (problem !== undefined) {
    const then = problem.Code === FAILURE_CODES.NotPushable.code ? 'is held' : 'becomes Pending';
    return `As it stands, the order cannot be charged and ${then}: ${problem.Code} ${problem.Name}: ${problem.Message}`;
  }
  return Total === 0 ? 'Nothing is to be paid now, so that nothing can be declined.' : null;
}

/** With these an order does not become Pending at once. */
const PASSING: readonly number[] = [FAILURE_CODES.PaymentIntegrationNotFound.code, COUNTRY_UNKNOWN.code];

function problemWords({ Problems }: Quoted, isShop: boolean): string | null {
  const waits = Problems.find(({ Code }) => Code === FAILURE_CODES.PaymentIntegrationNotFound.code);
  if (waits === undefined) return null;
  if (!isShop) return 'As it stands, the order waits until the shop can take payments.';
  return `As it stands, the order waits for its payment integration, for at most 30 days: ${waits.Code} ${waits.Name}: ${waits.Message}`;
}

function declineWords(facts: Facts, retries: readonly Date[]): string {
  const first = shownDay(firstTryUtc(facts));
  const isUnknown = facts.newest?.state === 'Unknown';
  const declined = isUnknown
    ? `Whether the last charge was made is being found out, and nothing is charged before. If it proves on ${first} to have been declined,`
    : `If the charge on ${first} is declined,`;
  if (retries.length === 0) return `${declined} it is not tried again: the order becomes Pending.`;
  const last = retries.length === 1 ? 'If that is declined, too,' : 'If all of these are declined,';
  return `${declined} it is tried again on ${listed(retries.map(shownDay))}. ${last} the order becomes Pending.`;
}

function technicalWords(facts: Facts, { technical }: RetrySchedules, isShop: boolean): string {
  if (!isShop) return 'After a technical problem it is tried again by itself, and nothing is charged twice.';
  const tries = triesAfter(NOT_MOVED, technical, openCycle(facts)?.technicalFailures ?? 0, EPOCH);
  const delays = tries.map((atUtc, index) => durationWords(atUtc.getTime() - (tries[index - 1] ?? EPOCH).getTime()));
  const again =
    delays.length === 0
      ? 'it is not tried again: the order becomes Pending.'
      : `it is tried again after ${listed(delays)}${delays.length > 1 ? ', each from the previous try' : ''}; then the order becomes Pending.`;
  return `If the gateway cannot be reached, or the service itself fails, ${again} A charge without an answer is looked up until its outcome is known, and never sent anew before that.`;
}

const EPOCH = new Date(0);
const NOT_MOVED = { rescheduledMeanwhile: false, nextOccurrenceUtc: null };
