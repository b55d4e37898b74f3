import type { PaymentMethodType } from '#libs/gateways';
import { Batch, type BatchRow, NamedValues, type SqlExecutor, type ValuesOf } from '#libs/platform';
import { allCyclesSql } from '../reading/archive.js';

const NAMED = new Batch(
  { order_id: 'bigint', transaction_id: 'text', due_utc: 'timestamptz', charged_utc: 'timestamptz' },
  3,
);

/**
 * A charge that is compared with the ledger. `order_id`: of the scheduled order that it names. `due_utc`: of its
 * occurrence, a whole second.
 */
export type NamedChargeRow = BatchRow<typeof NAMED>;

const PERIOD = new NamedValues({
  siteId: 'bigint',
  integrationId: 'bigint',
  fingerprint: 'text',
  afterUtc: 'timestamptz',
  untilUtc: 'timestamptz',
  listed: 'text[]',
});

const CYCLE = `c.scheduled_order_id, c.cycle, c.state, c.due_utc, c.gateway_transaction_id AS transaction_id, c.order_id, c.amount, c.currency_iso, c.gateway_customer_id,
  c.look_ups`;

/** An order of the site; its archive is read only for a charge that is old enough to be in it. */
const orderSql = (
  where: string,
) => `(SELECT s.id, CASE WHEN b.charged_utc < now() - interval '2 months' THEN s.archived_cycle END AS archived_cycle
    FROM scheduled_orders s WHERE s.site_id = $1 AND ${where}) o`;

/**
 * The cycles that charges name, or have paid, and the totals of their Orders. pk_scheduled_orders,
 * pk_processing_cycles, pk_archived_cycles, uq_orders_transaction, pk_orders. $1 site, $2 payment method type, then the
 * charges.
 */
export const NAMED_CYCLES = `SELECT ${CYCLE}, p.total, p.currency_iso AS total_currency
FROM ${NAMED.sql}
CROSS JOIN LATERAL (
  SELECT l.* FROM ${orderSql('s.id = b.order_id')} CROSS JOIN LATERAL ${allCyclesSql('o')} l
  WHERE l.gateway_transaction_id = b.transaction_id OR date_trunc('second', l.due_utc) = b.due_utc
  UNION ALL
  SELECT l.* FROM orders q CROSS JOIN LATERAL ${orderSql('s.id = q.scheduled_order_id')} CROSS JOIN LATERAL ${allCyclesSql('o')} l
  WHERE q.site_id = $1 AND q.payment_method_type = $2 AND q.gateway_transaction_id = b.transaction_id AND l.cycle = q.cycle
) c LEFT JOIN orders p ON p.id = c.order_id`;

/**
 * Cycles whose Orders were written in a period, and whose payments were not listed. ix_orders_processed,
 * pk_processing_cycles.
 */
export const UNLISTED_CYCLES = `SELECT ${CYCLE}, p.total, p.currency_iso AS total_currency
FROM orders p JOIN processing_cycles c ON c.scheduled_order_id = p.scheduled_order_id AND c.cycle = p.cycle
WHERE p.site_id = ${PERIOD.$.siteId} AND p.scheduled_order_id IS NOT NULL AND p.deleted_utc IS NULL AND p.date_created > ${PERIOD.$.afterUtc} AND p.date_created <= ${PERIOD.$.untilUtc}
  AND c.state = 'Completed' AND c.amount > 0 AND c.payment_integration_id = ${PERIOD.$.integrationId} AND c.credentials_fingerprint = ${PERIOD.$.fingerprint}
  AND NOT EXISTS (SELECT FROM unnest(${PERIOD.$.listed}::text[]) AS l (id) WHERE l.id = c.gateway_transaction_id)`;

/** A cycle as the gateway's books are compared with it, and the total of its Order. */
export interface AuditedRow {
  readonly scheduledOrderId: number;
  readonly cycle: number;
  readonly state: string;
  readonly dueUtc: Date;
  readonly transactionId: string | null;
  readonly orderId: number | null;
  readonly amount: number | null;
  readonly currencyIso: string | null;
  readonly gatewayCustomerId: string | null;
  /** Null in old ones of the archive. */
  readonly lookUps: number | null;
  readonly total: string | null;
  readonly totalCurrency: string | null;
}

/** The cycles that charges name, or have paid; archived ones too, and some twice. */
export const readNamedCycles = (
  pool: SqlExecutor,
  siteId: number,
  type: PaymentMethodType,
  charges: readonly NamedChargeRow[],
) => pool.execute<AuditedRow>(NAMED_CYCLES, [siteId, type, ...NAMED.values(charges)]);

/**
 * Cycles whose Orders were written in the period, and whose transactions are none of those that were listed.
 * `fingerprint`: of the integration's credentials.
 */
export const readUnlistedCycles = (pool: SqlExecutor, period: ValuesOf<typeof PERIOD>) =>
  pool.execute<AuditedRow>(UNLISTED_CYCLES, PERIOD.values(period));
