import { join } from 'node:path';
import { charged } from '../gateway/charged.mjs';
import { BENCH } from '../harness/product.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, ratios } from '../harness/rounds.mjs';
import { runToEnd } from '../harness/run-node.mjs';
import { processByProduct } from '../processor/contenders.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['4'];
export const title = 'Charging through the GatewayOne adapter, with a gateway that takes its time';

/** Calls at once per integration: the product's default. */
const CONCURRENCY = 25;
/** Integrations, so that calls at once in all are these times the above. */
const INTEGRATIONS = { 50: 40, 300: 8 };
const LOOP_IN_FLIGHT = 200;
const LOOP_CONNECTIONS = 24;

export async function run(bench) {
  // At 50 ms enough that the start of the processes does not count.
  const orders = bench.pick({ usual: { 50: 12_000, 300: 4_000 }, smoke: { 50: 1_000, 300: 1_000 } });
  const templates = {};
  for (const latency of [50, 300]) {
    const size = { sites: INTEGRATIONS[latency], orders: orders[latency], apiKey1: 'sk_test_bench', dueWithinS: 3_600 };
    templates[latency] = await bench.databases.template(`shops_gateway_${latency}`, (client) =>
      fillShops(client, size),
    );
  }
  const product = (latency) => () =>
    charged(bench, templates[latency], { latency, orders: orders[latency] }, (url, client, gatewayUrl) =>
      processByProduct(client, url, {
        orders: orders[latency],
        env: { GATEWAY_ONE_URL: gatewayUrl, GATEWAY_CONCURRENCY: String(CONCURRENCY) },
      }),
    );
  const loop = () =>
    charged(bench, templates[50], { latency: 50, orders: orders[50] }, (url, client, gatewayUrl) =>
      runToEnd(process.execPath, [
        join(BENCH, 'processor', 'peers', 'loop.mjs'),
        url,
        String(LOOP_IN_FLIGHT),
        String(LOOP_CONNECTIONS),
        gatewayUrl,
        String(CONCURRENCY),
      ]).then(() => null),
    );
  const found = await interleave(
    { 'product at 50 ms': product(50), 'loop at 50 ms': loop, 'product at 300 ms': product(300) },
    bench.rounds,
    bench.progress,
  );
  for (const latency of [50, 300]) await bench.databases.drop(templates[latency]);
  const rate = (name) => found[name].map(({ perSecond }) => perSecond);
  const possible = (INTEGRATIONS[300] * CONCURRENCY) / 0.3;
  return {
    results: [
      result(
        '4',
        `At 50 ms, against a per-order loop with ${LOOP_IN_FLIGHT} in flight`,
        ratios(rate('product at 50 ms'), rate('loop at 50 ms')),
        '>= 4.3',
      ),
      result(
        '4',
        `At 300 ms, as a share of concurrency ÷ latency (${Math.round(possible)}/s)`,
        rate('product at 300 ms').map((value) => value / possible),
        '>= 0.9',
      ),
    ],
    figures: Object.keys(found).map((name) => figure('4', `${name}: orders per second`, rate(name), '1/s')),
  };
}
