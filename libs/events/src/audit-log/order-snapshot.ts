import { businessNowSql } from '#libs/entities';
import { prepared, type Transaction } from '#libs/platform';
import { type RecordJson, recordJson, scheduledOrderView } from '#libs/records';

/**
 * Where a transaction stores the earlier order when it is too large to pass through this process: a PostgreSQL setting
 * that ends with the transaction.
 */
export const KEPT_PREVIOUS = 'scheduled_orders.previous';

export interface OrderSnapshot {
  readonly json: RecordJson;
  readonly now: Date;
}

/**
 * Reads the locked order, for `logAction`, and the order's present time, which is the database's or its test clock's:
 * `now()` would be the time before the wait for the lock.
 */
export async function snapshot(tx: Transaction, id: number): Promise<OrderSnapshot> {
  const statement = prepared(
    'ScheduledOrder.snapshot',
    () => `SELECT ${scheduledOrderView.whole('x')} AS json, (${businessNowSql('x', 'clock_timestamp()')})::timestamptz(3) AS now
     FROM scheduled_orders x WHERE x.id = $1`,
  );
  const [row] = await tx.execute<{ json: string | null; now: Date }>(statement, [id]);
  const { json, now } = row!;
  if (json === null) await keep(tx, id);
  return { json: recordJson(scheduledOrderView, id, json), now };
}

async function keep(tx: Transaction, id: number): Promise<void> {
  const statement = prepared(
    'ScheduledOrder.keep',
    () => `SELECT set_config('${KEPT_PREVIOUS}', ${scheduledOrderView.json('x')}::text, true) IS NOT NULL AS kept
     FROM scheduled_orders x WHERE x.id = $1`,
  );
  await tx.execute(statement, [id]);
}
