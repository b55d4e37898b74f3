import type { ScheduledOrder } from '#libs/entities';
import { type Advanced, advance, type FrequencyRule, Rejected } from '#libs/rules';
import type { LatestCycle } from './latest-cycle.js';

/** The order as it stands in its locked row, with whatever the request has merged into it so far. */
export type LockedOrder = Pick<
  ScheduledOrder,
  | 'id'
  | 'siteId'
  | 'status'
  | 'frequencyType'
  | 'frequency'
  | 'scheduleAnchorUtc'
  | 'nextOccurrenceUtc'
  | 'replacedOccurrenceUtc'
>;

/** What the request must write into the order's row, in the same transaction; what is absent stays as it is. */
export type OrderChange = Partial<
  Pick<ScheduledOrder, 'status' | 'nextOccurrenceUtc' | 'replacedOccurrenceUtc' | 'scheduleAnchorUtc'>
>;

export function ruleOf({ frequencyType, frequency }: LockedOrder): FrequencyRule | null {
  return frequencyType === null || frequency === null ? null : { frequencyType, frequency };
}

/** @throws Rejected for an order that has no frequency, and so no next occurrence. */
export function requiredRule(order: LockedOrder): FrequencyRule {
  const rule = ruleOf(order);
  if (rule) return rule;
  throw new Rejected([{ field: 'Frequency', message: 'The order has none yet: set it and FrequencyType first.' }]);
}

/** Where the schedule goes after `cycle`, by the order's schedule as it is now. */
export function advanceFrom(
  cycle: Pick<LatestCycle, 'dueUtc' | 'replacedUtc'>,
  order: LockedOrder,
  rule: FrequencyRule,
  now: Date,
): Advanced {
  return advance({
    rule,
    anchor: order.scheduleAnchorUtc,
    occurrence: cycle.dueUtc,
    replaced: cycle.replacedUtc,
    now,
  });
}
