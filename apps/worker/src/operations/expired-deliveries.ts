import type { Logger } from '#libs/config';
import type { SqlExecutor } from '#libs/database';
import { ExpiredRows } from './expired-rows.js';

/** Deliveries are kept as long as their events. Only the oldest are looked at: pk_webhook_deliveries, uq_outbox_sequence. */
const DELETE_EXPIRED = `DELETE FROM webhook_deliveries WHERE id IN (
  SELECT n.id FROM (SELECT d.id, d.sequence FROM webhook_deliveries d ORDER BY d.id LIMIT $1) n
  WHERE NOT EXISTS (SELECT FROM outbox o WHERE o.sequence = n.sequence))
RETURNING 1`;

export const expiredDeliveries = (pool: SqlExecutor, log: Logger) =>
  new ExpiredRows(pool, log, 'webhook deliveries', DELETE_EXPIRED);
