import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, ratios } from '../harness/rounds.mjs';
import { rateOfLastPass } from '../processor/passes.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['7'];
export const title = 'Several workers';

/** The first pass is for the processes to get warm: they would share the cores with each other's start. */
const PASSES = 2;

export async function run(bench) {
  const orders = bench.quick ? 10_000 : 40_000;
  const template = await bench.databases.template('shops_workers', (client) =>
    fillShops(client, { sites: 10, orders }),
  );
  const contender = (workers) => () =>
    bench.databases.withClone(template, 'round', (url) =>
      withClient(url, async (client) => {
        const perSecond = await rateOfLastPass(client, url, { orders, passes: PASSES, workers });
        await requireNoDeadlock(client);
        return perSecond;
      }),
    );
  const found = await interleave(
    { '1 worker': contender(1), '2 workers': contender(2), '4 workers': contender(4) },
    bench.rounds,
    bench.progress,
  );
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

async function requireNoDeadlock(client) {
  await client.query(`SELECT pg_stat_force_next_flush()`);
  const { rows } = await client.query(`SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()`);
  if (rows[0].deadlocks > 0) throw new Error(`${rows[0].deadlocks} deadlocks.`);
}
