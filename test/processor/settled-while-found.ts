import { settleDifference } from '#libs/ledger';
import type { TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

/**
 * A difference is settled between the worker's finding that it holds the order and the record of that: the record waits
 * for the order's lock. @returns the worker's drain, which goes on.
 */
export async function settledWhileFound(
  database: TestDatabase,
  worker: { drain(): Promise<unknown> },
  difference: { readonly id: number; readonly siteId: number; readonly scheduledOrderId: number },
): Promise<{ readonly ended: Promise<unknown> }> {
  return database.pool.transaction(async (tx) => {
    await tx.execute('SELECT 1 FROM scheduled_orders WHERE id = $1 FOR NO KEY UPDATE', [difference.scheduledOrderId]);
    const ended = worker.drain();
    await until(async () => {
      const waiting = await database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    await settleDifference(tx, difference, { as: 'Resolved', by: 'a test', note: null });
    return { ended };
  });
}
