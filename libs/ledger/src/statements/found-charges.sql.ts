import type { PaymentMethodType } from '#libs/gateways';
import {
  Batch,
  type BatchRow,
  type ConnectionPool,
  numbers,
  type SqlExecutor,
  Statement,
  type Transaction,
} from '#libs/platform';
import type { FrequencyType } from '#libs/rules';
import { IS_UNCOMPARED } from '../deployment/required-reconciliation.js';
import { allCyclesSql } from '../reading/archive.js';
import { isSettledSql } from './differences.sql.js';

/**
 * The charges that the gateways have and the ledger lacks, in the table `found_charges`, until they have their places
 * in the ledger (`found.sql.ts`).
 */

/** Whether the order of this id has a charge that is not in the ledger yet. ix_found_charges_unplaced. */
export const hasUnplacedSql = (orderId: string): string =>
  `EXISTS (SELECT 1 FROM found_charges f WHERE f.scheduled_order_id = ${orderId} AND f.state = 'Unplaced')`;

const LISTED_CHARGES = new Batch(
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
 * A charge of a gateway's list. `cycle`: 0 where it names its occurrence instead. `is_anyones`: it may be another
 * installation's, or other software's.
 */
export type ListedRow = BatchRow<typeof LISTED_CHARGES>;

/**
 * Stores the listed charges that the ledger lacks: no completed cycle of their order has the transaction, and no worker
 * leases exactly this attempt. Another attempt of the same cycle came from lost commits. A charge of an order of
 * another site belongs to another installation that uses the same account. What may be anyone's (it names another
 * installation, or a number that other software uses as well) is left out, unless it charged a customer of the order's
 * customer: a guest's or a stranger's payment is never this order's. A cycle that was completed before the cut-off was
 * not charged again by lost commits: when the gateway does not know the occurrence, a charge with its number is another
 * installation's too. What somebody has settled as a charge without an Order stays so, and so does the charge of an
 * earlier attempt of a completed cycle: it was told when it was given back. The archive counts as the ledger does.
 * pk_processing_cycles, pk_archived_cycles, pk_gateway_customers, uq_payment_differences_fact. $1 integration id, $2
 * site id, $3 whether workers may be charging, $4 until when nothing is lost (null: not known), then the charges.
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
      OR $3 AND c.state = 'Charging' AND b.due_utc = date_trunc('second', c.due_utc) AND c.attempt = b.attempt AND c.lease_until_utc > now()))
ON CONFLICT DO NOTHING
RETURNING scheduled_order_id, transaction_id, state`;

/** Which of these orders have a charge that is not in the ledger yet. ix_found_charges_unplaced. $1 order ids. */
export const UNPLACED_AMONG = `SELECT DISTINCT f.scheduled_order_id FROM found_charges f
WHERE f.state = 'Unplaced' AND f.scheduled_order_id = ANY ($1::bigint[])`;

/** Whether there is any: nearly always there is none, and each tick asks. ix_found_charges_unplaced. */
export const HAS_UNPLACED = Statement.named(
  `SELECT EXISTS (SELECT FROM found_charges f WHERE f.state = 'Unplaced') AS found`,
);

/**
 * One such charge of each order, of integrations whose lists have been read to the end: until then an older one may
 * still be listed. First that of the open cycle's occurrence, beside which no other has a place; then the oldest, by
 * the gateway's clock; last those that may be another installation's: their order is held, and no other charge finds
 * its place before a person has decided. The orders come in an order of each reader's own, so that workers do not
 * follow each other, and all shops have their turn. ix_found_charges_unplaced, pk_processing_cycles. $1 limit, $2 the
 * place of the last order of the batch before (null: from the beginning), $3 the reader's seed.
 */
export const UNPLACED = `SELECT DISTINCT ON (place.value, f.scheduled_order_id) place.value::text AS place, f.payment_integration_id, f.transaction_id, f.scheduled_order_id, f.attempt,
  f.due_utc, f.amount, f.currency_iso, f.charged_utc, f.is_charged, f.is_doubtful, f.site_id, i.payment_method_type
FROM found_charges f JOIN payment_integrations i ON i.id = f.payment_integration_id
  CROSS JOIN LATERAL (SELECT hashint8extended(f.scheduled_order_id, $3::bigint) AS value) place
WHERE f.state = 'Unplaced' AND ($2::bigint IS NULL OR place.value > $2) AND (i.deleted_utc IS NOT NULL OR NOT ${IS_UNCOMPARED})
ORDER BY place.value, f.scheduled_order_id, f.is_doubtful, NOT EXISTS (SELECT 1 FROM processing_cycles c
    WHERE c.scheduled_order_id = f.scheduled_order_id AND c.open AND date_trunc('second', c.due_utc) = f.due_utc), f.charged_utc, f.transaction_id
LIMIT $1`;

/**
 * The order that a charge names, with the lock that requests take. A worker has claimed it before, or claims it
 * afterwards. $1 order id.
 */
export const LOCK_ORDER = `SELECT o.currency_iso, o.next_occurrence_utc, o.replaced_occurrence_utc, o.frequency_type, o.frequency,
  o.schedule_anchor_utc, o.archived_cycle
FROM scheduled_orders o WHERE o.id = $1 FOR NO KEY UPDATE`;

/** The newest cycles of an order, locked. pk_processing_cycles, backwards. $1 order id. */
export const LOCK_CYCLES = `SELECT c.cycle, c.state, c.open, c.due_utc, c.replaced_utc, c.attempt, c.gateway_transaction_id AS transaction_id, c.amount, c.currency_iso, c.resolution IS NOT NULL AS is_resolved,
  c.state = 'Charging' AND coalesce(c.lease_until_utc > now(), false) AS is_leased
FROM processing_cycles c WHERE c.scheduled_order_id = $1 ORDER BY c.cycle DESC LIMIT 100 FOR NO KEY UPDATE`;

/**
 * Unless another worker has placed it. `Known` is also what somebody has settled since it was found: an integration
 * that was deleted and made again lists the same charge. Run it with the order locked. pk_found_charges,
 * uq_payment_differences_fact. $1 integration id, $2 transaction id, $3 state.
 */
export const MARK_FOUND = `UPDATE found_charges f
SET state = CASE WHEN ${isSettledSql('f.site_id', 'f.transaction_id', 'f.scheduled_order_id')} THEN 'Known' ELSE $3 END
WHERE f.payment_integration_id = $1 AND f.transaction_id = $2 AND f.state = 'Unplaced'
RETURNING f.state`;

/**
 * Whose charges were listed. `sureUntilUtc`: until when no commit is lost, while workers may be charging; null: no
 * reconciliation is required.
 */
export interface ListOrigin {
  readonly paymentIntegrationId: number;
  readonly siteId: number;
  readonly sureUntilUtc: Date | null;
}

/** A charge that was kept. `Orphan`: its order does not exist (any more). */
export interface KeptRow {
  readonly scheduledOrderId: number;
  readonly transactionId: string;
  readonly state: 'Orphan' | 'Unplaced';
}

/** Keeps those that the ledger lacks. */
export const keepUnknown = (
  pool: SqlExecutor,
  { paymentIntegrationId, siteId, sureUntilUtc }: ListOrigin,
  charges: readonly ListedRow[],
) =>
  pool.execute<KeptRow>(KEEP_UNKNOWN, [
    paymentIntegrationId,
    siteId,
    sureUntilUtc !== null,
    sureUntilUtc,
    ...LISTED_CHARGES.values(charges),
  ]);

/** Which of these orders must not be charged yet. */
export async function unplacedAmong(
  pool: SqlExecutor,
  scheduledOrderIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await pool.execute<{ scheduledOrderId: number }>(UNPLACED_AMONG, [numbers(scheduledOrderIds)]);
  return new Set(rows.map((row) => row.scheduledOrderId));
}

export async function hasUnplaced(pool: ConnectionPool): Promise<boolean> {
  const [row] = await pool.read<{ found: boolean }>(HAS_UNPLACED, []);
  return row!.found;
}

/** A charge that waits for its place in the ledger. */
export interface UnplacedRow {
  /** Of its order among those of one reader. */
  readonly place: string;
  readonly paymentIntegrationId: number;
  readonly paymentMethodType: PaymentMethodType;
  readonly siteId: number;
  readonly transactionId: string;
  readonly scheduledOrderId: number;
  readonly attempt: number;
  /** The second of the occurrence that it was sent for; null: an old form names the number of a cycle instead. */
  readonly dueUtc: Date | null;
  /** Minor units. */
  readonly amount: number;
  readonly currencyIso: string | null;
  /** By the gateway's clock. */
  readonly chargedUtc: Date;
  /** False: the gateway had not decided yet. */
  readonly isCharged: boolean;
  /**
   * The gateway's customer is not one that belongs to the order's customer, or another installation is named: the
   * charge may not be ours.
   */
  readonly isDoubtful: boolean;
}

/** One of each order behind the place `after`, in the order of the reader that has this seed. */
export const readUnplaced = (pool: SqlExecutor, limit: number, after: string | null, seed: number) =>
  pool.execute<UnplacedRow>(UNPLACED, [limit, after, seed]);

/** The order that a charge names. */
export interface NamedOrderRow {
  readonly currencyIso: string;
  readonly nextOccurrenceUtc: Date | null;
  readonly replacedOccurrenceUtc: Date | null;
  readonly frequencyType: FrequencyType | null;
  readonly frequency: number | null;
  readonly scheduleAnchorUtc: Date;
  readonly archivedCycle: number | null;
}

export async function lockNamedOrder(tx: Transaction, scheduledOrderId: number): Promise<NamedOrderRow> {
  return (await tx.execute<NamedOrderRow>(LOCK_ORDER, [scheduledOrderId]))[0]!;
}

/** A row of the order's ledger. */
export interface LedgerCycle {
  readonly cycle: number;
  readonly state: string;
  readonly open: boolean;
  readonly dueUtc: Date;
  readonly replacedUtc: Date | null;
  /** Of the current attempt, from 1; 0: nothing was ever sent. */
  readonly attempt: number;
  readonly transactionId: string | null;
  /** Minor units, of the current attempt; null: nothing was ever frozen. */
  readonly amount: number | null;
  /** Of the current attempt: the order's may be another one by now. */
  readonly currencyIso: string | null;
  /** A worker is charging it or looking it up now. */
  readonly isLeased: boolean;
  /** Resolved by the gateway's list or by a person: it ends by itself. */
  readonly isResolved: boolean;
}

/** Call `lockNamedOrder` before. */
export const lockNewestCycles = (tx: Transaction, scheduledOrderId: number) =>
  tx.execute<LedgerCycle>(LOCK_CYCLES, [scheduledOrderId]);

/**
 * Call `lockNamedOrder` before. @returns whether it is to be placed now: no other worker has placed it, and nobody has
 * settled it.
 */
export async function markFound(
  tx: Transaction,
  charge: { readonly paymentIntegrationId: number; readonly transactionId: string },
  state: 'Known' | 'Placed',
): Promise<boolean> {
  const { paymentIntegrationId, transactionId } = charge;
  const [marked] = await tx.execute<{ state: string }>(MARK_FOUND, [paymentIntegrationId, transactionId, state]);
  return marked?.state === 'Placed';
}
