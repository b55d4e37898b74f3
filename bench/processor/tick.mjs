import { writeFileSync } from 'node:fs';
import { withClient } from '../harness/database.mjs';
import { withCountedWorker } from './buffers.mjs';
import { lastOrderId, untilCompleted } from './worker.mjs';

/**
 * Makes `count` whole orders that are not due fall due within the last `seconds`, from those that were processed least.
 */
export async function makeDue(client, count, seconds = 3_600) {
  const { rowCount } = await client.query(
    `UPDATE scheduled_orders SET next_occurrence_utc = date_trunc('second', now()) - (id % $2) * interval '1 second'
     WHERE id IN (SELECT o.id FROM scheduled_orders o WHERE o.next_occurrence_utc > now()
       AND o.id IN (SELECT DISTINCT scheduled_order_id FROM scheduled_order_items) ORDER BY o.cycles, o.id LIMIT $1)`,
    [count, seconds],
  );
  if (rowCount !== count) throw new Error(`Only ${rowCount} orders can be made due.`);
}

/**
 * Lets `count` orders fall due under a running worker.
 * @returns ms from the first claim to the last commit, by the server's clock
 */
export function ticked(url, count, worker, before = () => undefined) {
  return withClient(url, async (client) => {
    await client.query(`SET pg_stat_statements.track = 'none'`);
    const from = await lastOrderId(client);
    const { rows } = await client.query(`SELECT clock_timestamp() AS now`);
    // The worker sees them with the commit: all together.
    await client.query('BEGIN');
    await makeDue(client, count);
    await before();
    await client.query('COMMIT');
    await untilCompleted(client, count, [worker], { from });
    const tick = await client.query(
      `SELECT count(*)::int AS completed, extract(epoch FROM max(pg_xact_commit_timestamp(xmin)) - min(created_utc))::float8 * 1000 AS ms
       FROM processing_cycles WHERE created_utc > $1`,
      [rows[0].now],
    );
    if (tick.rows[0].completed !== count) throw new Error(`A tick of ${count} completed ${tick.rows[0].completed}.`);
    return tick.rows[0].ms;
  });
}

/** Buffers of an order in such ticks, after one that warms the worker up. */
export const buffersPerOrder = (url, count, ticks) =>
  withCountedWorker(url, {}, async (worker, counted) => {
    await ticked(url, count, worker);
    const buffers = await counted(async () => {
      for (let tick = 0; tick < ticks; tick++) await ticked(url, count, worker);
    });
    return buffers / (count * ticks);
  });

/** Empties PostgreSQL's buffers and, where we may, the system's. */
export async function forget(bench) {
  await bench.databases.settle();
  await bench.databases.onServer((client) =>
    client.query('CREATE EXTENSION IF NOT EXISTS pg_buffercache; SELECT pg_buffercache_evict_all()'),
  );
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '3');
  } catch {
    bench.say('  (the system keeps its own cache: cold means PostgreSQL only)');
  }
}
