import { ProcessingCycle } from '#libs/entities';
import { utcSql, view } from '#libs/records';
import { FAILURE_CODES } from '#libs/rules';

/** An entry of `GET /api/ScheduledOrders/{id}/Cycles`; `Amount` in minor units (decisions.md §12). */
export const cycleView = view(ProcessingCycle, 'processing_cycles', [
  'cycle',
  'state',
  'dueUtc',
  { name: 'PassedOver', sql: (alias) => `${alias}.missed_occurrences` },
  { name: 'Attempts', sql: (alias) => `${alias}.attempt` },
  // The id is allocated with the claim. Until the Order is written, no Order has it.
  { name: 'OrderId', sql: (alias) => `CASE WHEN ${alias}.state = 'Completed' THEN ${alias}.order_id END` },
  'amount',
  'currencyIso',
  'paymentMethodType',
  'gatewayTransactionId',
  'failureCode',
  { name: 'NextAttemptUtc', sql: (alias) => utcSql(nextAttemptSql(alias)) },
  'createdUtc',
  'updatedUtc',
]);

/**
 * SQL: the newest cycles of an order up to a number, at most so many, a row type like `processing_cycles` (see
 * `allCyclesSql`). The archive is read only when the ledger has too few of them, and of it no more blocks than needed:
 * what it has is older than all that the ledger has. `order`: alias of its row of `scheduled_orders`; `upTo`, `most`:
 * SQL. pk_processing_cycles, pk_archived_cycles, backwards.
 */
export const newestCyclesSql = (order: string, upTo: string, most: string): string => `(
  WITH ledger AS MATERIALIZED (
    SELECT l.* FROM processing_cycles l WHERE l.scheduled_order_id = ${order}.id AND l.cycle <= ${upTo} ORDER BY l.cycle DESC LIMIT ${most})
  SELECT n.* FROM ledger n
  UNION ALL (
    SELECT r.* FROM archived_cycles a CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) r
    WHERE ${order}.archived_cycle IS NOT NULL AND (SELECT count(*) FROM ledger) < ${most}
      AND a.scheduled_order_id = ${order}.id AND r.cycle <= ${upTo}
      AND a.last_cycle <= coalesce((SELECT f.last_cycle FROM archived_cycles f
        WHERE f.scheduled_order_id = ${order}.id AND f.last_cycle >= ${upTo} ORDER BY f.last_cycle LIMIT 1), ${upTo})
    ORDER BY a.last_cycle DESC, r.cycle DESC LIMIT ${most}))`;

/**
 * SQL: the state of the open cycle of an order; null: it has none. `order`: alias of its row of `scheduled_orders`.
 * uq_processing_cycles_open.
 */
export const openStateSql = (order: string): string =>
  `(SELECT c.state FROM processing_cycles c WHERE c.scheduled_order_id = ${order}.id AND c.open)`;

/** SQL: whether the order has no open cycle. */
export const isFreeSql = (order: string): string =>
  `NOT EXISTS (SELECT 1 FROM processing_cycles c WHERE c.scheduled_order_id = ${order}.id AND c.open)`;

/**
 * SQL for the time of the cycle's next try. A cycle that waits for its payment integration stores only the end of its
 * wait: its next try is the integration's next probe. One that is held is not tried by itself. pk_integration_waits.
 */
export const nextAttemptSql = (cycle: string): string => `CASE
  WHEN ${cycle}.held_for IS NOT NULL AND ${cycle}.state = 'Waiting' THEN NULL
  WHEN ${cycle}.open AND ${cycle}.next_attempt_utc IS NOT NULL AND ${cycle}.waiting_since_utc IS NOT NULL AND ${cycle}.failure_code = ${FAILURE_CODES.PaymentIntegrationNotFound.code}
  THEN least(${cycle}.next_attempt_utc, (SELECT w.next_probe_utc FROM integration_waits w
    WHERE w.site_id = ${cycle}.site_id AND w.payment_method_type = ${cycle}.payment_method_type))
  ELSE ${cycle}.next_attempt_utc END`;
