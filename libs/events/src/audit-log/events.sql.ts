import { occurredSql } from '#libs/entities';
import { scheduledOrderView, siteSnapshotView } from '#libs/records';

/** The events of the processor (decisions.md §10). */
export const LOGGED_EVENT_TYPES = [
  'ScheduledOrderProcessed',
  'ScheduledOrderFailed',
  'ScheduledOrderRetryScheduled',
  'ScheduledOrderHeld',
] as const;
export type LoggedEventType = (typeof LOGGED_EVENT_TYPES)[number];

/**
 * SQL that writes an event for each row of `rows`, a relation with all columns of scheduled_orders as they are after
 * the change, and besides `event_log_id` (a new UUIDv7, by which the outbox names the entry), `event_type` and
 * `event_description`.
 */
export const insertEventsSql = (rows: string) => `
  INSERT INTO event_logs (id, site_id, scheduled_order_id, event_type, description, scheduled_order, occurred_utc)
  SELECT e.event_log_id, e.site_id, e.id, e.event_type, e.event_description, ${scheduledOrderView.json('e')}, ${occurredSql('e')}
  FROM ${rows} e
  WHERE e.event_type IS NOT NULL`;

/**
 * SQL that writes an error for each row of `rows`, which has `error_description` and `exception_info` (json) besides
 * the columns of scheduled_orders. Site snapshots carry no secrets (decisions.md §10).
 */
export const insertErrorsSql = (rows: string) => `
  INSERT INTO error_logs (site_id, scheduled_order_id, description, exception_info, site, entity, occurred_utc)
  SELECT e.site_id, e.id, e.error_description, e.exception_info, ${siteSnapshotView.json('s')}, ${scheduledOrderView.json('e')}, ${occurredSql('e')}
  FROM ${rows} e
  JOIN sites s ON s.id = e.site_id
  WHERE e.exception_info IS NOT NULL`;
