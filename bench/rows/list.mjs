import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rssOf } from '../harness/cpu.mjs';
import { withClient } from '../harness/database.mjs';
import { lib, mainOf } from '../harness/product.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, ratios, valuesIn } from '../harness/rounds.mjs';
import { withService } from '../harness/service.mjs';
import { withPeakMemory } from '../http/memory.mjs';
import { readList } from '../http/stream.mjs';
import { merchantToken } from '../http/token.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['9'];
export const title = 'The whole list of scheduled orders, with customer, items and products embedded';

/** Long enough: a server that does not wait for its reader reads ahead at once, hundreds of MB a second. */
const SLOW = { bytesPerSecond: 1_000_000, seconds: 10 };
const SLOW_SMOKE = { ...SLOW, seconds: 1 };

/** A token may reach many sites: their orders are read in order of id, as those of one. */
const MANY_SITES = { usual: 2_000, long: 2_000, smoke: 100 };

export async function run(bench) {
  requirePsql();
  const orders = bench.pick({ usual: 100_000, long: 1_000_000, smoke: 5_000 });
  const manySites = bench.pick(MANY_SITES);
  const slow = bench.pick({ usual: SLOW, long: SLOW, smoke: SLOW_SMOKE });
  const found = await measured(bench, 'list', { sites: 1, orders }, (api, token) => ({
    'slow reader': () => read(api, token, slow),
  }));
  const ofMany = await measured(bench, 'list_sites', { sites: manySites, orders, products: 10 }, () => ({}));
  const values = valuesIn(found);
  const seconds = (name) => ofMany[name].map((measurement) => measurement.seconds);
  return {
    results: [
      result(
        '9',
        `Whole list of ${orders} orders: time, against COPY by psql`,
        ratios(values('product', 'seconds'), values('psql', 'seconds')),
        '<= 1.15',
      ),
      result('9', `The same, of ${manySites} sites`, ratios(seconds('product'), seconds('psql')), '<= 1.3'),
      result(
        '9',
        'First byte, in ms',
        values('product', 'first').map((seconds) => seconds * 1_000),
        '<= 50',
      ),
      result('9', 'Memory above idle, in MB', values('product', 'memory'), '<= 64'),
      result('9', 'Memory above idle with a reader of 1 MB/s, in MB', values('slow reader', 'memory'), '<= 64'),
    ],
    figures: [
      figure('9', 'product: whole list', values('product', 'seconds'), 's'),
      figure('9', 'psql: the same JSON by COPY', values('psql', 'seconds'), 's'),
      figure('9', `product: whole list of ${manySites} sites`, seconds('product'), 's'),
      figure('9', `psql: the same JSON of ${manySites} sites by COPY`, seconds('psql'), 's'),
      figure(
        '9',
        'size of the list',
        values('product', 'bytes').map((bytes) => bytes / 1e6),
        'MB',
      ),
    ],
  };
}

/** The list of these shops, read from the API and copied by psql in turn, and what `others(api, token)` adds. */
async function measured(bench, name, shops, others) {
  const template = await bench.databases.template(name, (client) => fillShops(client, { ...shops, due: false }));
  const url = bench.databases.url(template);
  const token = await withClient(url, merchantToken);
  const found = await withService(mainOf('api'), { url }, async (api) => {
    const idle = await idleMemory(api, token);
    const contenders = { product: () => read(api, token), ...others(api, token), psql: () => copyByPsql(url) };
    const measurements = await interleave(contenders, bench.rounds, bench.progress);
    if (api.output() !== '') throw new Error(`The API complained: ${api.output()}`);
    const aboveIdle = ({ peak, ...measurement }) => ({ ...measurement, memory: (peak - idle) / 2 ** 20 });
    return Object.fromEntries(Object.entries(measurements).map(([contender, all]) => [contender, all.map(aboveIdle)]));
  });
  await bench.databases.drop(template);
  requireSameBytes(found);
  return found;
}

const read = (api, token, pace) =>
  withPeakMemory(api.pid, () => readList(`${api.url}/api/ScheduledOrders`, token, pace));

/**
 * What the API has before its first list, in bytes, connected to the database and warmed up by one request: the same
 * for every round, for what a list leaves behind is not idle.
 */
async function idleMemory(api, token) {
  const response = await fetch(`${api.url}/api/ScheduledOrders/1`, { headers: { authorization: `Basic ${token}` } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`The order was answered ${response.status}.`);
  return rssOf(api.pid);
}

function requirePsql() {
  if (spawnSync('psql', ['--version']).status !== 0)
    throw new Error(
      'Row 9 needs psql: install the package postgresql-client (on Fedora and macOS: postgresql, libpq).',
    );
}

/** PostgreSQL's own client copies the same JSON, a line an order. */
async function copyByPsql(url) {
  const { scheduledOrderView } = await lib('records');
  const json = scheduledOrderView.json('x').replace(/\s+/g, ' ');
  const copy = `COPY (SELECT ${json} FROM scheduled_orders x WHERE x.site_id IN (SELECT id FROM sites) AND x.deleted_utc IS NULL ORDER BY x.id) TO STDOUT`;
  const started = performance.now();
  const child = spawn('psql', ['-X', '-q', '-d', url, '-c', copy], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let bytes = 0;
  for await (const chunk of child.stdout) bytes += chunk.length;
  const [code] = await exited;
  if (code !== 0) throw new Error(`psql ended with ${code}.`);
  return { bytes, seconds: (performance.now() - started) / 1_000 };
}

/**
 * A line ends where a comma stands in the array, which has two brackets, and no comma behind its last element: one byte
 * more. Nothing in the shops' JSON is escaped by COPY.
 */
function requireSameBytes({ product, psql }) {
  for (const [round, { bytes }] of product.entries()) {
    const copied = psql[round].bytes + 1;
    if (bytes !== copied) throw new Error(`The list has ${bytes} bytes; psql's, as an array, would have ${copied}.`);
  }
}
