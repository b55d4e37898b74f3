import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { spread } from '../harness/rounds.mjs';
import { allAnew, withWorkers } from '../processor/passes.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['14'];
export const title = 'What a processed order leaves stored';

/** Not measured: they leave free what later ones use. */
const PASSES_BEFORE = 2;

/**
 * Every order falls due again and again, with a vacuum after each pass. What is measured is by how much the database
 * grows in a later pass: only what is kept makes it grow.
 */
export async function run(bench) {
  const orders = bench.pick({ usual: 20_000, smoke: 2_000 });
  const passes = bench.pick({ usual: 5, smoke: 1 });
  const template = await bench.databases.template('shops_size', (client) => fillShops(client, { sites: 10, orders }));
  const sizes = await bench.databases.withClone(template, 'size', (url) =>
    withWorkers(url, { count: 1, orders, fallDue: allAnew }, (once) =>
      withClient(url, async (client) => {
        const found = [];
        while (found.length < PASSES_BEFORE + passes) {
          await once();
          found.push(await sizesOf(client));
        }
        return found.slice(PASSES_BEFORE - 1);
      }),
    ),
  );
  await bench.databases.drop(template);
  const growth = (bytesOf) => sizes.slice(1).map((size, pass) => (bytesOf(size) - bytesOf(sizes[pass])) / orders);
  const total = (size) => [...size.values()].reduce((sum, bytes) => sum + bytes, 0);
  return {
    results: [result('14', 'Bytes stored per processed order, with all indexes', growth(total), '<= 2500')],
    figures: [...sizes[0].keys()]
      .map((table) => ({ table, bytes: growth((size) => size.get(table)) }))
      .filter(({ bytes }) => spread(bytes)[1] >= 1)
      .map(({ table, bytes }) => figure('14', `${table}: bytes per processed order, with its indexes`, bytes, 'B')),
  };
}

/** Bytes by table, its indexes and its long values included; partitions count as their table. */
export async function sizesOf(client) {
  await client.query('VACUUM');
  const { rows } = await client.query(
    `SELECT coalesce(i.inhparent, c.oid)::regclass::text AS name, sum(pg_total_relation_size(c.oid))::float8 AS bytes
     FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace GROUP BY 1`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}
