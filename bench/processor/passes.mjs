import { withClient } from '../harness/database.mjs';
import { requireProcessed } from './check.mjs';
import { ordersPerSecond } from './commits.mjs';
import { lastOrderId, untilCompleted, WorkerProcess } from './worker.mjs';

/**
 * Runs `work(pass)` beside `count` workers that look for due orders every second. `pass()` lets `orders` orders fall due by
 * `fallDue(client, orders)`, checks what was written when all are done, and gives the orders per second.
 */
export function withWorkers(url, { count, orders, fallDue }, work) {
  return withClient(url, async (client) => {
    const workers = Array.from({ length: count }, () => new WorkerProcess(url, { PROCESSOR_CRON: '* * * * * *' }));
    try {
      return await work(() => pass(client, orders, workers, fallDue));
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()));
    }
  });
}

async function pass(client, orders, workers, fallDue) {
  const from = await lastOrderId(client);
  await fallDue(client, orders);
  await untilCompleted(client, orders, workers, { from });
  await requireProcessed(client, orders, { from });
  return ordersPerSecond(client, { from });
}
