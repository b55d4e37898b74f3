import type { ConnectionPool, Transaction } from '#libs/platform';
import { ARCHIVE } from '../statements/archive.sql.js';

/** Scheduled orders that one statement looks at. Each statement is its own transaction. */
const ORDERS = 100;

export interface Archived {
  /** How many cycles were moved, and of how many orders. */
  readonly cycles: number;
  readonly orders: number;
}

/** The outcome of one statement. */
interface Page extends Archived {
  /** The last order that was looked at; null at the end. */
  readonly last: number | null;
}

/**
 * Moves old cycles of all orders to the archive (docs/operations.md). It may run while the service does, and be
 * repeated after an interruption. `ledgerMonths`: cycles that ended within so many months stay, at least
 * FEWEST_LEDGER_MONTHS.
 */
export async function archiveCycles(database: ConnectionPool, ledgerMonths: number): Promise<Archived> {
  const all = { cycles: 0, orders: 0 };
  for (let after: number | null = 0; after !== null;) {
    const [page]: Page[] = await database.execute<Page>(ARCHIVE, [after, ORDERS, ledgerMonths]);
    all.cycles += page!.cycles;
    all.orders += page!.orders;
    after = page!.last;
  }
  return all;
}

/**
 * SQL: all cycles of an order, a row type like `processing_cycles`; the archive is read only where the order has
 * something in it. `order`: alias of its row of `scheduled_orders`. A column that is added to `processing_cycles` later
 * is null in cycles that were archived before, whatever its default. pk_processing_cycles, pk_archived_cycles.
 */
export const allCyclesSql = (
  order: string,
): string => `(SELECT l.* FROM processing_cycles l WHERE l.scheduled_order_id = ${order}.id
    UNION ALL SELECT r.* FROM archived_cycles a CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) r
      WHERE ${order}.archived_cycle IS NOT NULL AND a.scheduled_order_id = ${order}.id)`;

/** pk_archived_cycles. $1 order ids. */
const DELETE_ARCHIVED = `DELETE FROM archived_cycles WHERE scheduled_order_id = ANY ($1::bigint[])`;

/** pk_processing_cycles. $1 order ids. */
const DELETE = `DELETE FROM processing_cycles WHERE scheduled_order_id = ANY ($1::bigint[])`;

/**
 * All that the ledger and its archive have of orders of a simulated site, which are deleted in the same transaction.
 */
export async function deleteCycles(tx: Transaction, scheduledOrderIds: readonly number[]): Promise<void> {
  await tx.execute(DELETE_ARCHIVED, [scheduledOrderIds]);
  await tx.execute(DELETE, [scheduledOrderIds]);
}
