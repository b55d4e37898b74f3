import type { KnownDatabase } from '#libs/entities';
import { Batch, type SqlExecutor } from '#libs/platform';
import { heldBySql } from './differences.sql.js';
import { FENCE, OWNED } from './fence.js';
import type { OwnedRow } from './leases.sql.js';

const OWNED_CYCLES = new Batch(OWNED, 3);

/**
 * Which of this worker's cycles are stopped or held. Cycles that another worker owns by now are left out, and those
 * that one may take over: when the database's clock has jumped, its leases end before this machine's clock says so.
 * pk_processing_cycles, ix_payment_differences_holding. $1 generation and $2 log position of the database that the
 * worker knows, then the cycles.
 */
export const READ_STOPS = `SELECT c.scheduled_order_id, c.stopped_utc IS NOT NULL AS stopped, ${heldBySql('c.site_id', 'c.scheduled_order_id')} AS held_by
FROM ${OWNED_CYCLES.sql}
JOIN processing_cycles c ON ${FENCE} AND c.open
WHERE assert_same_database($1, $2) AND c.lease_until_utc > now()`;

/** Whether a cycle may still be sent. `held_by`: what holds its order. */
export interface StopRow {
  readonly scheduledOrderId: number;
  readonly stopped: boolean;
  readonly heldBy: string | null;
}

/** A row for each cycle that is still the worker's. */
export const readStops = (pool: SqlExecutor, { generation, lsn }: KnownDatabase, cycles: readonly OwnedRow[]) =>
  pool.execute<StopRow>(READ_STOPS, [generation, lsn, ...OWNED_CYCLES.values(cycles)]);
