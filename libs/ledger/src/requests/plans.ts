import { Conflict } from '#libs/records';
import { Rejected, rollForward, shownInstant } from '#libs/rules';
import {
  isInProgress,
  isWaiting,
  type LatestCycle,
  refuseWhileInProgress,
  refuseWhileUnknown,
} from './latest-cycle.js';
import {
  advanceFrom,
  assertExpected,
  assertHasFrequency,
  calendarEnds,
  type OrderChange,
  type OrderToChange,
  refuseCancelled,
  requiredRule,
} from './order-change.js';

/**
 * What the requests of requests.ts would do to an order and its newest cycle, and whether they may: no statement is
 * sent. The requests carry a plan out with both locked; Explain reads it without locks. `now` is the database's clock.
 * Source: decisions.md §9 and §12.
 */

export interface ProcessPlan {
  readonly change: OrderChange;
  /** The cycle that is tried again; null: a new one begins. */
  readonly takesUp: LatestCycle | null;
  /** It may be a repeated call (second-call.ts): nothing is due yet, and no cycle is tried again. */
  readonly mayBeRepeated: boolean;
}

/**
 * @throws Conflict while a cycle is in progress or unknown, and for a Paused or cancelled order. Rejected without a
 * frequency.
 */
export function planProcess(order: OrderToChange, cycle: LatestCycle | null, now: Date): ProcessPlan {
  refuseCancelled(order);
  assertHasFrequency(order);
  if (order.status === 'Paused') {
    throw new Conflict('The order is Paused. Set its Status to Active before you process it.');
  }
  refuseWhileInProgress(cycle, 'processed');
  const change = { status: 'Active', processRequestedUtc: now } as const;
  if (isWaiting(cycle) || cycle?.retriesExhausted === true) {
    const dates = { nextOccurrenceUtc: now, replacedOccurrenceUtc: cycle.replacedUtc };
    return { change: { ...change, ...dates }, takesUp: cycle, mayBeRepeated: false };
  }
  const next = order.nextOccurrenceUtc;
  const isPast = next !== null && next.getTime() <= now.getTime();
  if (isPast) return { change, takesUp: null, mayBeRepeated: order.status !== 'Active' };
  const dates = { nextOccurrenceUtc: now, replacedOccurrenceUtc: order.replacedOccurrenceUtc ?? next };
  return { change: { ...change, ...dates }, takesUp: null, mayBeRepeated: true };
}

export interface SkipPlan {
  readonly change: OrderChange;
  readonly skipped: Pick<LatestCycle, 'dueUtc' | 'replacedUtc'>;
  readonly missedOccurrences: number;
  /** The cycle that waits for another try, and ends; null: the skipped occurrence becomes a cycle. */
  readonly ends: LatestCycle | null;
}

/**
 * @throws Conflict while a cycle is in progress or unknown, and for a cancelled order. Rejected for one without a next
 * occurrence.
 */
export function planSkip(order: OrderToChange, latest: LatestCycle | null, now: Date): SkipPlan {
  refuseCancelled(order);
  assertHasFrequency(order);
  refuseWhileInProgress(latest, 'skipped');
  const ends = isWaiting(latest) ? latest : null;
  const skipped = ends === null ? nextOf(order) : skippedWait(ends, order);
  const { nextUtc, missedOccurrences } = advanceFrom(skipped, order, now);
  return {
    change: { nextOccurrenceUtc: nextUtc, replacedOccurrenceUtc: null },
    skipped,
    missedOccurrences,
    ends,
  };
}

/** @throws Rejected when there is none. */
function nextOf({ nextOccurrenceUtc, replacedOccurrenceUtc }: OrderToChange): SkipPlan['skipped'] {
  if (nextOccurrenceUtc !== null) return { dueUtc: nextOccurrenceUtc, replacedUtc: replacedOccurrenceUtc };
  throw new Rejected([{ field: 'NextOccurrenceUtc', message: 'This order has no next occurrence to pass over.' }]);
}

/** A rescheduled wait also replaces the anchor. Otherwise the anchor would be the next occurrence again. */
function skippedWait(
  { dueUtc, replacedUtc }: LatestCycle,
  { nextOccurrenceUtc: next, scheduleAnchorUtc: anchor }: OrderToChange,
): SkipPlan['skipped'] {
  const isRescheduled = next !== null && next.getTime() === anchor.getTime() && next > dueUtc;
  return { dueUtc: isRescheduled ? next : dueUtc, replacedUtc };
}

export interface ReschedulePlan {
  readonly change: OrderChange;
  /** The cycle that waits, and is tried at the new time. */
  readonly waits: LatestCycle | null;
  /** The cycle in progress: it is the occurrence after it that moves. */
  readonly inProgress: LatestCycle | null;
  /** What moves: the order's next occurrence; while a cycle is in progress the one after it. */
  readonly occurrenceUtc: Date | null;
  /** The regular occurrence after the cycle in progress: an earlier instant may be meant for the one in progress. */
  readonly regularUtc: Date | null;
}

/** @throws Conflict for a cancelled order. Rejected without a frequency, and where the calendar ends with the cycle. */
export function planReschedule(
  order: OrderToChange,
  cycle: LatestCycle | null,
  instant: Date,
  now: Date,
): ReschedulePlan {
  refuseCancelled(order);
  assertHasFrequency(order);
  const change = { nextOccurrenceUtc: instant, scheduleAnchorUtc: instant };
  const next = order.nextOccurrenceUtc;
  if (isWaiting(cycle)) return { change, waits: cycle, inProgress: null, occurrenceUtc: next, regularUtc: null };
  const regular = order.replacedOccurrenceUtc ?? next;
  if (!isInProgress(cycle)) {
    const planned = { ...change, replacedOccurrenceUtc: regular };
    return { change: planned, waits: null, inProgress: null, occurrenceUtc: next, regularUtc: null };
  }
  // A request may have set that there is no next occurrence.
  const isSet = cycle.rescheduledMeanwhile && regular !== null;
  const following = isSet ? regular : advanceFrom(cycle, order, now).nextUtc;
  if (following === null) throw calendarEnds();
  return {
    change: { ...change, replacedOccurrenceUtc: following },
    waits: null,
    inProgress: cycle,
    occurrenceUtc: isSet ? next : following,
    regularUtc: following,
  };
}

/**
 * Who does not name what moves may have meant the occurrence in progress (decisions.md §9, In progress).
 * @throws Conflict when another occurrence is expected; while a cycle is in progress, for an instant before the regular
 * occurrence after it, unless what moves is named.
 */
export function assertMeant(plan: ReschedulePlan, instant: Date, expected: Date | null | undefined): void {
  const { inProgress, occurrenceUtc, regularUtc } = plan;
  const circumstance =
    inProgress === null ? '' : `The occurrence of ${shownInstant(inProgress.dueUtc)} is in progress. `;
  if (expected !== undefined) assertExpected(occurrenceUtc, expected, circumstance);
  else if (regularUtc !== null && occurrenceUtc !== null && instant < regularUtc) {
    const stands =
      occurrenceUtc.getTime() === regularUtc.getTime() ? '' : `, which stands at ${occurrenceUtc.toISOString()} now`;
    throw new Conflict(
      `${circumstance}This would move the one after it, ${regularUtc.toISOString()}${stands}, to the earlier ${instant.toISOString()}. ` +
        `If that is what you want, send ${occurrenceUtc.toISOString()} as ExpectedNextOccurrenceUtc.`,
    );
  }
}

/**
 * What becoming Active would do to an order and its newest cycle, like the plans of plans.ts. Source: decisions.md §7.
 */
export interface ActivationPlan {
  readonly change: OrderChange;
  readonly nextUtc: Date;
  /** The cycle whose retries are exhausted: it stays failed. */
  readonly leaves: LatestCycle | null;
  /** The cycle in progress, where the next occurrence becomes another one. */
  readonly reschedules: LatestCycle | null;
}

/**
 * @throws Conflict while an outcome is unknown, and for a cancelled order. Rejected without a frequency, and at the
 * calendar's end.
 */
export function planActivation(order: OrderToChange, cycle: LatestCycle | null, now: Date): ActivationPlan {
  refuseCancelled(order);
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
