import type { CycleState, ScheduledOrder } from '#libs/entities';
import { openStateSql } from '#libs/ledger';
import { type SqlExecutor, Statement } from '#libs/platform';
import { occurrencesAhead } from '#libs/rules';
import type { DateRange } from './days.js';

/** When an order falls due. */
export interface Schedule {
  readonly frequencyType: NonNullable<ScheduledOrder['frequencyType']>;
  readonly frequency: number;
  readonly anchor: Date;
  readonly next: Date;
  readonly replaced: Date | null;
}

/** The same, and whether it is processed then. */
export interface OrderSchedule extends Schedule {
  readonly id: number;
  readonly status: ScheduledOrder['status'];
  /** Of its cycle that has not ended; null where there is none. */
  readonly openState: CycleState | null;
  readonly cycles: number;
}

/**
 * By `ix_scheduled_orders_site` and `uq_processing_cycles_open`. $1 site, $2 ids after this one, $3 at most so many.
 */
const SCHEDULES = Statement.named(
  `SELECT o.id, o.status, o.frequency_type, o.frequency, o.schedule_anchor_utc AS anchor, o.next_occurrence_utc AS next,
     o.replaced_occurrence_utc AS replaced, o.cycles,
     ${openStateSql('o')} AS open_state
   FROM scheduled_orders o WHERE o.site_id = $1 AND o.deleted_utc IS NULL AND o.id > $2 ORDER BY o.id LIMIT $3`,
);

/** Some orders of a site, in order of id. Only of an Active one the dates are certain to be set. */
export const readSchedules = (
  database: SqlExecutor,
  siteId: number,
  after: number,
  most: number,
): Promise<OrderSchedule[]> => database.execute<OrderSchedule>(SCHEDULES, [siteId, after, most]);

/** Why the processor leaves an order alone until somebody, or a gateway, acts; null where it does not. */
export function heldBecause({ status, openState }: OrderSchedule): 'Paused' | 'Pending' | 'Waiting' | 'Unknown' | null {
  if (status !== 'Active') return status;
  return openState === 'Waiting' || openState === 'Unknown' ? openState : null;
}

/** The occurrences of an order in a range, from `first` to before `end`, numbered from 0 as `upcoming` has them. */
export interface Due {
  readonly first: number;
  readonly end: number;
  /** In milliseconds since 1970, UTC. */
  readonly at: (index: number) => number;
}

/** An overdue occurrence is processed now, so it falls due now. */
export const dueIn = (order: Schedule, range: DateRange, now: Date): Due =>
  occurrencesIn(order, range, now, Math.max(order.next.getTime(), now.getTime()));

/** @param firstMs when the next occurrence counts: in milliseconds since 1970, UTC. */
export function occurrencesIn(order: Schedule, { from, to }: DateRange, now: Date, firstMs: number): Due {
  const { frequencyType, frequency, anchor, next, replaced } = order;
  const later = occurrencesAhead({ rule: { frequencyType, frequency }, anchor, first: next, replaced, now });
  const before = (instant: Date) => (firstMs >= instant.getTime() ? 0 : 1 + later.before(instant.getTime()));
  return { first: before(from), end: before(to), at: (index) => (index === 0 ? firstMs : later.at(index - 1)) };
}
