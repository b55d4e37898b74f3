import type { ConnectionPool, Logger } from '#libs/platform';
import { RowChore } from '../guards/row-chore.js';

const secondsOf = (ms: number) => `${Math.floor(ms / 1_000)} * interval '1 second'`;

/**
 * The oldest numbers first, which are the oldest events but for a few seconds. What has no number yet stays.
 * uq_outbox_sequence. $1 limit.
 */
const deleteEvents = (retentionMs: number) => `WITH oldest AS (
  SELECT x.id, x.occurred_utc FROM outbox x WHERE x.sequence IS NOT NULL ORDER BY x.sequence LIMIT $1
)
DELETE FROM outbox x USING oldest o WHERE x.id = o.id AND o.occurred_utc < now() - ${secondsOf(retentionMs)}
RETURNING 1`;

/**
 * An order that becomes due again at an announced instant is rare: a day after it, nobody asks for the notice.
 * ix_upcoming_notices_occurrence.
 */
const DELETE_NOTICES = `DELETE FROM upcoming_notices WHERE (scheduled_order_id, occurrence_utc) IN (
  SELECT n.scheduled_order_id, n.occurrence_utc FROM upcoming_notices n WHERE n.occurrence_utc < now() - interval '1 day'
    AND NOT EXISTS (SELECT 1 FROM scheduled_orders o WHERE o.id = n.scheduled_order_id AND o.simulated)
  ORDER BY n.occurrence_utc LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING 1`;

export const expiredEvents = (pool: ConnectionPool, retentionMs: number, log: Logger) => [
  new RowChore(pool, log, 'events', deleteEvents(retentionMs)),
  new RowChore(pool, log, 'notices of occurrences', DELETE_NOTICES),
];
