import { columnOf, ScheduledOrder } from '#libs/entities';
import type { OrderToChange } from '#libs/ledger';
import type { Transaction } from '#libs/platform';
import { entityOf } from '#libs/records';
import type { TestDatabase } from '../support/database.js';

type Request = (tx: Transaction, order: OrderToChange, now: Date) => Promise<Partial<ScheduledOrder> | void>;

/** Carries out what a request does to an order as the API does: behind the order's lock, in one transaction. */
export async function request({ pool }: TestDatabase, id: number, work: Request): Promise<void> {
  await pool.transaction(async (tx) => {
    const [row] = await tx.execute(`SELECT * FROM scheduled_orders WHERE id = $1 FOR UPDATE`, [id]);
    const [clock] = await tx.execute<{ now: Date }>(`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`);
    const change = await work(tx, entityOf(ScheduledOrder, row!), clock!.now);
    const names = Object.keys(change ?? {});
    if (names.length === 0) return;
    await tx.execute(
      `UPDATE scheduled_orders SET updated_utc = now(), ${names.map((name, i) => `${columnOf(name)} = $${i + 2}`).join(', ')} WHERE id = $1`,
      [id, ...Object.values(change ?? {})],
    );
  });
}
