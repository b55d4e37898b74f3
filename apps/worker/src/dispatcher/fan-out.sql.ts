import { deliveriesSql, DELIVERY_COLUMNS } from '#libs/events';

/** One worker at a time; the others do nothing. pk_webhook_fan_out. */
export const TAKE_POSITION = `SELECT sequence FROM webhook_fan_out FOR UPDATE SKIP LOCKED`;

/** The next events, and the sites that they are of. uq_outbox_sequence. $1 position, $2 limit. */
export const NEXT_EVENTS = `SELECT max(n.sequence) AS last, array_agg(DISTINCT n.site_id)::text AS sites, count(*)::int AS count
FROM (SELECT o.sequence, o.site_id FROM outbox o WHERE o.sequence > $1 ORDER BY o.sequence LIMIT $2) n`;

/** Locked in order of id, so that two transactions cannot wait for each other. ix_webhook_endpoints_site. $1 sites. */
export const LOCK_ENDPOINTS_OF_SITES = `SELECT e.id FROM webhook_endpoints e
WHERE e.site_id = ANY ($1::bigint[]) AND e.deleted_utc IS NULL AND e.status = 'Enabled' ORDER BY e.id FOR NO KEY UPDATE`;

/**
 * What happened before an endpoint was made is not sent by itself. Wakes the endpoints that got something, unless their
 * rate or breaker holds them. An endpoint that is awake is written as well, if it was not within a minute: so its stamp
 * shows a clock that is wrong (PUT_BACK_WEBHOOKS). uq_outbox_sequence, ix_webhook_endpoints_site. $1 after, $2 up to,
 * $3 endpoints.
 */
export const FAN_OUT = `WITH made AS (
  INSERT INTO webhook_deliveries (${DELIVERY_COLUMNS})
  ${deliveriesSql(`FROM outbox o JOIN webhook_endpoints e ON e.site_id = o.site_id AND e.created_utc <= o.occurred_utc
  WHERE o.sequence > $1 AND o.sequence <= $2 AND e.id = ANY ($3::bigint[])`)}
  ON CONFLICT DO NOTHING
  RETURNING webhook_endpoint_id
)
UPDATE webhook_endpoints e SET next_due_utc = least(e.next_due_utc, greatest(now(), e.not_before_utc))
WHERE e.id IN (SELECT m.webhook_endpoint_id FROM made m)
  AND (e.next_due_utc IS NULL OR e.next_due_utc > greatest(now(), e.not_before_utc) OR e.written_utc < now() - interval '1 minute')`;

/** $1 position. */
export const MOVE_POSITION = `UPDATE webhook_fan_out SET sequence = $1`;
