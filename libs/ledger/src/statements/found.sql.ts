import { businessNowSql, siteClockSql } from '#libs/entities';
import { Batch, type BatchRow, type Transaction } from '#libs/platform';
import { FAILURE_CODES } from '#libs/rules';
import { assignedSql, CHARGED, columnsSql, PRICED, WITH_PRESENT_ATTEMPT } from './freeze.sql.js';
import { worked } from './worked.js';

const OF_CHARGE = { ...CHARGED, ...PRICED };

const FOUND_CHARGES = new Batch({
  site_id: 'bigint',
  id: 'bigint',
  cycle: 'bigint',
  attempt: 'bigint',
  type: 'text',
  charged_utc: 'timestamptz',
  resolution: 'text',
  transaction_id: 'text',
  reason: 'text',
  due_utc: 'timestamptz',
  replaced_utc: 'timestamptz',
  ...OF_CHARGE,
});

/**
 * A charge that was found at a gateway, and its place. `id`: of the order. `type`: the payment method's. `resolution`:
 * `Found`: the next check records it. Null: the gateway has not decided, so the transaction is looked up.
 * `NeedsReview`: a person decides. `reason`: for the shop.
 */
export type FoundRow = BatchRow<typeof FOUND_CHARGES>;

/** SQL: what was frozen with this amount stays. */
const asFrozen = (column: string) =>
  `CASE WHEN c.frozen IS NOT NULL AND c.attempt = b.attempt AND c.amount = b.amount THEN c.${column} ELSE b.${column} END`;

const FAILURE_CODE = `CASE WHEN b.resolution = 'NeedsReview' THEN ${FAILURE_CODES.PaymentDiffers.code} ELSE ${FAILURE_CODES.GatewayCommunicationFailed.code} END`;

/** SQL: whether a cycle was made for a found charge that is not certain to have paid (INSERT_FOUND). */
export const madeForFoundSql = (cycle: string): string =>
  `coalesce(${cycle}.stopped_utc = ${cycle}.created_utc, false)`;

/**
 * Puts a found charge into the open cycle of its order. A worker that leases the cycle loses it. One that is held is
 * not what the cycle's last attempt became: that one moves to the history. pk_processing_cycles.
 */
export const TAKE_OPEN = `UPDATE processing_cycles c
SET state = 'Unknown', attempt = greatest(c.attempt, b.attempt), payment_method_type = b.type, started_utc = b.charged_utc,
  ${assignedSql(CHARGED)}, ${assignedSql(PRICED, asFrozen)}, resolution = b.resolution,
  gateway_transaction_id = b.transaction_id, failure_code = ${FAILURE_CODE}, failure_message = b.reason, due_utc = b.due_utc,
  past_attempts = ${worked(`CASE WHEN b.resolution = 'NeedsReview' AND c.idempotency_key IS NOT NULL THEN ${WITH_PRESENT_ATTEMPT} ELSE c.past_attempts END`)},
  idempotency_key = CASE WHEN b.resolution IS DISTINCT FROM 'NeedsReview' THEN c.idempotency_key END,
  replaced_utc = b.replaced_utc, retries_exhausted = false, waiting_since_utc = NULL, held_for = NULL, claim = c.claim + 1, worker = NULL,
  lease_until_utc = NULL, next_attempt_utc = ${worked(businessNowSql('c'))}, updated_utc = now()
FROM ${FOUND_CHARGES.sql}
WHERE c.site_id = b.site_id AND c.scheduled_order_id = b.id AND c.cycle = b.cycle AND c.open`;

/**
 * The same with a new cycle for the found charge. Nothing is ever sent for it, and its order does not change: it is
 * stopped from the beginning (`madeForFoundSql`). If it was not paid, the cycle ends.
 */
export const INSERT_FOUND = `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, attempt, payment_method_type, started_utc, resolution,
  gateway_transaction_id, failure_code, failure_message, stopped_utc, due_utc, replaced_utc, next_attempt_utc, order_id, ${columnsSql(OF_CHARGE)}, simulated, begun_utc)
SELECT b.site_id, b.id, b.cycle, 'Unknown', true, b.attempt, b.type, b.charged_utc, b.resolution, b.transaction_id,
  ${FAILURE_CODE}, b.reason, CASE WHEN b.resolution IS DISTINCT FROM 'Found' THEN now() END, b.due_utc, b.replaced_utc,
  coalesce(${siteClockSql('b.site_id')}, now()), nextval('orders_id_seq'), ${columnsSql(OF_CHARGE, 'b.')},
  (SELECT o.simulated FROM scheduled_orders o WHERE o.id = b.id), ${siteClockSql('b.site_id')}
FROM ${FOUND_CHARGES.sql}`;

/** In the order's open cycle, or in a new one. */
export const recordFound = (tx: Transaction, where: 'open' | 'new', charge: FoundRow) =>
  tx.execute(where === 'open' ? TAKE_OPEN : INSERT_FOUND, FOUND_CHARGES.values([charge]));
