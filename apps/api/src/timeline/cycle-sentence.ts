import type { CycleState } from '#libs/entities';
import { FAILURE_CODES, HOLDING, shownAmount, shownInstant } from '#libs/rules';

/** A cycle as it stands now. */
export interface ShownCycle {
  readonly state: CycleState;
  readonly dueMs: number;
  readonly missedOccurrences: number;
  readonly attempts: number;
  readonly orderId: number | null;
  /** In minor units: what was sent with the latest attempt. */
  readonly amount: number | null;
  readonly currencyIso: string | null;
  readonly paymentMethodType: string | null;
  readonly transactionId: string | null;
  readonly failureCode: number | null;
  /** The processor has given it up: Process takes it up again. */
  readonly retriesExhausted: boolean;
  readonly nextAttemptMs: number | null;
}

const BEING_PROCESSED = 'is being processed.';

/** For merchants: with all that the ledger knows. */
export function cycleSentence(number: string, cycle: ShownCycle): string {
  const subject = `Cycle ${number}, due on ${dueOf(cycle)},`;
  return `${subject} ${STATES[cycle.state](cycle)}${missed(cycle)}`;
}

/** For the customer: an occurrence has a date and no number, and its charge no internals (decisions.md §10). */
export const occurrenceSentence = (cycle: ShownCycle): string =>
  `The occurrence of ${dueOf(cycle)} ${STATES_FOR_CUSTOMERS[cycle.state](cycle)}${missed(cycle)}`;

const STATES: Readonly<Record<CycleState, (cycle: ShownCycle) => string>> = {
  Claimed: () => BEING_PROCESSED,
  Charging: () => BEING_PROCESSED,
  Completed: (cycle) =>
    isCharged(cycle) ? `was charged: ${shownSum(cycle)}${charge(cycle)}.` : 'was completed: nothing was to be paid.',
  Skipped: () => 'was skipped.',
  Failed: (cycle) =>
    cycle.failureCode === null
      ? 'was ended by a request before it was charged.'
      : `failed with ${failure(cycle)}${attempts(cycle)}.${cycle.retriesExhausted ? ' It is not tried again by itself: Process takes it up.' : ''}`,
  Retrying: (cycle) =>
    `${cycle.failureCode === null ? 'is not charged yet' : `failed with ${failure(cycle)}${attempts(cycle)}`}.${again('tried again', cycle)}`,
  Waiting: (cycle) =>
    isHeld(cycle)
      ? `is held by ${failure(cycle)}: ${isNotPushable(cycle) ? 'its shop could not take the Order' : 'an earlier payment of the order has to be settled first'}.`
      : `waits for the payment integration${cycle.paymentMethodType === null ? '' : ` of ${cycle.paymentMethodType}`}.${again('tried again', cycle)}`,
  Unknown: (cycle) =>
    `may have been charged${cycle.amount === null ? '' : ` ${shownSum(cycle)}`}: nobody knows yet.${again('looked up', cycle)}`,
};

const STATES_FOR_CUSTOMERS: Readonly<Record<CycleState, (cycle: ShownCycle) => string>> = {
  Claimed: () => BEING_PROCESSED,
  Charging: () => BEING_PROCESSED,
  Completed: (cycle) =>
    isCharged(cycle) ? `was charged: ${shownSum(cycle)}.` : 'was processed: nothing was to be paid.',
  Skipped: () => 'was skipped.',
  Failed: () => 'was not charged.',
  Retrying: (cycle) => `is not charged yet.${again('tried again', cycle)}`,
  Waiting: (cycle) => `is not charged yet. ${isHeld(cycle) ? untilThen(cycle) : 'It is tried again.'}`,
  Unknown: () => 'may have been charged: this is being found out.',
};

const isHeld = ({ failureCode }: ShownCycle) => HOLDING.includes(failureCode ?? 0);
const isNotPushable = ({ failureCode }: ShownCycle) => failureCode === FAILURE_CODES.NotPushable.code;
const untilThen = (cycle: ShownCycle) =>
  isNotPushable(cycle) ? 'The shop has to prepare it first.' : 'The shop settles an earlier payment first.';

const dueOf = ({ dueMs }: ShownCycle) => shownInstant(new Date(dueMs));

/** Each attempt is frozen with its amount before it is sent: a Completed cycle has one. */
const isCharged = ({ amount }: ShownCycle) => amount !== null && amount > 0;

const shownSum = ({ amount, currencyIso }: ShownCycle) => shownAmount(amount!, currencyIso!);

function charge({ paymentMethodType, transactionId, attempts: count }: ShownCycle): string {
  const by = paymentMethodType === null ? '' : ` by ${paymentMethodType}`;
  const transaction = transactionId === null ? '' : `, transaction ${transactionId}`;
  return `${by}${transaction}${count > 1 ? `, at attempt ${count}` : ''}`;
}

function failure({ failureCode }: ShownCycle): string {
  const known = Object.values(FAILURE_CODES).find(({ code }) => code === failureCode);
  return known === undefined ? `code ${failureCode}` : `${known.code} ${known.name}`;
}

const attempts = ({ attempts: count }: ShownCycle) => (count > 1 ? ` at attempt ${count}` : '');

const again = (what: string, { nextAttemptMs }: ShownCycle) =>
  nextAttemptMs === null ? '' : ` It is ${what} on ${shownInstant(new Date(nextAttemptMs))}.`;

function missed({ missedOccurrences: count }: ShownCycle): string {
  if (count === 0) return '';
  return count === 1 ? ' One missed occurrence was passed over.' : ` ${count} missed occurrences were passed over.`;
}
