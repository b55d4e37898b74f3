import { intervalOfMedian } from '../harness/bootstrap.mjs';
import { withCpu } from '../harness/cpu.mjs';
import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, ratios } from '../harness/rounds.mjs';
import { requireProcessed } from '../processor/check.mjs';
import { drainByLimit, requirePgbench } from '../processor/limit.mjs';
import { allAnew, withWorkers } from '../processor/passes.mjs';
import { requireSameWork } from '../processor/same-work.mjs';
import { lastOrderId } from '../processor/worker.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['2'];
export const title = 'Processor time of a due order, against the limit';

/** Short passes in turn: what the machine does meanwhile happens to both. */
const PASSES = { usual: 20, smoke: 1 };

export async function run(bench) {
  requirePgbench();
  await requireSameWork(bench, { peers: [], limited: true });
  const orders = bench.pick({ usual: 10_000, smoke: 2_000 });
  const passes = bench.pick(PASSES);
  const template = await bench.databases.template('shops_share', (client) => fillShops(client, { sites: 10, orders }));
  const { product, limit } = await bench.databases.withClone(template, 'share_product', (ours) =>
    bench.databases.withClone(template, 'share_limit', (theirs) =>
      withWorkers(ours, { count: 1, orders, fallDue: allAnew, measure: costOf(bench, orders) }, (once) =>
        withClient(theirs, async (client) => {
          const contenders = { product: once, limit: () => limitPass(bench, client, theirs, orders) };
          // The first pass is for the worker to get warm.
          for (const contender of Object.values(contenders)) await contender();
          return interleave(contenders, passes, bench.progress);
        }),
      ),
    ),
  );
  await bench.databases.drop(template);
  const shares = ratios(limit, product);
  return {
    results: [
      result(
        '2',
        `Processor time of an order: the limit's as a share of the product's (95 % interval of the median of ${passes} passes)`,
        shares,
        '>= 0.7',
        intervalOfMedian(shares),
      ),
    ],
    figures: Object.entries({ product, limit }).map(([name, micros]) =>
      figure('2', `${name}: CPU time per order, of PostgreSQL and Node together`, micros, 'µs'),
    ),
  };
}

const costOf = (bench, orders) => async (drain, pids) => (await withCpu(bench, { orders, pids }, drain)).micros;

async function limitPass(bench, client, url, orders) {
  const from = await lastOrderId(client);
  await allAnew(client);
  const { scratch } = bench;
  const { micros } = await withCpu(bench, { orders }, () => drainByLimit(url, { orders, scratch }));
  await requireProcessed(client, orders, { from });
  return micros;
}
