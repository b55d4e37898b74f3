import { type ExplainedCycle, explainedCycle } from '../../../apps/api/src/explain/past/explained-cycle.js';
import { type PastCycleRow, pastCycleSql } from '../../../apps/api/src/explain/past/past-cycle.js';
import type { TestDatabase } from '../database.js';

export interface ExplainedOf extends ExplainedCycle {
  readonly scheduledOrderId: number;
}

/**
 * What `GET …/Cycles/{cycle}/Explain` is made of, for every completed cycle, archived ones as well; at most `most`,
 * spread over all of them.
 */
export async function explainedCompleted(database: TestDatabase, most = Infinity): Promise<ExplainedOf[]> {
  const all = await database.query<{ id: string; cycle: string }>(
    `SELECT o.scheduled_order_id AS id, o.cycle FROM orders o WHERE o.scheduled_order_id IS NOT NULL ORDER BY o.id`,
  );
  const step = Math.max(1, Math.ceil(all.length / most));
  const explained: ExplainedOf[] = [];
  for (const { id, cycle } of all.filter((_, index) => index % step === 0)) {
    const [row] = await database.pool.execute<PastCycleRow>(
      `SELECT ${pastCycleSql('$2::bigint')} FROM scheduled_orders x WHERE x.id = $1`,
      [id, cycle],
    );
    explained.push({ ...(await explainedCycle(database.pool, row!))!, scheduledOrderId: Number(id) });
  }
  return explained;
}
