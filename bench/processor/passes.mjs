import { requireCycles } from './check.mjs';
import { ordersPerSecond } from './commits.mjs';
import { lastOrderId, untilCompleted, WorkerProcess } from './worker.mjs';

/**
 * Lets all orders fall due `passes` times under running workers, so that in the last pass every process is warm.
 * @returns orders per second of the last pass
 */
export async function rateOfLastPass(client, url, { orders, passes, workers: count = 1 }) {
  const workers = Array.from({ length: count }, () => new WorkerProcess(url, { PROCESSOR_CRON: '* * * * * *' }));
  try {
    for (let pass = 1; pass <= passes; pass++) {
      const from = await lastOrderId(client);
      if (pass > 1) await client.query(`UPDATE scheduled_orders SET next_occurrence_utc = schedule_anchor_utc`);
      await untilCompleted(client, orders, workers, { from });
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  await requireCycles(client, orders, passes);
  return ordersPerSecond(client, passes);
}
