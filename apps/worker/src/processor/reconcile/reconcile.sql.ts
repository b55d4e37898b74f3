import { allCyclesSql, CONCERNS, IS_UNCOMPARED, isSettledSql } from '#libs/cycles';
import { Batch, Statement } from '#libs/database';

/** Whether the order of this id has a charge that is not in the ledger yet. ix_found_charges_unplaced. */
export const hasUnplaced = (orderId: string): string =>
  `EXISTS (SELECT 1 FROM found_charges f WHERE f.scheduled_order_id = ${orderId} AND f.state = 'Unplaced')`;

/**
 * The integrations of a site that still have to be reconciled (deleted ones do not): from which instant on, for how long no other worker can have
 * begun a request in another state of the database, and how far its charges were listed already. uq_payment_integrations_type.
 * $1 site id, $2 generation.
 */
export const UNRECONCILED = `SELECT i.id, i.payment_method_type, i.xmin::text AS version, min(d.cut_off_utc) AS cut_off_utc,
  (extract(epoch FROM now() - min(d.cut_off_utc)) * 1000)::bigint AS ago_ms,
  (extract(epoch FROM now() - max(CASE d.cause WHEN 'gap' THEN pg_postmaster_start_time() ELSE d.began_utc END)) * 1000)::bigint AS quiet_for_ms,
  min(r.list_cursor) FILTER (WHERE r.list_generation = $2) AS cursor
FROM payment_integrations i
LEFT JOIN integration_reconciliations r ON r.payment_integration_id = i.id
JOIN required_reconciliations d ON d.generation > coalesce(r.generation, 0) AND ${CONCERNS}
WHERE i.site_id = $1 AND i.deleted_utc IS NULL
GROUP BY i.id`;

/** Some sites with an integration that still has to be reconciled, by id. $1 the last site of the batch before. */
export const UNRECONCILED_SITES = `SELECT DISTINCT ON (i.site_id) i.site_id, i.payment_method_type
FROM payment_integrations i
WHERE i.site_id > $1 AND i.deleted_utc IS NULL AND ${IS_UNCOMPARED}
ORDER BY i.site_id
LIMIT 50`;

/**
 * Does nothing when its credentials have changed since: they may be another account's, whose charges were not listed. The lock waits for a request
 * that is changing them now. $1 integration id, $2 the generation and $3 the version of its row that were read before its charges were listed.
 */
export const RECONCILED = `INSERT INTO integration_reconciliations (payment_integration_id, generation)
SELECT i.id, $2 FROM payment_integrations i WHERE i.id = $1 AND i.xmin = $3::xid FOR SHARE
ON CONFLICT (payment_integration_id) DO UPDATE
SET generation = excluded.generation, list_generation = NULL, list_cursor = NULL, done_utc = now()
WHERE integration_reconciliations.generation < excluded.generation`;

/**
 * Everything before the cursor is kept. Under the condition of RECONCILED, because another account's list has other cursors.
 * $1 integration id, $2 generation, $3 version of its row, $4 cursor.
 */
export const LISTED_TO = `INSERT INTO integration_reconciliations (payment_integration_id, generation, list_generation, list_cursor)
SELECT i.id, 0, $2, $4 FROM payment_integrations i WHERE i.id = $1 AND i.xmin = $3::xid FOR SHARE
ON CONFLICT (payment_integration_id) DO UPDATE SET list_generation = excluded.list_generation, list_cursor = excluded.list_cursor
WHERE integration_reconciliations.generation < excluded.list_generation`;

/** `cycle`: 0 where the charge names its occurrence instead. `is_anyones`: it may be another installation's, or other software's. */
export const LISTED_CHARGES = new Batch(
  {
    transaction_id: 'text',
    order_id: 'bigint',
    cycle: 'bigint',
    attempt: 'bigint',
    due_utc: 'timestamptz',
    amount: 'bigint',
    currency_iso: 'text',
    charged_utc: 'timestamptz',
    is_charged: 'boolean',
    gateway_customer_id: 'text',
    is_anyones: 'boolean',
  },
  5,
);

/**
 * Stores the listed charges that the ledger lacks: no completed cycle of their order has the transaction, and no worker leases exactly this attempt.
 * Another attempt of the same cycle came from lost commits. A charge of an order of another site belongs to another installation that uses the same
 * account. What may be anyone's (it names another installation, or a number that other software uses as well) is left out, unless it charged a customer
 * of the order's customer: a guest's or a stranger's payment is never this order's. A cycle that was completed before the cut-off was not charged again
 * by lost commits: when the gateway does not know the occurrence, a charge with its number is another installation's too. What somebody has settled
 * as a charge without an Order stays so, and so does the charge of an earlier attempt of a completed cycle: it was told when it was given back. The archive
 * counts as the ledger does.
 * pk_processing_cycles, pk_archived_cycles, pk_gateway_customers, uq_payment_differences_fact.
 * $1 integration id, $2 site id, $3 whether workers may be charging, $4 until when nothing is lost (null: not known), then the charges.
 */
export const KEEP_UNKNOWN = `INSERT INTO found_charges (payment_integration_id, site_id, transaction_id, scheduled_order_id, cycle, attempt, due_utc, amount,
  currency_iso, charged_utc, is_charged, is_doubtful, state)
SELECT $1, $2, b.transaction_id, b.order_id, b.cycle, b.attempt, b.due_utc, b.amount, b.currency_iso, b.charged_utc, b.is_charged,
  NOT coalesce(customer.is_known, false) OR b.is_anyones AND b.due_utc IS NOT NULL, CASE WHEN o.id IS NULL THEN 'Orphan' ELSE 'Unplaced' END
FROM ${LISTED_CHARGES.sql}
LEFT JOIN scheduled_orders o ON o.id = b.order_id
CROSS JOIN LATERAL (SELECT b.gateway_customer_id IS NULL AND NOT b.is_anyones OR b.gateway_customer_id = o.payment_method_customer_id
    OR EXISTS (SELECT 1 FROM gateway_customers g WHERE g.customer_id = o.customer_id AND g.gateway_customer_id = b.gateway_customer_id)
    OR EXISTS (SELECT 1 FROM ${allCyclesSql('o')} c WHERE c.gateway_customer_id = b.gateway_customer_id)
    AS is_known) customer
WHERE (o.id IS NULL OR o.site_id = $2) AND (customer.is_known OR NOT b.is_anyones) AND NOT ${isSettledSql('$2', 'b.transaction_id', 'b.order_id')}
  AND NOT EXISTS (SELECT 1 FROM ${allCyclesSql('o')} c
    WHERE (c.state = 'Completed' AND c.gateway_transaction_id = b.transaction_id
      OR c.state = 'Completed' AND c.past_attempts @> jsonb_build_array(jsonb_build_object('GatewayTransactionId', b.transaction_id))
      OR c.state = 'Completed' AND b.due_utc IS NULL AND c.cycle = b.cycle AND c.updated_utc < $4::timestamptz
      OR $3 AND c.state = 'Charging' AND coalesce(b.due_utc = date_trunc('second', c.due_utc), c.cycle = b.cycle) AND c.attempt = b.attempt AND c.lease_until_utc > now()))
ON CONFLICT DO NOTHING
RETURNING scheduled_order_id, transaction_id, state`;

/** Which of these orders have a charge that is not in the ledger yet. ix_found_charges_unplaced. $1 order ids. */
export const UNPLACED_AMONG = `SELECT DISTINCT f.scheduled_order_id FROM found_charges f
WHERE f.state = 'Unplaced' AND f.scheduled_order_id = ANY ($1::bigint[])`;

/** Whether there is any: nearly always there is none, and each tick asks. ix_found_charges_unplaced. */
export const HAS_UNPLACED = Statement.of(
  `SELECT EXISTS (SELECT FROM found_charges f WHERE f.state = 'Unplaced') AS found`,
);

/**
 * One such charge of each order, of integrations whose lists have been read to the end: until then an older one may still be listed. The oldest, and
 * last those that may be another installation's: their order is held, and no other charge finds its place before a person has decided. The orders come
 * in an order of each reader's own, so that workers do not follow each other, and all shops have their turn. ix_found_charges_unplaced.
 * $1 limit, $2 the place of the last order of the batch before (null: from the beginning), $3 the reader's seed.
 */
export const UNPLACED = `SELECT DISTINCT ON (place.value, f.scheduled_order_id) place.value AS place, f.payment_integration_id, f.transaction_id, f.scheduled_order_id, f.cycle, f.attempt,
  f.due_utc, f.amount, f.currency_iso, f.charged_utc, f.is_charged, f.is_doubtful, f.site_id, i.payment_method_type
FROM found_charges f JOIN payment_integrations i ON i.id = f.payment_integration_id
  CROSS JOIN LATERAL (SELECT hashint8extended(f.scheduled_order_id, $3::bigint) AS value) place
WHERE f.state = 'Unplaced' AND ($2::bigint IS NULL OR place.value > $2) AND (i.deleted_utc IS NOT NULL OR NOT ${IS_UNCOMPARED})
ORDER BY place.value, f.scheduled_order_id, f.is_doubtful, f.charged_utc, f.transaction_id
LIMIT $1`;

/** The order that a charge names, with the lock that requests take. A worker has claimed it before, or claims it afterwards. $1 order id. */
export const LOCK_ORDER = `SELECT o.currency_iso, o.next_occurrence_utc, o.replaced_occurrence_utc, o.frequency_type, o.frequency,
  o.schedule_anchor_utc, o.archived_cycle
FROM scheduled_orders o WHERE o.id = $1 FOR NO KEY UPDATE`;

/** The newest cycles of an order, locked. pk_processing_cycles, backwards. $1 order id. */
export const LOCK_CYCLES = `SELECT c.cycle, c.state, c.open, c.due_utc, c.replaced_utc, c.attempt, c.gateway_transaction_id, c.amount, c.currency_iso, c.resolution,
  c.state = 'Charging' AND coalesce(c.lease_until_utc > now(), false) AS is_leased
FROM processing_cycles c WHERE c.scheduled_order_id = $1 ORDER BY c.cycle DESC LIMIT 100 FOR NO KEY UPDATE`;

/**
 * Unless another worker has placed it. `Known` is also what somebody has settled since it was found: an integration that was deleted and made again lists
 * the same charge. Run it with the order locked. pk_found_charges, uq_payment_differences_fact. $1 integration id, $2 transaction id, $3 state.
 */
export const MARK_FOUND = `UPDATE found_charges f
SET state = CASE WHEN ${isSettledSql('f.site_id', 'f.transaction_id', 'f.scheduled_order_id')} THEN 'Known' ELSE $3 END
WHERE f.payment_integration_id = $1 AND f.transaction_id = $2 AND f.state = 'Unplaced'
RETURNING f.state`;
