import type { CycleState } from '#libs/entities';
import { Statement, type Transaction } from '#libs/platform';
import { describeFailure, HOLDING, shownAmount, shownDay } from '#libs/rules';
import { pushSentence } from '../timeline/push-sentence.js';
import type { CycleFacts, Facts } from './facts.js';
import type { Move } from './moves.js';
import { failureOf } from './when.js';
import { capital, occurrenceOf, sentences } from './words.js';

/** The newest event since a cycle began is about that cycle. pk_event_logs. $1 order id, $2 when the cycle began. */
const EVENT =
  Statement.named(`SELECT e.description, e.created_utc AS "atUtc" FROM event_logs e WHERE e.scheduled_order_id = $1 AND e.created_utc >= $2
  ORDER BY e.id DESC LIMIT 1`);

interface EventRow {
  readonly description: string | null;
  readonly atUtc: Date;
}

/**
 * What follows from these, as their event says it, is otherwise when a request ends the cycle, moves it or takes it up
 * again.
 */
const CHANGEABLE: readonly CycleState[] = ['Claimed', 'Charging', 'Retrying', 'Failed'];

/** What the event of a cycle says, which customers may read; null without one, and where it is not true any more. */
export async function eventOf(tx: Transaction, { order, last }: Facts): Promise<string | null> {
  if (last === null || last.state === 'Skipped') return null;
  const [event] = await tx.execute<EventRow>(EVENT, [order.id, last.createdUtc]);
  if (event === undefined || (CHANGEABLE.includes(last.state) && event.atUtc < last.updatedUtc)) return null;
  return event.description;
}

/** What came of the newest cycle that was tried, skipped or ended; null when there is none. */
export function explainLastTime(facts: Facts, move: Move | null, event: string | null, isShop: boolean): object | null {
  const { last, push } = facts;
  if (last === null) return null;
  const failed = last.state === 'Completed' || last.state === 'Skipped' ? null : failureOf(last);
  return {
    Sentence: isShop
      ? sentences(describe(last, move), push && pushSentence(last.cycle, push))
      : (event ?? describe({ ...last, failureMessage: null }, move)),
    Cycle: isShop ? last.cycle : null,
    OccurrenceUtc: last.dueUtc,
    Result: last.state,
    FailureCode: failed?.code ?? null,
    FailureName: failed?.name ?? null,
    Said: isShop && failed !== null ? failed.message : null,
    Attempts: isShop ? last.attempt : null,
    Amount: last.amount,
    CurrencyIso: last.currencyIso,
    OrderId: last.state === 'Completed' ? last.orderId : null,
    PushState: isShop ? (push?.state ?? null) : null,
    AtUtc: happenedUtc(last),
  };
}

/** A try counts from when it was sent: the row may have been changed since. */
const happenedUtc = ({ state, startedUtc, updatedUtc, occurredUtc }: CycleFacts): Date =>
  occurredUtc ?? (state === 'Completed' || state === 'Skipped' ? updatedUtc : (startedUtc ?? updatedUtc));

function describe(cycle: CycleFacts, move: Move | null): string {
  const { state, dueUtc, amount, currencyIso } = cycle;
  const occurrence = capital(occurrenceOf(dueUtc));
  const on = `on ${shownDay(happenedUtc(cycle))}`;
  switch (state) {
    case 'Completed':
      return `${occurrence} was processed ${on}: ${amount === null || amount === 0 || currencyIso === null ? 'nothing was to be paid' : `${shownAmount(amount, currencyIso)} paid`}.`;
    case 'Skipped':
      return `${occurrence} was skipped ${on}${move?.actionType === 'SkipScheduledOrder' ? ` by ${move.by}` : ''}.`;
    case 'Unknown':
      return sentences(
        `${occurrence} was sent to the gateway ${on}; whether it was charged is not known yet.`,
        whyWords(cycle),
      );
    case 'Waiting':
      return sentences(
        `${occurrence} could not be charged ${on}: it ${isHeld(cycle) ? 'is held' : 'waits for its payment integration'}.`,
        whyWords(cycle),
      );
    case 'Failed':
      return failureOf(cycle) === null
        ? `${occurrence} was ended by a request ${on}, and not charged.`
        : sentences(
            `${occurrence} was not charged ${on}, and is not tried again by itself.`,
            triesWords(cycle),
            whyWords(cycle),
          );
    case 'Claimed':
    case 'Charging':
    case 'Retrying':
      return sentences(`${occurrence} was not charged ${on}, and is tried again.`, triesWords(cycle), whyWords(cycle));
  }
}

const isHeld = ({ failureCode }: CycleFacts): boolean => HOLDING.includes(failureCode ?? 0);

const triesWords = ({ attempt }: CycleFacts): string | null =>
  attempt === 0 ? null : `${attempt === 1 ? 'One charge was' : `${attempt} charges were`} tried.`;

function whyWords(cycle: CycleFacts): string | null {
  const failed = failureOf(cycle);
  if (failed === null) return null;
  return failed.message === '' ? `${failed.code} ${failed.name}.` : describeFailure(failed);
}
