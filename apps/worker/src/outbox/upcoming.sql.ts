import { UPCOMING_NOTICE_DAYS } from '#libs/entities';
import { listensSql, OUTBOX_COLUMNS, WAKE_SQL } from '#libs/outbox';

/** An order whose next occurrence can be announced. An open cycle moves the date with its retries. uq_processing_cycles_open. */
const ANNOUNCEABLE = `o.status = 'Active' AND o.deleted_utc IS NULL
    AND NOT EXISTS (SELECT 1 FROM processing_cycles c WHERE c.scheduled_order_id = o.id AND c.open)`;

/**
 * Occurrences of sites that listen, within their notice and not announced yet; of every site the nearest first. ix_sites_listening,
 * ix_scheduled_orders_site_due, pk_upcoming_notices. $1 at most so many.
 */
export const FIND_UPCOMING = `SELECT s.id AS site_id, o.id, o.next_occurrence_utc
FROM sites s
LEFT JOIN site_settings g ON g.site_id = s.id
CROSS JOIN LATERAL (
  SELECT o.id, o.next_occurrence_utc FROM scheduled_orders o
  WHERE o.site_id = s.id AND ${ANNOUNCEABLE}
    AND o.next_occurrence_utc > now() AND o.next_occurrence_utc <= now() + coalesce(g.upcoming_notice_days, ${UPCOMING_NOTICE_DAYS}) * interval '1 day'
    AND NOT EXISTS (SELECT 1 FROM upcoming_notices n WHERE n.scheduled_order_id = o.id AND n.occurrence_utc = o.next_occurrence_utc)
  ORDER BY o.next_occurrence_utc, o.id
  LIMIT $1) o
WHERE s.listens_since_utc IS NOT NULL
LIMIT $1`;

/**
 * Announces what was priced, unless the order has changed since, or a request has it locked: then the next round does. The order's row is locked and
 * not written. pk_scheduled_orders, pk_upcoming_notices. $1 order ids, $2 versions, $3 occurrences, $4 facts, JSON. One row for each.
 */
export const ANNOUNCE = `WITH b AS (
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::jsonb[]) AS b (id, version, occurrence_utc, facts)
), locked AS MATERIALIZED (
  SELECT o.id, o.site_id, o.next_occurrence_utc, b.facts
  FROM b JOIN scheduled_orders o ON o.id = b.id
  WHERE o.xmin = b.version::xid AND o.next_occurrence_utc = b.occurrence_utc AND ${ANNOUNCEABLE}
  ORDER BY o.id
  FOR NO KEY UPDATE OF o SKIP LOCKED
), noticed AS (
  INSERT INTO upcoming_notices (scheduled_order_id, occurrence_utc)
  SELECT id, next_occurrence_utc FROM locked WHERE ${listensSql('site_id', 'locked')}
  ON CONFLICT DO NOTHING
  RETURNING scheduled_order_id
)
INSERT INTO outbox (${OUTBOX_COLUMNS})
SELECT l.site_id, l.id, 'scheduled_order.upcoming', NULL, l.facts
FROM noticed n JOIN locked l ON l.id = n.scheduled_order_id
ORDER BY l.id
RETURNING ${WAKE_SQL}`;
