import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, median } from '../harness/rounds.mjs';
import { fillShops } from '../shop/shop.mjs';
import { measured, processByProduct } from './contenders.mjs';

const STATISTICS = ['empty', 'stale', 'fresh'];
/** A batch below it costs a commit for so few orders that fewer orders tell as much. */
const SMALL = 100;
const FEW = { usual: 3_000, smoke: 500 };

/** The product with small and large batches, while the planner knows nothing, what was true once, or what is true. */
export async function withStatistics(bench, orders) {
  const batches = bench.pick({ usual: [10, 500, 5_000], smoke: [10, 500] });
  const many = { orders, template: await prepared(bench, 'shops_many', orders) };
  const fewOrders = bench.pick(FEW);
  const few = { orders: fewOrders, template: await prepared(bench, 'shops_few', fewOrders) };
  const nameOf = (batch, statistics) => `batches of ${batch}, statistics ${statistics}`;
  const found = await interleave(
    Object.fromEntries(
      batches.flatMap((batch) =>
        STATISTICS.map((statistics) => [
          nameOf(batch, statistics),
          () => rateOf(bench, batch < SMALL ? few : many, batch, statistics),
        ]),
      ),
    ),
    bench.rounds,
    bench.progress,
  );
  for (const { template } of [many, few]) {
    for (const statistics of STATISTICS) await bench.databases.drop(`${template}_${statistics}`);
  }
  const worstOverBest = (names) =>
    found[names[0]].map((_, round) => {
      const rates = names.map((name) => found[name][round]);
      return Math.min(...rates) / Math.max(...rates);
    });
  const ofEach = batches.map((batch) => worstOverBest(STATISTICS.map((statistics) => nameOf(batch, statistics))));
  const worst = ofEach.reduce((a, b) => (median(a) <= median(b) ? a : b));
  return {
    results: [
      result(
        '6',
        `Worst against best statistics, at batches of ${batches[ofEach.indexOf(worst)]}, the worst of ${batches.join(', ')}`,
        worst,
        '>= 0.7',
      ),
    ],
    figures: [
      ...Object.entries(found).map(([name, rates]) => figure('6', `${name}: orders per second`, rates, '1/s')),
      ...batches.map((batch, index) =>
        figure('6', `batches of ${batch}: worst statistics against best`, ofEach[index], ''),
      ),
      figure('6', 'slowest batch size and statistics against the fastest', worstOverBest(Object.keys(found)), ''),
    ],
  };
}

function rateOf(bench, { template, orders }, batch, statistics) {
  return measured(bench, `${template}_${statistics}`, { orders }, (url, client) =>
    processByProduct(client, url, { orders, env: { CLAIM_BATCH: String(batch) } }),
  ).then(({ perSecond }) => perSecond);
}

/** Three databases, `NAME_STATISTICS`, whose statistics do not change: autovacuum would update them in the middle. */
async function prepared(bench, name, orders) {
  const template = await bench.databases.template(name, (client) => fillShops(client, { sites: 10, orders }));
  for (const statistics of STATISTICS) {
    const url = await bench.databases.clone(template, `${name}_${statistics}`);
    await withClient(url, async (client) => {
      const { rows } = await client.query(
        `SELECT relname AS table FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
      );
      const tables = rows.map(({ table }) => table);
      for (const table of tables) await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
      await SET[statistics](client, tables);
    });
  }
  await bench.databases.drop(template);
  return name;
}

const SET = {
  fresh: () => undefined,

  async empty(client, tables) {
    for (const table of tables) {
      await client.query(
        `SELECT pg_clear_relation_stats('public', $1), pg_clear_attribute_stats('public', $1, attname::text, false)
         FROM pg_attribute WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped`,
        [table],
      );
    }
  },

  /** As they were when the shop had a hundredth of its orders, a few dozen cycles on record, and nothing due. */
  async stale(client, tables) {
    const later = (days) =>
      client.query(`UPDATE scheduled_orders SET next_occurrence_utc = next_occurrence_utc + $1 * interval '1 day'`, [
        days,
      ]);
    await later(40);
    await client.query(`ANALYZE scheduled_orders`);
    await later(-40);
    await client.query(`VACUUM scheduled_orders`);
    for (const table of tables) {
      await client.query(
        `SELECT pg_restore_relation_stats('schemaname', 'public', 'relname', $1::text, 'relpages', greatest(relpages / 100, 1),
           'reltuples', greatest(reltuples / 100, 30)::real)
         FROM pg_class WHERE oid = $1::text::regclass`,
        [table],
      );
    }
  },
};
