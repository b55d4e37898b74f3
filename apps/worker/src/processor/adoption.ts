import type pg from 'pg';
import { instants, numbers } from '../database/array-literal.js';
import type { HeldCycle } from './cycle.js';

/**
 * Orders of an adopted database whose next charge the original may have made already: what was due before the adoption, and the first cycle
 * after it of every order that is older (the original may have processed it early). pk_scheduled_orders, pk_processing_cycles.
 * $1 order ids, $2 cycles, $3 due times, $4 when the database was adopted.
 */
const LOOK_UP_FIRST = `SELECT o.id
FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) AS b (id, cycle, due_utc)
JOIN scheduled_orders o ON o.id = b.id
WHERE o.created_utc <= $4 AND (b.due_utc <= $4 OR NOT EXISTS (
  SELECT 1 FROM processing_cycles c
  WHERE c.scheduled_order_id = b.id AND c.cycle < b.cycle AND c.created_utc > $4 AND c.state = 'Completed'))`;

/** Which of these must be looked up at the gateway before they are charged (docs/processing.md); none where nothing was adopted. */
export async function lookUpFirst(
  pool: pg.Pool,
  cycles: readonly HeldCycle[],
  adoptedUtc: Date | null,
): Promise<ReadonlySet<number>> {
  if (adoptedUtc === null) return NONE;
  const { rows } = await pool.query<{ id: string }>({
    text: LOOK_UP_FIRST,
    values: [
      numbers(cycles.map(({ scheduledOrderId }) => scheduledOrderId)),
      numbers(cycles.map(({ cycle }) => cycle)),
      instants(cycles.map(({ dueUtc }) => dueUtc)),
      adoptedUtc,
    ],
  });
  return new Set(rows.map(({ id }) => Number(id)));
}

const NONE: ReadonlySet<number> = new Set();
