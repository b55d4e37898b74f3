import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, median, ratios } from '../harness/rounds.mjs';
import { measured, processByProduct } from '../processor/contenders.mjs';
import { rateOfLastPass } from '../processor/passes.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['6'];
export const title =
  'A long transaction elsewhere; small and large batches with statistics that are missing, old or right';

/** How often every order falls due anew while the transaction stays open: what it keeps from being cleaned away piles up. */
const PASSES = 3;
const STATISTICS = ['empty', 'stale', 'fresh'];
/** A batch below it costs a commit for so few orders that fewer orders tell as much. */
const SMALL = 100;
const FEW = 3_000;

export async function run(bench) {
  const orders = bench.quick ? 10_000 : 15_000;
  const template = await bench.databases.template('shops_adversity', (client) =>
    fillShops(client, { sites: 10, orders }),
  );
  const long = await interleave(
    {
      alone: () => passes(bench, template, orders, false),
      'beside a long transaction': () => passes(bench, template, orders, true),
    },
    bench.rounds,
    bench.progress,
  );
  const few = await bench.databases.template('shops_few', (client) => fillShops(client, { sites: 10, orders: FEW }));
  for (const each of [template, few]) await prepareStatistics(bench, each);
  const batches = bench.quick ? [10, 500] : [10, 500, 5_000];
  const found = await interleave(
    Object.fromEntries(
      batches.flatMap((batch) =>
        STATISTICS.map((statistics) => [
          `batches of ${batch}, statistics ${statistics}`,
          () =>
            batch < SMALL
              ? withStatistics(bench, few, FEW, batch, statistics)
              : withStatistics(bench, template, orders, batch, statistics),
        ]),
      ),
    ),
    bench.quick ? 1 : bench.rounds,
    bench.progress,
  );
  for (const each of [template, few]) {
    for (const statistics of STATISTICS) await bench.databases.drop(`${each}_${statistics}`);
    await bench.databases.drop(each);
  }
  const rate = (batch, statistics) =>
    found[`batches of ${batch}, statistics ${statistics}`].map(({ perSecond }) => perSecond);
  const worst = batches.map((batch) => {
    const medians = STATISTICS.map((statistics) => median(rate(batch, statistics)));
    return Math.min(...medians) / Math.max(...medians);
  });
  const all = batches.flatMap((batch) => STATISTICS.map((statistics) => median(rate(batch, statistics))));
  return {
    results: [
      result(
        '6',
        'Beside a REPEATABLE READ transaction that stays open',
        ratios(long['beside a long transaction'], long.alone),
        '>= 0.9',
      ),
      result(
        '6',
        `Worst against best statistics, at batches of ${batches.join(', ')} (the worst batch size counts)`,
        [Math.min(...worst)],
        '>= 0.7',
      ),
    ],
    figures: [
      ...Object.entries(long).map(([name, rates]) => figure('6', `${name}: orders per second`, rates, '1/s')),
      ...Object.entries(found).map(([name, measurements]) =>
        figure(
          '6',
          `${name}: orders per second`,
          measurements.map(({ perSecond }) => perSecond),
          '1/s',
        ),
      ),
      figure('6', 'slowest batch size and statistics against the fastest', [Math.min(...all) / Math.max(...all)], ''),
    ],
  };
}

/** Orders per second of the last of several passes over all orders. */
function passes(bench, template, orders, beside) {
  return bench.databases.withClone(template, 'round', (url) =>
    withClient(url, (client) =>
      withClient(url, async (other) => {
        if (beside) await other.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM scheduled_orders`);
        const rate = await rateOfLastPass(client, url, { orders, passes: PASSES });
        if (beside) await other.query('COMMIT');
        return rate;
      }),
    ),
  );
}

function withStatistics(bench, template, orders, batch, statistics) {
  return measured(bench, `${template}_${statistics}`, { orders }, (url, client) =>
    processByProduct(client, url, { orders, env: { CLAIM_BATCH: String(batch) } }),
  );
}

/** Copies of the template whose statistics stay as they are: autovacuum would mend them in the middle. */
async function prepareStatistics(bench, template) {
  for (const statistics of STATISTICS) {
    const name = `${template}_${statistics}`;
    await bench.databases.clone(template, name);
    await withClient(bench.databases.url(name), async (client) => {
      const { rows } = await client.query(
        `SELECT relname AS table FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
      );
      for (const { table } of rows) await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
      await SET[statistics](
        client,
        rows.map(({ table }) => table),
      );
    });
  }
}

export const SET = {
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
