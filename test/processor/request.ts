import type { EntityManager } from 'typeorm';
import { columnOf, ScheduledOrder } from '#libs/entities';
import type { LockedOrder } from '#libs/cycles';
import type { TestDatabase } from '../support/database.js';

type Request = (tx: EntityManager, order: LockedOrder, now: Date) => Promise<Partial<ScheduledOrder> | void>;

/** Carries out what a request does to an order as the API does: behind the order's lock, in one transaction. */
export async function request(database: TestDatabase, id: number, work: Request): Promise<void> {
  await database.dataSource.transaction(async (tx) => {
    const order = await tx.findOneOrFail(ScheduledOrder, { where: { id }, lock: { mode: 'pessimistic_write' } });
    const [clock] = await tx.query<{ now: Date }[]>(`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`);
    const change = await work(tx, order, clock!.now);
    const names = Object.keys(change ?? {});
    if (names.length === 0) return;
    await tx.query(
      `UPDATE scheduled_orders SET updated_utc = now(), ${names.map((name, i) => `${columnOf(name)} = $${i + 2}`).join(', ')} WHERE id = $1`,
      [id, ...Object.values(change ?? {})],
    );
  });
}
