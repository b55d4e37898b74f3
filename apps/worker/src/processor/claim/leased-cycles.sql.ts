/** Of these orders those that are not charged any more. $1 order ids. */
export const INACTIVE = `SELECT o.id FROM scheduled_orders o
WHERE o.id = ANY ($1::bigint[]) AND (o.status <> 'Active' OR o.deleted_utc IS NOT NULL)`;
