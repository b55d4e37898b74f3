import { figure, result } from '../harness/results.mjs';
import { interleave, ratios } from '../harness/rounds.mjs';
import { measured, processByProduct } from '../processor/contenders.mjs';
import { addTaxRates, fillShops } from '../shop/shop.mjs';

export const rows = ['13'];
export const title = 'Many sites, one large site, many rates';

/** So many as a table of all postcodes of the United States has. */
const MANY_RATES = { usual: 40_000, smoke: 1_000 };

export async function run(bench) {
  const { orders, manySites } = bench.pick({
    usual: { orders: 16_000, manySites: 10_000 },
    smoke: { orders: 2_000, manySites: 200 },
  });
  const manyRates = bench.pick(MANY_RATES);
  const shops = (name, size) =>
    bench.databases.template(`shops_${name}`, (client) => fillShops(client, { orders, ...size }));
  const templates = {
    '10 sites': await shops('ten', { sites: 10 }),
    [`${manySites} sites`]: await shops('many', { sites: manySites, products: 10 }),
    'one site': await shops('one', { sites: 1 }),
    [`one site with ${manyRates} tax rates`]: await bench.databases.template('shops_rates', async (client) => {
      await fillShops(client, { orders, sites: 1 });
      await addTaxRates(client, manyRates);
    }),
  };
  const contenders = Object.entries(templates).map(([name, template]) => [
    name,
    () => measured(bench, template, { orders }, (url, client) => processByProduct(client, url, { orders })),
  ]);
  const found = await interleave(Object.fromEntries(contenders), bench.rounds, bench.progress);
  for (const template of Object.values(templates)) await bench.databases.drop(template);
  const rate = (name) => found[name].map(({ perSecond }) => perSecond);
  const against = (name, other) =>
    result('13', `Due orders per second: ${name}, against ${other}`, ratios(rate(name), rate(other)), '>= 0.85');
  const [ten, many, one, rated] = Object.keys(templates);
  return {
    results: [against(many, ten), against(one, ten), against(rated, one)],
    figures: Object.keys(found).flatMap((name) => [
      figure('13', `${name}: orders per second`, rate(name), '1/s'),
      figure(
        '13',
        `${name}: CPU time of PostgreSQL and Node per order`,
        found[name].map(({ serverMicros, nodeMicros }) => serverMicros + nodeMicros),
        'µs',
      ),
    ]),
  };
}
