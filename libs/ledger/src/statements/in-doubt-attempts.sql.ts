import type { PaymentMethodType } from '#libs/gateways';
import type { SqlExecutor } from '#libs/platform';
import { heldBySql } from './differences.sql.js';
import { LEASED, LEASED_CYCLES, type LeasedRow } from './fence.js';
import { madeForFoundSql } from './found.sql.js';
import { hasUnplacedSql } from './found-charges.sql.js';
import type { PastAttempt } from './freeze.sql.js';

/**
 * A sending that begins within a second after a request's answer counts as sent before it. The other second allows for
 * the request's own COMMIT.
 */
const QUIET_MS = `(extract(epoch FROM now() - c.stopped_utc) * 1000 - 2000)::bigint`;

/**
 * The frozen values of in-doubt cycles, for their look-ups. Ages are measured by the database's clock, never by a
 * worker's. pk_processing_cycles, ix_found_charges_unplaced, pk_found_charges, ix_payment_differences_holding.
 */
export const LOAD_IN_DOUBT = `SELECT c.scheduled_order_id, c.cycle, c.amount, c.currency_iso, c.gateway_customer_id, c.gateway_payment_id,
  c.payment_method_type, c.payment_integration_id, c.credentials_fingerprint, c.idempotency_key, c.started_utc,
  c.gateway_transaction_id, c.resolution, c.failure_message, coalesce(o.last_occurrence_utc, o.created_utc) AS settled_until_utc, c.known_to_gateway, (extract(epoch FROM now() - c.replayed_utc) * 1000)::bigint AS replayed_ms, c.stopped_utc IS NOT NULL AS stopped,
  ${madeForFoundSql('c')} AS made_for_found,
  f.amount AS found_amount, f.charged_utc AS found_utc,
  ${hasUnplacedSql('o.id')} AS has_unplaced, ${heldBySql('c.site_id', 'o.id')} AS held_by, ${QUIET_MS} AS quiet_ms, greatest(0, extract(epoch FROM now() - c.started_utc) * 1000)::bigint AS age_ms
FROM ${LEASED_CYCLES.sql}
JOIN processing_cycles c ON ${LEASED} AND c.open
JOIN scheduled_orders o ON o.id = c.scheduled_order_id
LEFT JOIN found_charges f ON f.payment_integration_id = c.payment_integration_id AND f.transaction_id = c.gateway_transaction_id
  AND f.scheduled_order_id = o.id AND f.is_charged`;

/**
 * What was sent for a cycle before its present attempt, the oldest first. pk_processing_cycles. $1 order id, $2 cycle.
 */
export const READ_PAST_ATTEMPTS = `SELECT c.past_attempts FROM processing_cycles c WHERE c.scheduled_order_id = $1 AND c.cycle = $2`;

/**
 * What a cycle was resolved as, by a person or by a comparison with the gateway's list. `NeedsReview`: a person
 * decides.
 */
export type CycleResolution = 'Charged' | 'NotCharged' | 'Found' | 'NeedsReview';

/** A cycle whose attempt may have been sent, as it was frozen. */
export interface InDoubtRow {
  readonly scheduledOrderId: number;
  readonly cycle: number;
  readonly amount: number;
  readonly currencyIso: string;
  readonly gatewayCustomerId: string | null;
  readonly gatewayPaymentId: string | null;
  readonly paymentMethodType: PaymentMethodType | null;
  readonly paymentIntegrationId: number | null;
  readonly credentialsFingerprint: string | null;
  readonly idempotencyKey: string | null;
  readonly startedUtc: Date;
  readonly gatewayTransactionId: string | null;
  readonly resolution: CycleResolution | null;
  readonly failureMessage: string | null;
  /** No charge of this cycle can be older. */
  readonly settledUntilUtc: Date;
  readonly knownToGateway: boolean;
  readonly replayedMs: number | null;
  /** A charge of its order was found and has no place in the ledger yet. */
  readonly hasUnplaced: boolean;
  readonly madeForFound: boolean;
  /**
   * Of its transaction, where a gateway's list has named it; in minor units, and when it was charged by the gateway's
   * clock.
   */
  readonly foundAmount: number | null;
  readonly foundUtc: Date | null;
  readonly stopped: boolean;
  readonly heldBy: string | null;
  readonly quietMs: number | null;
  readonly ageMs: number;
}

/** Cycles that another worker owns by now are left out. */
export const loadInDoubt = (pool: SqlExecutor, cycles: readonly LeasedRow[]) =>
  pool.execute<InDoubtRow>(LOAD_IN_DOUBT, LEASED_CYCLES.values(cycles));

/** A person has decided that nothing was charged by then (RESOLVE). */
interface Settled {
  readonly SettledUtc: string;
}

/** Of one cycle, the oldest first. */
export async function readPastAttempts(
  pool: SqlExecutor,
  scheduledOrderId: number,
  cycle: number,
): Promise<readonly (PastAttempt | Settled)[]> {
  const rows = await pool.execute<{ pastAttempts: (PastAttempt | Settled)[] | null }>(READ_PAST_ATTEMPTS, [
    scheduledOrderId,
    cycle,
  ]);
  return rows[0]?.pastAttempts ?? [];
}
