import { here, siteClockSql } from '#libs/entities';
import { Batch, type BatchRow, type SqlExecutor } from '#libs/platform';
import type { Claimant } from './claim.sql.js';
import { columnsSql, SENT } from './freeze.sql.js';

const NEW_CYCLES = new Batch(
  {
    site_id: 'bigint',
    id: 'bigint',
    cycle: 'bigint',
    due_utc: 'timestamptz',
    replaced_utc: 'timestamptz',
    type: 'text',
    order_id: 'bigint',
    ...SENT,
  },
  6,
);

/**
 * A new cycle. `id`: of the scheduled order. `order_id`: of the future Order. What is sent is `UNSENT` in a cycle that
 * is only claimed.
 */
export type NewCycleRow = BatchRow<typeof NEW_CYCLES>;

/**
 * Begins the cycles of orders that this transaction has locked (`claim.sql.ts`). A cycle with an idempotency key is
 * frozen from the beginning: state `Charging`, with all that is about to be charged. One without is only `Claimed`. The
 * orders themselves are not changed.
 *
 * When two workers race, the second one's row is left out: whoever writes cycles locks their order, and this statement
 * begins after the lock was taken, so it sees them. (`ON CONFLICT` would do that too, but it writes each row in two
 * steps, and logs both.) pk_processing_cycles, uq_processing_cycles_open.
 *
 * $1 worker, $2 lease ms, $3 generation and $4 log position of the database that the worker knows, $5 whether the site
 * is simulated, then the cycles.
 */
export const BEGIN_CYCLES = `INSERT INTO processing_cycles AS c
    (site_id, scheduled_order_id, cycle, state, open, due_utc, replaced_utc, payment_method_type, order_id, worker, lease_until_utc, claim, attempt,
     ${columnsSql(SENT)}, started_utc, simulated, begun_utc)
  SELECT b.site_id, b.id, b.cycle, CASE WHEN b.idempotency_key IS NULL THEN 'Claimed' ELSE 'Charging' END, true, b.due_utc, b.replaced_utc, b.type, b.order_id,
    $1, now() + $2 * interval '1 millisecond', 1, CASE WHEN b.idempotency_key IS NULL THEN 0 ELSE 1 END,
    ${columnsSql(SENT, 'b.')}, CASE WHEN b.idempotency_key IS NOT NULL THEN now() END, $5, CASE WHEN $5 THEN ${siteClockSql('b.site_id')} END
  FROM ${NEW_CYCLES.sql}
  WHERE ${here('$3', '$4')}
    AND NOT EXISTS (SELECT FROM processing_cycles p WHERE p.scheduled_order_id = b.id AND p.cycle = b.cycle)
    AND NOT EXISTS (SELECT FROM processing_cycles p WHERE p.scheduled_order_id = b.id AND p.open)
  RETURNING c.scheduled_order_id`;

/** All of them of real sites, or of one simulated site. @returns the orders of those that were begun. */
export async function beginCycles(
  tx: SqlExecutor,
  { worker, leaseMs, known }: Claimant,
  isSimulated: boolean,
  cycles: readonly NewCycleRow[],
): Promise<ReadonlySet<number>> {
  const rows = await tx.execute<{ scheduledOrderId: number }>(BEGIN_CYCLES, [
    worker,
    leaseMs,
    known.generation,
    known.lsn,
    isSimulated,
    ...NEW_CYCLES.values(cycles),
  ]);
  return new Set(rows.map((row) => row.scheduledOrderId));
}
