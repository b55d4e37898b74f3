import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleavePasses, ratios } from '../harness/rounds.mjs';
import { withWorkers } from '../processor/passes.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['7'];
export const title = 'Several workers';

const COUNTS = [1, 2, 4];
/** In a round. */
const PASSES = 3;

/** Copies of a database, each with its number of workers, which stay; one works at a time. */
export async function run(bench) {
  const orders = bench.quick ? 10_000 : 40_000;
  const template = await bench.databases.template('shops_workers', (client) =>
    fillShops(client, { sites: 10, orders }),
  );
  const found = await withCopies(bench, template, orders, COUNTS, async (contenders) => {
    // The first pass is for the processes to get warm.
    for (const once of Object.values(contenders)) await once();
    return interleavePasses(contenders, bench.rounds, PASSES, bench.progress);
  });
  await bench.databases.drop(template);
  return {
    results: ['2 workers', '4 workers'].map((name) =>
      result(
        '7',
        `${name} against one: no deadlock, no double, throughput`,
        ratios(found[name], found['1 worker']),
        '>= 0.95',
      ),
    ),
    figures: Object.keys(found).map((name) => figure('7', `${name}: orders per second`, found[name], '1/s')),
  };
}

/** Runs `work(contenders)` with a copy of the template per number of workers. */
async function withCopies(bench, template, orders, [count, ...others], work, contenders = {}) {
  if (count === undefined) return work(contenders);
  const name = `${count} worker${count === 1 ? '' : 's'}`;
  return bench.databases.withClone(template, `workers_${count}`, async (url) => {
    const found = await withWorkers(url, { count, orders, fallDue: allAnew }, (once) =>
      withCopies(bench, template, orders, others, work, { ...contenders, [name]: once }),
    );
    await withClient(url, requireNoDeadlock);
    return found;
  });
}

const allAnew = (client) =>
  client.query(
    `UPDATE scheduled_orders SET next_occurrence_utc = schedule_anchor_utc WHERE next_occurrence_utc <> schedule_anchor_utc`,
  );

async function requireNoDeadlock(client) {
  await client.query(`SELECT pg_stat_force_next_flush()`);
  const { rows } = await client.query(`SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()`);
  if (rows[0].deadlocks > 0) throw new Error(`${rows[0].deadlocks} deadlocks.`);
}
