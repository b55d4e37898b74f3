import { withClient } from '../harness/database.mjs';
import { mainOf } from '../harness/product.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, ratios, valuesIn } from '../harness/rounds.mjs';
import { withService } from '../harness/service.mjs';
import { merchantToken } from '../http/token.mjs';
import { underLoad } from '../http/under-load.mjs';
import { measured, processByProduct } from '../processor/contenders.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['12'];
export const title = 'The API beside a worker that has much to do';

/**
 * GETs by id in a second, sent when they are due: what the shops' customers and merchants ask for, whatever the worker
 * does.
 */
const RATE = 100;
const CONNECTIONS = 32;

export async function run(bench) {
  const orders = bench.pick({ usual: 40_000, smoke: 2_000 });
  const aloneS = bench.pick({ usual: 12, smoke: 1 });
  const template = await bench.databases.template('shops_beside', (client) => fillShops(client, { sites: 10, orders }));
  const drain = (url, client) => processByProduct(client, url, { orders });
  const found = await interleave(
    {
      'API alone': () =>
        bench.databases.withClone(template, 'round', (url) =>
          withLoadedApi(url, orders, (load) => load(() => pause(aloneS)).then(({ p50, p99 }) => ({ p50, p99 }))),
        ),
      'worker alone': () => measured(bench, template, { orders }, drain),
      both: () => both(bench, template, orders, drain),
    },
    bench.rounds,
    bench.progress,
  );
  await bench.databases.drop(template);
  return judged(found);
}

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/** The load lasts as long as the worker has orders, from before its start. */
async function both(bench, template, orders, drain) {
  let latencies;
  const worker = await measured(bench, template, { orders }, (url, client) =>
    withLoadedApi(url, orders, async (load) => {
      latencies = await load(() => drain(url, client));
      return null;
    }),
  );
  return { perSecond: worker.perSecond, p50: latencies.p50, p99: latencies.p99 };
}

/**
 * Runs `work(load)` beside an API that has answered some requests; `load(during)` asks for orders while `during()`
 * lasts.
 */
async function withLoadedApi(databaseUrl, orders, work) {
  const token = await withClient(databaseUrl, merchantToken);
  const ids = Array.from({ length: 5_000 }, (_, index) => 1 + ((index * 7_919) % orders));
  const env = { RATE_LIMIT_PER_SECOND: '0' };
  return withService(mainOf('api'), { url: databaseUrl, env }, ({ url }) => {
    const load = (during) =>
      underLoad({ url, token, route: 'get', ids, warmup: 1, connections: CONNECTIONS, rate: RATE }, during);
    return work(load);
  });
}

function judged(found) {
  const values = valuesIn(found);
  return {
    results: [
      result(
        '12',
        `GET by id at ${RATE}/s beside a worker that drains its orders: median, against the API alone`,
        ratios(values('both', 'p50'), values('API alone', 'p50')),
        '<= 3',
      ),
      result('12', 'The same: p99, in ms', values('both', 'p99'), '<= 50'),
      result(
        '12',
        'The worker beside it: orders per second, against the worker alone',
        ratios(values('both', 'perSecond'), values('worker alone', 'perSecond')),
        '>= 0.75',
      ),
    ],
    figures: [
      ...['API alone', 'both'].flatMap((name) =>
        ['p50', 'p99'].map((what) => figure('12', `${name}: GET by id, ${what}`, values(name, what), 'ms')),
      ),
      ...['worker alone', 'both'].map((name) =>
        figure('12', `${name}: orders per second`, values(name, 'perSecond'), '1/s'),
      ),
    ],
  };
}
