import { queueChanged } from '#libs/events';
import type { ConnectionPool, Logger } from '#libs/platform';
import { RowChore } from '../guards/row-chore.js';

/**
 * Deliveries are kept as long as their events. Only the oldest are looked at: pk_webhook_deliveries,
 * uq_outbox_sequence. $1 limit.
 */
const EXPIRED = `SELECT n.id FROM (SELECT d.id, d.sequence FROM webhook_deliveries d ORDER BY d.id LIMIT $1) n
WHERE NOT EXISTS (SELECT FROM outbox o WHERE o.sequence = n.sequence)`;

/** In order of id, so that two transactions cannot wait for each other. $1 deliveries. */
const LOCK_ENDPOINTS_OF_DELIVERIES = `SELECT e.id FROM webhook_endpoints e
WHERE e.id IN (SELECT d.webhook_endpoint_id FROM webhook_deliveries d WHERE d.id = ANY ($1::bigint[])) ORDER BY e.id FOR NO KEY UPDATE`;

/** $1 deliveries. */
const DELETE_DELIVERIES = `DELETE FROM webhook_deliveries WHERE id = ANY ($1::bigint[])
RETURNING webhook_endpoint_id, state = 'Waiting' AS waited`;

/** A delivery that still waits goes as well: what is behind it at an `Ordered` endpoint has its turn then. */
async function deleteExpired(pool: ConnectionPool, most: number): Promise<number> {
  return pool.transaction(async (tx) => {
    const ids = (await tx.execute<{ id: number }>(EXPIRED, [most])).map(({ id }) => id);
    if (ids.length === 0) return 0;
    await tx.execute(LOCK_ENDPOINTS_OF_DELIVERIES, [ids]);
    const deleted = await tx.execute<{ webhookEndpointId: number; waited: boolean }>(DELETE_DELIVERIES, [ids]);
    const changed = new Set(deleted.filter(({ waited }) => waited).map((row) => row.webhookEndpointId));
    for (const endpointId of changed) await queueChanged(tx, endpointId);
    return deleted.length;
  });
}

export const expiredDeliveries = (pool: ConnectionPool, log: Logger) =>
  new RowChore(pool, log, 'webhook deliveries', deleteExpired);
