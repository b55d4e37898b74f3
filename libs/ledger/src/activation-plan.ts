import { rollForward } from '#libs/rules';
import { isInProgress, type LatestCycle, refuseWhileUnknown } from './latest-cycle.js';
import { type LockedOrder, type OrderChange, requiredRule } from './order-change.js';

/**
 * What becoming Active would do to an order and its newest cycle, like the plans of plans.ts. Source: decisions.md §7.
 */
export interface ActivationPlan {
  readonly change: OrderChange;
  readonly nextUtc: Date;
  /** The given-up cycle that stays failed. */
  readonly leaves: LatestCycle | null;
  /** The cycle in progress, where the next occurrence becomes another one. */
  readonly reschedules: LatestCycle | null;
}

/** @throws Conflict while an outcome is unknown. Rejected without a frequency, and at the calendar's end. */
export function planActivation(order: LockedOrder, cycle: LatestCycle | null, now: Date): ActivationPlan {
  const rule = requiredRule(order);
  refuseWhileUnknown(cycle, 'made Active');
  const { nextUtc, replaced } = rollForward({
    rule,
    anchor: order.scheduleAnchorUtc,
    next: order.nextOccurrenceUtc,
    replaced: order.replacedOccurrenceUtc,
    now,
    last: cycle && { occurrence: cycle.dueUtc, replaced: cycle.replacedUtc },
  });
  const isNew = nextUtc.getTime() !== order.nextOccurrenceUtc?.getTime();
  return {
    change: { status: 'Active', nextOccurrenceUtc: nextUtc, replacedOccurrenceUtc: replaced },
    nextUtc,
    leaves: cycle?.retriesExhausted === true ? cycle : null,
    reschedules: isInProgress(cycle) && isNew ? cycle : null,
  };
}
