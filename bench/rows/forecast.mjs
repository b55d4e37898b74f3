import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rssOf } from '../harness/cpu.mjs';
import { withClient } from '../harness/database.mjs';
import { BENCH, lib, mainOf } from '../harness/product.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, valuesIn } from '../harness/rounds.mjs';
import { withService } from '../harness/service.mjs';
import { withPeakMemory } from '../http/memory.mjs';
import { merchantToken } from '../http/token.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['18'];
export const title = 'The forecast of a site with weekly orders';

const DAY_MS = 86_400_000;

/** The large site has fewer days: a forecast has at most 5 million occurrences. */
const USUAL = { orders: 100_000, days: 90 };
const LARGE = { orders: 1_000_000, days: 30 };
const SMOKE = { orders: 1_000, days: 30 };
/** Of the large site, whose forecast takes a minute. */
const LARGE_ROUNDS = 2;

export async function run(bench) {
  const site = bench.pick({ usual: USUAL, long: LARGE, smoke: SMOKE });
  const rounds = bench.form === 'long' ? Math.min(bench.rounds, LARGE_ROUNDS) : bench.rounds;
  const found = await measured(bench, { ...site, rounds });
  const values = valuesIn(found);
  const all = (what) => Object.values(found).flatMap((some) => some.map((one) => one[what]));
  const size = `${site.orders} weekly orders × ${site.days} days`;
  const memory = result('18', `Memory above idle, ${size}, in MB`, all('memory'), '<= 64');
  // The marks of times are those of the usual site.
  const times =
    bench.form === 'long'
      ? []
      : [
          result('18', `Forecast of ${size} by day, in s`, values('by day', 'seconds'), '<= 5'),
          result('18', 'The same with amounts, in s', values('with amounts', 'seconds'), '<= 30'),
        ];
  return {
    results: [...times, memory],
    figures: [
      ...Object.keys(found).map((name) => figure('18', `${size} ${name}`, values(name, 'seconds'), 's')),
      figure('18', `${size}: longest block of the event loop`, all('block'), 'ms'),
    ],
  };
}

async function measured(bench, { orders, days, rounds }) {
  const template = await bench.databases.template(`forecast_${orders}`, async (client) => {
    await fillShops(client, { sites: 1, orders, due: false });
    await client.query(WEEKLY);
  });
  const url = bench.databases.url(template);
  const token = await withClient(url, merchantToken);
  const { freePort } = await lib('platform');
  const port = await freePort();
  const loop = pathToFileURL(join(BENCH, 'http', 'loop-probe.mjs')).href;
  const service = { url, env: { BENCH_PROBE_PORT: String(port) }, args: ['--import', loop] };
  const found = await withService(mainOf('api'), service, async (api) => {
    const headers = { authorization: `Basic ${token}` };
    await read(`${api.url}/api/Site/1`, headers);
    const idle = rssOf(api.pid);
    const measure = (query) => async () => {
      const probe = `http://127.0.0.1:${port}`;
      await read(probe, {});
      const path = `${api.url}/api/Site/1/Forecast?${new URLSearchParams({ ...coming(days), ...query })}`;
      const { peak, seconds, text } = await withPeakMemory(api.pid, () => read(path, headers));
      requireWhole(text, orders, days);
      return { seconds, memory: (peak - idle) / 2 ** 20, block: Number((await read(probe, {})).text) };
    };
    const contenders = {
      'by day': measure({}),
      'with amounts': measure({ Amounts: 'true' }),
      'by product and day': measure({ By: 'ProductDay', Amounts: 'true' }),
    };
    const measurements = await interleave(contenders, rounds, bench.progress);
    if (api.output() !== '') throw new Error(`The API complained: ${api.output()}`);
    return measurements;
  });
  await bench.databases.drop(template);
  return found;
}

/** Whole weeks from tomorrow on would have each order in each of them. */
function coming(days) {
  const from = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  return { From: new Date(from).toISOString(), To: new Date(from + days * DAY_MS).toISOString() };
}

async function read(url, headers) {
  const started = performance.now();
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} was answered ${response.status}: ${text.slice(0, 500)}`);
  return { text, seconds: (performance.now() - started) / 1_000 };
}

/** Each order falls due once in seven days. */
function requireWhole(text, orders, days) {
  const { Orders, Occurrences, LeftOut } = JSON.parse(text);
  const weeks = days / 7;
  const isWhole = Occurrences >= orders * Math.floor(weeks) && Occurrences <= orders * Math.ceil(weeks);
  if (Orders !== orders || !isWhole || LeftOut.length > 0)
    throw new Error(
      `The forecast is not whole: ${Orders} orders, ${Occurrences} occurrences, ${JSON.stringify(LeftOut)}.`,
    );
}

/** Spread over the coming week. */
const WEEKLY = `UPDATE scheduled_orders SET frequency_type = 'Weeks', frequency = 1, next_occurrence_utc = d.next, schedule_anchor_utc = d.next
  FROM (SELECT id, date_trunc('hour', now()) + interval '1 hour' + make_interval(secs => id * 7919 % 604800) AS next FROM scheduled_orders) d
  WHERE scheduled_orders.id = d.id`;
