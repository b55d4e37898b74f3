import type { Transaction } from '#libs/platform';

/** From so many failures in a row on, one delivery probes an endpoint, and the others wait. */
export const BREAKER_FAILURES = 5;

/** SQL: whether an endpoint wants events of a type. `patterns` is `event_types`. */
const wantsSql = (patterns: string, type: string): string => `(${patterns} = '[]' OR EXISTS (
    SELECT FROM jsonb_array_elements_text(${patterns}) p
    WHERE ${type} = p OR right(p, 2) = '.*' AND starts_with(${type}, left(p, -1))))`;

/**
 * SQL: the rows of `webhook_deliveries` for events `o` of `outbox` and endpoints `e`, to follow `INSERT INTO
 * webhook_deliveries (DELIVERY_COLUMNS)`. For an `Ordered` endpoint only the first waiting event of a scheduled order
 * has a time: the others get theirs when it is finished (ix_webhook_deliveries_ordered). The endpoints must be locked:
 * else the one before could be finished unseen in the meantime.
 */
export const deliveriesSql = (fromAndWhere: string): string => `
  SELECT o.site_id, e.id, o.sequence, o.event_id, o.type, o.scheduled_order_id, e.ordered AND o.scheduled_order_id IS NOT NULL,
    CASE WHEN e.ordered AND o.scheduled_order_id IS NOT NULL AND (
        row_number() OVER (PARTITION BY e.id, o.scheduled_order_id ORDER BY o.sequence) > 1
        OR EXISTS (SELECT FROM webhook_deliveries w WHERE w.webhook_endpoint_id = e.id AND w.scheduled_order_id = o.scheduled_order_id
            AND w.ordered AND w.state = 'Waiting'))
      THEN NULL ELSE now() END
  ${fromAndWhere} AND ${wantsSql('e.event_types', 'o.type')}`;

export const DELIVERY_COLUMNS = `site_id, webhook_endpoint_id, sequence, event_id, event_type, scheduled_order_id, ordered, next_attempt_utc`;

/**
 * SQL: the time at which a worker is to look at the endpoint `e` again. ix_webhook_deliveries_due.
 * `notBefore`: its new `not_before_utc`, as SQL.
 */
export const nextDueSql = (
  notBefore: string,
): string => `CASE WHEN e.status = 'Enabled' AND e.deleted_utc IS NULL THEN (
    SELECT greatest(${notBefore}, d.next_attempt_utc) FROM webhook_deliveries d
    WHERE d.webhook_endpoint_id = e.id AND d.next_attempt_utc IS NOT NULL ORDER BY d.next_attempt_utc, d.id LIMIT 1) END`;

/** Locks the endpoint: whatever changes its queue does so first. $1 endpoint. */
export const LOCK_ENDPOINT = `SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE`;

/** After a change of its deliveries. $1 endpoint. */
export const LOOK_AGAIN = `UPDATE webhook_endpoints e SET next_due_utc = ${nextDueSql('e.not_before_utc')} WHERE e.id = $1`;

/**
 * Gives a time to each delivery that has none although nothing is before it any more, and to all where the endpoint is
 * not `Ordered` any more. $1 endpoint.
 */
export const RELEASE_HEADS = `UPDATE webhook_deliveries d SET next_attempt_utc = now(), ordered = e.ordered
FROM webhook_endpoints e
WHERE e.id = $1 AND d.webhook_endpoint_id = e.id AND d.ordered AND d.state = 'Waiting' AND d.next_attempt_utc IS NULL AND (
  NOT e.ordered OR NOT EXISTS (SELECT FROM webhook_deliveries b WHERE b.webhook_endpoint_id = e.id
    AND b.scheduled_order_id = d.scheduled_order_id AND b.ordered AND b.state = 'Waiting' AND b.sequence < d.sequence))`;

/**
 * SQL: whether nothing was delivered to the endpoint called `alias` since its first failure, and no person has disabled
 * it since.
 */
export const isFailingSql = (alias: string): string =>
  `${alias}.deleted_utc IS NULL AND ${alias}.failing_since_utc IS NOT NULL AND (${alias}.status = 'Enabled' OR ${alias}.disabled_reason IS NOT NULL)`;

/**
 * After a change of an endpoint's deliveries, or of what they wait for: what nothing holds back any more may go. The
 * endpoint must be locked.
 */
export async function queueChanged(tx: Transaction, endpointId: number): Promise<void> {
  await tx.execute(RELEASE_HEADS, [endpointId]);
  await tx.execute(LOOK_AGAIN, [endpointId]);
}
