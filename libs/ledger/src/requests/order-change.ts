import type { ScheduledOrder } from '#libs/entities';
import { Conflict } from '#libs/records';
import { advance, type Advanced, type FrequencyRule, frequencyRule, Rejected, shownInstant } from '#libs/rules';
import type { LatestCycle } from './latest-cycle.js';

/** The locked order with the changes that the request has made so far. */
export type OrderToChange = Pick<
  ScheduledOrder,
  | 'id'
  | 'siteId'
  | 'status'
  | 'frequencyType'
  | 'frequency'
  | 'scheduleAnchorUtc'
  | 'nextOccurrenceUtc'
  | 'replacedOccurrenceUtc'
  | 'archivedCycle'
  | 'simulated'
  | 'cancelledUtc'
>;

/** What the request must write into the order's row in the same transaction. Absent properties do not change. */
export type OrderChange = Partial<
  Pick<
    ScheduledOrder,
    | 'status'
    | 'nextOccurrenceUtc'
    | 'replacedOccurrenceUtc'
    | 'scheduleAnchorUtc'
    | 'processRequestedUtc'
    | 'cancelledUtc'
    | 'cancelReason'
  >
>;

/** @throws Conflict for an order that was cancelled: its dates and its status stay what they are. */
export function refuseCancelled({ cancelledUtc }: Pick<OrderToChange, 'cancelledUtc'>): void {
  if (cancelledUtc === null) return;
  throw new Conflict(`The order was cancelled at ${shownInstant(cancelledUtc)}: Reactivate it first.`);
}

/** @throws Rejected for an order that has no frequency, and so no next occurrence. */
export function requiredRule(order: OrderToChange): FrequencyRule {
  const rule = frequencyRule(order);
  if (rule) return rule;
  throw new Rejected([{ field: 'Frequency', message: 'The order has none yet: set it and FrequencyType first.' }]);
}

/** @throws Rejected as `requiredRule`, for a request that does not calculate with the rule. */
export const assertHasFrequency = (order: OrderToChange): void => void requiredRule(order);

/**
 * The dates after the end of `cycle`, by the order's present schedule. `nextUtc` is null without a frequency and where
 * the calendar ends.
 */
export function advanceFrom(
  cycle: Pick<LatestCycle, 'dueUtc' | 'replacedUtc'>,
  order: Pick<OrderToChange, 'frequencyType' | 'frequency' | 'scheduleAnchorUtc'>,
  now: Date,
): Advanced {
  const rule = frequencyRule(order);
  if (rule === null) return { nextUtc: null, missedOccurrences: 0 };
  return advance({
    rule,
    anchor: order.scheduleAnchorUtc,
    occurrence: cycle.dueUtc,
    replaced: cycle.replacedUtc,
    now,
  });
}

/**
 * Call it before a request sets these dates: there must be an occurrence after them.
 * @throws Rejected when the calendar ends before the occurrence after the next one.
 */
export function assertGoesOn(order: OrderToChange, now: Date): void {
  const { nextOccurrenceUtc: dueUtc, replacedOccurrenceUtc: replacedUtc } = order;
  if (dueUtc === null) throw calendarEnds();
  assertHasFrequency(order);
  if (advanceFrom({ dueUtc, replacedUtc }, order, now).nextUtc === null) throw calendarEnds();
}

export const calendarEnds = (): Rejected =>
  new Rejected([{ field: 'NextOccurrenceUtc', message: 'The schedule has no further occurrence before 10000-01-01.' }]);

/**
 * @throws Conflict when the next occurrence is not the one that the caller expects; `circumstance`: a sentence in front
 * of the reason.
 */
export function assertExpected(next: Date | null, expected: Date | null, circumstance = ''): void {
  if (expected?.getTime() === next?.getTime()) return;
  const found = next === null ? 'The order has no next occurrence' : `The next occurrence is ${next.toISOString()}`;
  throw new Conflict(`${circumstance}${found}, not the one that was expected: read the order again and decide again.`);
}
