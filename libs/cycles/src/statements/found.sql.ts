import { businessNowSql, siteClockSql } from '#libs/entities';
import { FAILURE_CODES } from '#libs/rules';
import { worked } from './worked.js';

/** SQL: what was frozen with this amount stays. */
const asFrozen = (column: string, found: string) =>
  `${column} = CASE WHEN c.frozen IS NOT NULL AND c.attempt = $4 AND c.amount = $5 THEN c.${column} ELSE ${found} END`;

const FAILURE_CODE = `CASE WHEN $11::text = 'Held' THEN ${FAILURE_CODES.PaymentDiffers.code} ELSE ${FAILURE_CODES.GatewayCommunicationFailed.code} END`;

/**
 * Parameters of the statements below: $1 site id, $2 order id, $3 cycle, $4 to $13 as named, $14 due, $15 replaced, $16 version of rates, $17 cycles of
 * the order, $18 fixed totals and $19 unit prices of what was priced.
 */
const FOUND = `attempt = greatest(c.attempt, $4), amount = $5, currency_iso = $6, payment_method_type = $7, payment_integration_id = $8,
  started_utc = $9, ${asFrozen('frozen', '$10')}, ${asFrozen('rates_version', '$16::bigint')}, ${asFrozen('order_cycles', '$17::bigint')},
  ${asFrozen('fixed_totals', '$18::text')}, ${asFrozen('unit_prices', '$19::text')}, resolution = $11::text, gateway_transaction_id = $12, failure_code = ${FAILURE_CODE}, failure_message = $13`;

/**
 * Puts a found charge into the open cycle of its order. Resolution `Found`: the next check records it. Null: the gateway has not decided, so the
 * transaction is looked up. `Held`: it needs manual review. A worker that leases the cycle loses it. pk_processing_cycles.
 */
export const TAKE_OPEN = `UPDATE processing_cycles c
SET state = 'Unknown', ${FOUND}, due_utc = $14, replaced_utc = $15, given_up = false, waiting_since_utc = NULL, held_for = NULL, claim = c.claim + 1, worker = NULL,
  lease_until_utc = NULL, next_attempt_utc = ${worked(businessNowSql('c'))}, updated_utc = now()
WHERE c.site_id = $1 AND c.scheduled_order_id = $2 AND c.cycle = $3 AND c.open`;

/**
 * The same with a new cycle for the found charge. Nothing is ever sent for it, and its order does not change: it is stopped from the beginning
 * (LOAD_IN_DOUBT recognises it by that). If it was not paid, the cycle ends.
 */
export const INSERT_FOUND = `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, attempt, amount, currency_iso, payment_method_type,
  payment_integration_id, started_utc, frozen, resolution, gateway_transaction_id, failure_code, failure_message, stopped_utc,
  due_utc, replaced_utc, next_attempt_utc, order_id, rates_version, order_cycles, fixed_totals, unit_prices, simulated, begun_utc)
VALUES ($1, $2, $3, 'Unknown', true, $4, $5, $6, $7, $8, $9, $10, $11::text, $12, ${FAILURE_CODE}, $13,
  CASE WHEN $11::text IS DISTINCT FROM 'Found' THEN now() END, $14, $15, coalesce(${siteClockSql('$1::bigint')}, now()), nextval('orders_id_seq'),
  $16::bigint, $17::bigint, $18::text, $19::text, (SELECT o.simulated FROM scheduled_orders o WHERE o.id = $2),
  ${siteClockSql('$1::bigint')})`;
