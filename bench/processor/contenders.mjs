import { join } from 'node:path';
import { cpuOf, cpuOfServer } from '../harness/cpu.mjs';
import { withClient } from '../harness/database.mjs';
import { BENCH, PEER_NODE } from '../harness/product.mjs';
import { runToEnd } from '../harness/run-node.mjs';
import { walPosition, walSince } from '../harness/wal.mjs';
import { requireProcessed } from './check.mjs';
import { ordersPerSecond } from './commits.mjs';
import { drainByLimit } from './limit.mjs';
import { untilCompleted, WorkerProcess } from './worker.mjs';

const peerScript = (peer) => join(BENCH, 'processor', 'peers', `${peer}.mjs`);

/** Puts a job on the queue for each of the first `orders` due orders; takes no part in any measurement. */
export const enqueue = (peer, url, orders) => runToEnd(PEER_NODE, [peerScript(peer), 'enqueue', url, String(orders)]);

/** Works all jobs off. */
export const workOff = (peer, url, orders) => runToEnd(PEER_NODE, [peerScript(peer), 'work', url, String(orders)]);

/** pg-boss with a handler that writes a whole batch at once, by the statement of the limit. */
export const workOffInSets = (url, orders) =>
  runToEnd(PEER_NODE, [peerScript('pg-boss'), 'work-in-sets', url, String(orders)]);

/** Lets workers of the product, one unless said otherwise, process all that is due. @returns their CPU time in ms */
export async function processByProduct(client, url, { orders, count = 1, env = {}, from = 0 }) {
  const workers = Array.from({ length: count }, () => new WorkerProcess(url, env));
  try {
    await untilCompleted(client, orders, workers, { from });
    return workers.reduce((sum, { pid }) => sum + cpuOf(pid), 0);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

/**
 * Runs `work` on a fresh copy of a template and checks what it wrote.
 * @param {{ orders: number, afterCheckpoint?: boolean, rate?: (client) => Promise<number> }} about `afterCheckpoint`:
 * each page that is written to is logged whole once; `rate`: of what is done, where that is not the orders
 * @returns orders per second; log bytes, bytes of pages that were logged whole, and commits per order; CPU time per
 * order in µs, of the
 *   server and of Node where it is known
 */
export function measured(bench, template, { orders, afterCheckpoint = false, rate = ordersPerSecond }, work) {
  const { databases } = bench;
  return databases.withClone(template, 'round', async (url) => {
    await warm(url);
    if (afterCheckpoint) await databases.settle();
    return withClient(url, async (client) => {
      const from = await walPosition(client);
      const cpuFrom = cpuOfServer(bench.server.pid);
      const nodeMs = (await work(url, client)) ?? null;
      const serverMs = cpuOfServer(bench.server.pid) - cpuFrom;
      const wal = await walSince(client, from);
      await requireProcessed(client, orders);
      return {
        perSecond: await rate(client),
        walBytes: wal.bytes / orders,
        imageBytes: wal.images / orders,
        commits: wal.commits / orders,
        serverMicros: (serverMs * 1_000) / orders,
        nodeMicros: nodeMs === null ? null : (nodeMs * 1_000) / orders,
      };
    });
  });
}

/** Reads what the orders need into memory, as it is in a database that is in use. */
async function warm(url) {
  await withClient(url, async (client) => {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_prewarm');
    await client.query(
      `SELECT sum(pg_prewarm(oid)) FROM pg_class WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace AND relpages > 0`,
    );
  });
}

export const byLimit = (bench, orders, options) => (url) =>
  drainByLimit(url, { orders, scratch: bench.scratch, ...options });
