import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { withClient } from '../harness/database.mjs';
import { lib, mainOf } from '../harness/product.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, ratios } from '../harness/rounds.mjs';
import { withService } from '../harness/service.mjs';
import { readList } from '../http/stream.mjs';
import { merchantToken } from '../http/token.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['9'];
export const title = 'The whole list of scheduled orders, with customer, items and products embedded';

const SLOW = { bytesPerSecond: 1_000_000, seconds: 10 };

export async function run(bench) {
  const orders = bench.quick ? 50_000 : 1_000_000;
  const template = await bench.databases.template('list', (client) =>
    fillShops(client, { sites: 1, orders, due: false }),
  );
  const url = bench.databases.url(template);
  const token = await withClient(url, merchantToken);
  const found = await withService(mainOf('api'), { url }, (api) => {
    const list = `${api.url}/api/ScheduledOrders`;
    return interleave(
      {
        product: () => readList(list, token, { serverPid: api.pid }),
        'slow reader': () => readList(list, token, { serverPid: api.pid, ...SLOW }),
        ...(hasPsql() && { psql: () => copyByPsql(url) }),
      },
      bench.rounds,
      bench.progress,
    );
  });
  await bench.databases.drop(template);
  const of = (name, what) => found[name].map((measurement) => measurement[what]);
  requireSameBytes(found, orders);
  return {
    results: [
      ...(found.psql
        ? [
            result(
              '9',
              `Whole list of ${orders} orders: time, against COPY by psql`,
              ratios(of('product', 'seconds'), of('psql', 'seconds')),
              '<= 1.15',
            ),
          ]
        : []),
      result(
        '9',
        'First byte, in ms',
        of('product', 'first').map((seconds) => seconds * 1_000),
        '<= 50',
      ),
      result('9', 'Memory above idle, in MB', of('product', 'memory'), '<= 64'),
      result('9', 'Memory above idle with a reader of 1 MB/s, in MB', of('slow reader', 'memory'), '<= 64'),
    ],
    figures: [
      figure('9', 'product: whole list', of('product', 'seconds'), 's'),
      ...(found.psql ? [figure('9', 'psql: the same JSON by COPY', of('psql', 'seconds'), 's')] : []),
      figure(
        '9',
        'size of the list',
        of('product', 'bytes').map((bytes) => bytes / 1e6),
        'MB',
      ),
    ],
  };
}

const hasPsql = () => spawnSync('psql', ['--version']).status === 0;

/** PostgreSQL's own client copies the same JSON, a line an order. */
async function copyByPsql(url) {
  const { scheduledOrderView } = await lib('records');
  const json = scheduledOrderView.json('x').replace(/\s+/g, ' ');
  const copy = `COPY (SELECT ${json} FROM scheduled_orders x WHERE x.site_id = 1 AND x.deleted_utc IS NULL ORDER BY x.id) TO STDOUT`;
  const started = performance.now();
  const child = spawn('psql', ['-X', '-q', '-d', url, '-c', copy], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let bytes = 0;
  for await (const chunk of child.stdout) bytes += chunk.length;
  const [code] = await exited;
  if (code !== 0) throw new Error(`psql ended with ${code}.`);
  return { bytes, seconds: (performance.now() - started) / 1_000 };
}

/** A line ends where a comma stands in the array; the array has two brackets and no comma behind its last element. */
function requireSameBytes({ product, psql }, orders) {
  if (!psql) return;
  const [ours, theirs] = [product[0].bytes, psql[0].bytes + 1];
  // COPY writes a line break inside JSON as two characters, the array as one.
  if (Math.abs(ours - theirs) > orders)
    throw new Error(`The list has ${ours} bytes; psql's, as an array, would have ${theirs}.`);
}
