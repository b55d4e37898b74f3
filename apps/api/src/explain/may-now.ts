import {
  assertGoesOn,
  isInProgress,
  isWaiting,
  planActivation,
  planProcess,
  planReschedule,
  planSkip,
  refuseSecondCall,
  refuseWhileHeld,
  retryDelayMs,
  type RetrySchedules,
} from '#libs/ledger';
import type { SqlExecutor } from '#libs/platform';
import { type Caller, Conflict, Forbidden } from '#libs/records';
import { Rejected, shownDay } from '#libs/rules';
import type { ExplainedAction } from '../contract/insight/explanation.dto.js';
import { assertMayCall } from '../http/caller.js';
import { detailOf } from '../http/problems/problem.js';
import { assertStatusChange } from '../scheduled-orders/order-rules.js';
import { assertPushable } from '../scheduled-orders/quotes/push-problems.js';
import type { Facts } from './facts.js';
import { notPushable } from './held.js';
import { capital, occurrenceOf, sentences } from './words.js';

/** What a request would be answered. */
interface MayNow {
  readonly Action: ExplainedAction;
  readonly Allowed: boolean;
  /** What would happen; or the `detail` of the refusal. */
  readonly Because: string;
}

/** Throws what refuses the request; gives what the request would do. */
type Check = () => string | Promise<string>;

/** What each request would be answered now, by the checks that it makes itself. Limits (429) are not counted. */
export async function mayNow(
  executor: SqlExecutor,
  caller: Caller,
  facts: Facts,
  schedules: RetrySchedules,
): Promise<MayNow[]> {
  const checks: Partial<Record<ExplainedAction, Check>> = {
    Skip: () => skip(facts),
    Process: async () => {
      if (caller.scope === 'Customer') refuseWhileHeld(facts.held);
      await assertPushable(executor, facts.order, caller);
      return process(executor, facts, schedules);
    },
    Pause: () => pause(caller, facts),
    Activate: () => activate(caller, facts),
    Reschedule: () => reschedule(facts),
    Cancel: () => cancel(facts),
    // It is the merchant's.
    ...(caller.scope === 'Merchant' && { Reactivate: () => reactivate(facts) }),
  };
  const answers: MayNow[] = [];
  for (const [action, check] of Object.entries(checks) as [ExplainedAction, Check][]) {
    answers.push(
      await answered(action, () => {
        assertMayCall(caller, 'both', false);
        return check();
      }),
    );
  }
  return answers;
}

async function answered(Action: ExplainedAction, check: Check): Promise<MayNow> {
  try {
    return { Action, Allowed: true, Because: await check() };
  } catch (error) {
    if (error instanceof Rejected) return { Action, Allowed: false, Because: detailOf(error.faults) };
    if (error instanceof Conflict || error instanceof Forbidden)
      return { Action, Allowed: false, Because: error.message };
    throw error;
  }
}

function skip(facts: Facts): string {
  const { order, newest, now } = facts;
  const { change, skipped, ends } = planSkip(order, newest, now);
  assertGoesOn({ ...order, ...change }, now);
  return sentences(
    `${capital(occurrenceOf((ends ?? skipped).dueUtc))} is passed over without charging${ends === null ? '' : ', and not tried again'}; the next one is on ${shownDay(change.nextOccurrenceUtc!)}.`,
    staysWords(facts),
  );
}

async function process(executor: SqlExecutor, facts: Facts, { payment }: RetrySchedules): Promise<string> {
  const { order, newest, cycle, now, held } = facts;
  const { change, takesUp, mayBeRepeated } = planProcess(order, newest, now);
  if (mayBeRepeated) await refuseSecondCall(executor, order.id);
  assertGoesOn({ ...order, ...change }, now);
  const also = sentences(
    order.status !== 'Active' && 'The order becomes Active.',
    held.length > 0 &&
      `What holds it is settled as Accepted: ${held.map(({ id, kind }) => `${kind} (difference ${id})`).join(', ')}.`,
  );
  if (takesUp !== null) {
    const isLast = cycle !== null && retryDelayMs(payment, cycle.paymentFailures) === null;
    return sentences(
      `${capital(occurrenceOf(takesUp.dueUtc))} is tried again at once.`,
      also,
      isLast && 'If it is declined again, the order becomes Pending.',
    );
  }
  const { nextOccurrenceUtc: next } = order;
  if (change.nextOccurrenceUtc === undefined) {
    return sentences(`${capital(occurrenceOf(next!))} is due, and is processed as soon as a worker takes it.`, also);
  }
  const replaced = order.replacedOccurrenceUtc ?? next;
  return sentences(
    `The order is processed at once${replaced === null ? '' : `, in place of ${occurrenceOf(replaced)}`}.`,
    also,
  );
}

function pause(caller: Caller, { order, newest }: Facts): string {
  assertStatusChange(caller, order.status, 'Paused', order.frequencyType);
  if (order.status === 'Paused') return 'The order is Paused already: nothing changes.';
  return sentences('The order becomes Paused: nothing is charged until it is Active again.', endsWords(newest));
}

/** What becomes of a cycle that is open when an order is paused. */
const endsWords = (newest: Facts['newest']): string =>
  sentences(
    isWaiting(newest) && `${capital(occurrenceOf(newest.dueUtc))} is not tried again.`,
    isInProgress(newest) &&
      `If ${occurrenceOf(newest.dueUtc)} was sent to the gateway already, its outcome is still recorded.`,
  );

function activate(caller: Caller, facts: Facts): string {
  const { order, newest, now } = facts;
  assertStatusChange(caller, order.status, 'Active', order.frequencyType);
  if (order.status === 'Active') return 'The order is Active already: nothing changes.';
  const { nextUtc, leaves } = planActivation(order, newest, now);
  return sentences(
    `The order becomes Active, and is processed next on ${shownDay(nextUtc)}.`,
    staysHeld(facts),
    leaves !== null && `${capital(occurrenceOf(leaves.dueUtc))} stays failed.`,
  );
}

/** To this very moment: where that goes on, so does every later instant before the calendar's end. */
function reschedule(facts: Facts): string {
  const { order, newest, now } = facts;
  const { change, waits, inProgress, occurrenceUtc, regularUtc } = planReschedule(order, newest, now, now);
  assertGoesOn({ ...order, ...change }, now);
  const moves =
    waits !== null
      ? `The next try of ${occurrenceOf(waits.dueUtc)} moves`
      : inProgress !== null
        ? `${capital(occurrenceOf(inProgress.dueUtc))} is in progress: the one after it moves`
        : 'The next occurrence moves';
  return sentences(
    `${moves} to exactly the instant that you send, and later ones are counted from it.`,
    regularUtc !== null &&
      `An instant before ${regularUtc.toISOString()} is refused, unless ${occurrenceUtc!.toISOString()} is sent as ExpectedNextOccurrenceUtc.`,
    staysWords(facts),
  );
}

function cancel({ order, newest }: Facts): string {
  if (order.cancelledUtc !== null) return 'The order was cancelled already: nothing changes.';
  return sentences('The order is Paused for good: nothing is charged until it is reactivated.', endsWords(newest));
}

const reactivate = ({ order: { cancelledUtc } }: Facts): string =>
  cancelledUtc === null
    ? 'The order was not cancelled: nothing changes.'
    : 'The cancellation is taken back: the order stays Paused until it is made Active.';

const staysWords = (facts: Facts) => {
  const { status } = facts.order;
  return status === 'Active' ? staysHeld(facts) : `The order stays ${status}: nothing is charged until it is Active.`;
};

const staysHeld = (facts: Facts) =>
  facts.held.length > 0 || notPushable(facts) !== null ? 'The order stays held: nothing is charged.' : null;
