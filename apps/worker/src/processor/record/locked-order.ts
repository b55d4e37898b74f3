import { advance, frequencyRule, type FrequencyType, type Status } from '#libs/rules';
import type { LeasedCycle } from '../cycle/cycle.js';

/** An order as it is, locked, when the outcome of an attempt is recorded. */
export interface LockedOrder {
  readonly version: string;
  readonly status: Status;
  readonly deleted: boolean;
  readonly frequencyType: FrequencyType | null;
  readonly frequency: number | null;
  readonly scheduleAnchorUtc: Date;
  readonly nextOccurrenceUtc: Date | null;
  /** A request set the next occurrence while the cycle was in progress. */
  readonly rescheduledMeanwhile: boolean;
  /** A request wrote a stop into the cycle's row. */
  readonly stopped: boolean;
  /** The processor made the order Pending while the outcome was unknown. */
  readonly madePending: boolean;
}

/**
 * The dates after the end of a cycle, by the present schedule. `nextUtc` is null without a frequency and at the end of
 * the calendar.
 */
export function afterCycle(
  cycle: Pick<LeasedCycle, 'dueUtc' | 'replacedUtc'>,
  order: Pick<LockedOrder, 'frequencyType' | 'frequency' | 'scheduleAnchorUtc'>,
  now: Date,
): { nextUtc: Date | null; missedOccurrences: number } {
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
