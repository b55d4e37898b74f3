import { withClient } from '../harness/database.mjs';
import { requireProcessed } from './check.mjs';
import { ordersPerSecond } from './commits.mjs';
import { lastOrderId, untilCompleted, WorkerProcess } from './worker.mjs';

/**
 * Runs `work(pass)` beside `count` workers that look for due orders every second. `pass()` lets `orders` orders fall due by
 * `fallDue(client, orders)`, checks what was written when all are done, and gives what `measure(drain, pids)` found around `drain()`, which
 * waits until all are done: the orders per second unless said otherwise.
 */
export function withWorkers(url, { count, orders, fallDue, env = {}, measure = (drain) => drain() }, work) {
  return withClient(url, async (client) => {
    const workers = Array.from(
      { length: count },
      () => new WorkerProcess(url, { PROCESSOR_CRON: '* * * * * *', ...env }),
    );
    try {
      return await work(() => pass(client, { orders, workers, fallDue, measure }));
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()));
    }
  });
}

async function pass(client, { orders, workers, fallDue, measure }) {
  const from = await lastOrderId(client);
  await fallDue(client, orders);
  const drain = async () => {
    await untilCompleted(client, orders, workers, { from });
    return ordersPerSecond(client, { from });
  };
  const pids = workers.map(({ pid }) => pid);
  const measured = await measure(drain, pids);
  await requireProcessed(client, orders, { from });
  return measured;
}

/** Lets every order of a bench shop fall due again, when it fell due first. */
export const allAnew = (client) =>
  client.query(
    `UPDATE scheduled_orders SET next_occurrence_utc = schedule_anchor_utc WHERE next_occurrence_utc <> schedule_anchor_utc`,
  );
