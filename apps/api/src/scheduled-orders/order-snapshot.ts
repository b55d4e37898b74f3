import type { EntityManager } from 'typeorm';
import { execute, prepared, scheduledOrderView } from '#libs/records';

/** The order's JSON as it stands behind its lock, and the database's clock: it goes on while a lock is waited for. */
export async function snapshot(tx: EntityManager, id: number): Promise<{ json: string; now: Date }> {
  const statement = prepared(
    'ScheduledOrder.snapshot',
    () => `SELECT ${scheduledOrderView.json('x')}::text AS json, clock_timestamp()::timestamptz(3) AS now
     FROM scheduled_orders x WHERE x.id = $1`,
  );
  const [row] = await execute<{ json: string; now: Date }>(tx, statement, [id]);
  return row!;
}
