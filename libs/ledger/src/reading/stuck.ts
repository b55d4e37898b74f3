import type { SqlExecutor } from '#libs/platform';
import { FAILURE_CODES } from '#libs/rules';
import { nextAttemptSql } from './cycles.js';

/** An open cycle that no worker leases, and why. */
export interface StuckCycle {
  readonly ScheduledOrderId: number;
  readonly Cycle: number;
  readonly SiteId: number;
  readonly State: string;
  /** Why it waits, and what to do about it. */
  readonly Why: string;
  readonly FailureCode: number | null;
  readonly DueUtc: string;
  readonly Attempts: number;
  /** How often its outcome was looked up. */
  readonly LookUps: number;
  readonly Amount: number | null;
  readonly CurrencyIso: string | null;
  readonly GatewayTransactionId: string | null;
  readonly NextAttemptUtc: string | null;
}

export interface StuckFilter {
  readonly state?: string;
  readonly limit: number;
}

/** ix_processing_cycles_next_attempt, uq_processing_cycles_open, pk_integration_waits. $1 state or null, $2 limit. */
const STUCK = `SELECT json_build_object('ScheduledOrderId', c.scheduled_order_id, 'Cycle', c.cycle, 'SiteId', c.site_id, 'State', c.state,
  'Why', CASE
    WHEN c.resolution = 'NeedsReview' THEN 'A person must decide: run cycles:resolve, with the transaction if it paid this cycle, else as not charged.'
    WHEN c.state = 'Unknown' AND c.retries_exhausted THEN 'The service could not find out whether it was charged. Look at the gateway, then run cycles:resolve.'
    WHEN c.state = 'Unknown' THEN 'A worker is finding out whether it was charged.'
    WHEN c.held_for = ${FAILURE_CODES.NotPushable.code} THEN 'It is held: its shop cannot take the Order. Correct its products, or set PushAnyway of the Shop.'
    WHEN c.held_for IS NOT NULL THEN 'It is held: settle its difference (GET /api/Site/{id}/Differences), or Process the order.'
    WHEN c.state = 'Waiting' THEN 'It waits for its payment integration.'
    WHEN c.lease_until_utc < now() THEN 'Its worker is gone: the next one takes it over.'
    ELSE 'It waits for its next try.' END || coalesce(' ' || c.failure_message, ''),
  'FailureCode', c.failure_code, 'DueUtc', c.due_utc, 'Attempts', c.attempt, 'LookUps', c.look_ups, 'Amount', c.amount, 'CurrencyIso', c.currency_iso,
  'GatewayTransactionId', c.gateway_transaction_id, 'NextAttemptUtc', ${nextAttemptSql('c')}) AS cycle
FROM processing_cycles c
WHERE c.open AND NOT c.simulated AND (c.next_attempt_utc IS NOT NULL OR c.lease_until_utc < now()) AND ($1::text IS NULL OR c.state = $1)
ORDER BY c.due_utc, c.scheduled_order_id
LIMIT $2`;

/** The waiting cycles with their reasons, the longest due first. */
export async function stuckCycles(database: SqlExecutor, { state, limit }: StuckFilter): Promise<StuckCycle[]> {
  const rows = await database.execute<{ cycle: StuckCycle }>(STUCK, [state ?? null, limit]);
  return rows.map(({ cycle }) => cycle);
}
