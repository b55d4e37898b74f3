import { requireCycles, requireProcessed } from './check.mjs';
import { ordersPerSecond } from './commits.mjs';
import { lastOrderId, untilCompleted, WorkerProcess } from './worker.mjs';

/** Workers that look for due orders every second. */
export const watchfulWorkers = (url, count) =>
  Array.from({ length: count }, () => new WorkerProcess(url, { PROCESSOR_CRON: '* * * * * *' }));

/**
 * Lets `orders` orders fall due under running workers, all there are unless `fallDue` takes others, and checks what they wrote.
 * @returns orders per second
 */
export async function pass(client, orders, workers, fallDue = allAnew) {
  const from = await lastOrderId(client);
  await fallDue(client, orders);
  await untilCompleted(client, orders, workers, { from });
  await requireProcessed(client, orders, { from });
  return ordersPerSecond(client, { from });
}

const allAnew = (client) =>
  client.query(
    `UPDATE scheduled_orders SET next_occurrence_utc = schedule_anchor_utc WHERE next_occurrence_utc <> schedule_anchor_utc`,
  );

/**
 * Lets all orders fall due `passes` times, so that in the last pass every process is warm.
 * @returns orders per second of the last pass
 */
export async function rateOfLastPass(client, url, { orders, passes, workers: count }) {
  const workers = watchfulWorkers(url, count);
  try {
    let rate;
    for (let done = 0; done < passes; done++) rate = await pass(client, orders, workers);
    await requireCycles(client, orders, passes);
    return rate;
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}
