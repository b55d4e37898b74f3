/**
 * Of these orders those that are not charged any more. The processor itself makes an order Pending while an outcome stays unknown: that stops nothing.
 * uq_processing_cycles_open. $1 order ids.
 */
export const INACTIVE = `SELECT o.id FROM scheduled_orders o LEFT JOIN processing_cycles c ON c.scheduled_order_id = o.id AND c.open
WHERE o.id = ANY ($1::bigint[]) AND (o.status <> 'Active' OR o.deleted_utc IS NOT NULL)
  AND (c.state IS DISTINCT FROM 'Unknown' OR c.stopped_utc IS NOT NULL)`;
