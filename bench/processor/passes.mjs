import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from '../harness/database.mjs';
import { requireProcessed } from './check.mjs';
import { ordersPerSecond } from './commits.mjs';
import { lastOrderId, untilCompleted, WorkerProcess } from './worker.mjs';

/**
 * Runs `work(pass)` beside `count` workers that look for due orders every second. `pass()` lets `orders` orders fall
 * due by `fallDue(client, orders)`, checks what was written when all are done, and gives what `measure(drain, pids)`
 * found around `drain()`, which waits until all are done: the orders per second unless said otherwise.
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
  await untilIdle(client, workers);
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

/**
 * Orders that were due when the workers started are processed before the first pass: those that are under way when a
 * pass begins would be counted in neither. @throws Error when they take too long
 */
async function untilIdle(client, workers, limitMs = 600_000) {
  const deadline = performance.now() + limitMs;
  const isIdle = async () => {
    const { rows } = await client.query(
      `SELECT EXISTS (SELECT FROM scheduled_orders WHERE status = 'Active' AND next_occurrence_utc <= now())
         OR EXISTS (SELECT FROM processing_cycles WHERE open) AS is_busy`,
    );
    return !rows[0].is_busy;
  };
  while (!(await isIdle())) {
    for (const worker of workers) worker.requireHealthy();
    if (performance.now() > deadline) throw new Error('Orders that were due at the start were not completed in time.');
    await pause(100);
  }
}

/**
 * Lets every order of a bench shop fall due again, so many seconds after it fell due first as it was processed times:
 * no payment can pay for the same occurrence twice.
 */
export const allAnew = (client) =>
  client.query(
    `UPDATE scheduled_orders SET next_occurrence_utc = schedule_anchor_utc + cycles * interval '1 second' WHERE next_occurrence_utc > now()`,
  );
