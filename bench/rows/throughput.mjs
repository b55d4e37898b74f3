import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, median, ratios } from '../harness/rounds.mjs';
import { fingerprint } from '../processor/check.mjs';
import { byLimit, enqueue, measured, processByProduct, workOff } from '../processor/contenders.mjs';
import { requirePgbench } from '../processor/limit.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['1', '2', '3'];
export const title = 'Due orders processed end to end, against job queues and against the limit';

const PEERS = ['pg-boss', 'graphile-worker'];

/** Sites, as many as a small host of shops has: the fair claim is part of the work. */
const SITES = 10;

export async function run(bench) {
  const orders = bench.quick ? 10_000 : 24_000;
  const peers = bench.wants('1', '3') ? PEERS : [];
  const limited = bench.wants('2', '3');
  if (limited) requirePgbench();
  await requireSameWork(bench, { peers, limited });
  const template = await bench.databases.template('shops', (client) => fillShops(client, { sites: SITES, orders }));
  const contender = (from, work) => () => measured(bench, from, { orders }, work);
  const contenders = {
    product: contender(template, (url, client) => processByProduct(client, url, { orders })),
    ...(limited && { limit: contender(template, byLimit(bench, orders)) }),
  };
  for (const peer of peers) {
    const withJobs = await bench.databases.derived(queueOf(peer), template, (url) => enqueue(peer, url, orders));
    contenders[peer] = contender(withJobs, (url) => workOff(peer, url, orders).then(() => null));
  }
  const found = await interleave(contenders, bench.rounds, bench.progress);
  for (const peer of peers) await bench.databases.drop(queueOf(peer));
  return { results: judge(bench, found), figures: figures(bench, found) };
}

/** The database with a job for each due order. */
const queueOf = (peer) => `shops_${peer.replace('-', '_')}`;

function judge(bench, found) {
  const of = (name, what) => found[name].map((measurement) => measurement[what]);
  const results = [];
  if (bench.wants('1')) {
    const best = PEERS.reduce((a, b) => (median(of(a, 'perSecond')) >= median(of(b, 'perSecond')) ? a : b));
    const ratio = ratios(of('product', 'perSecond'), of(best, 'perSecond'));
    results.push(result('1', `Due orders per second, one worker, against ${best}, the faster queue`, ratio, '>= 5'));
  }
  if (bench.wants('2')) {
    results.push(
      result(
        '2',
        'The same, as a share of the limit',
        ratios(of('product', 'perSecond'), of('limit', 'perSecond')),
        '>= 0.65',
      ),
    );
  }
  if (bench.wants('3')) {
    results.push(
      result(
        '3',
        'Log bytes per order, against the limit',
        ratios(of('product', 'walBytes'), of('limit', 'walBytes')),
        '<= 1.25',
      ),
      result('3', 'Commits per order', of('product', 'commits'), '<= 0.01'),
    );
  }
  return results;
}

/** Behind the results of the rows that were asked for, and of no others. */
function figures(bench, found) {
  const behind = [
    ...['product', ...PEERS].flatMap((name) => speed('1', name, found)),
    ...['product', 'limit'].flatMap((name) => speed('2', name, found)),
    ...Object.keys(found).flatMap((name) => log('3', name, found)),
  ];
  return behind.filter(({ row }) => bench.wants(row));
}

function speed(row, name, found) {
  if (!(name in found)) return [];
  const of = (what) => found[name].map((measurement) => measurement[what]);
  return [
    figure(row, `${name}: orders per second`, of('perSecond'), '1/s'),
    figure(row, `${name}: CPU time of PostgreSQL per order`, of('serverMicros'), 'µs'),
    ...(of('nodeMicros').includes(null)
      ? []
      : [figure(row, `${name}: CPU time of Node per order`, of('nodeMicros'), 'µs')]),
  ];
}

function log(row, name, found) {
  const of = (what) => found[name].map((measurement) => measurement[what]);
  return [
    figure(row, `${name}: log bytes per order`, of('walBytes'), 'B'),
    figure(row, `${name}: commits per order`, of('commits'), ''),
  ];
}

/** Before anything is timed: all contenders write the same rows for the same orders. @throws Error naming the table that differs. */
async function requireSameWork(bench, { peers, limited }) {
  const orders = 1_000;
  const template = await bench.databases.template('sample', (client) => fillShops(client, { sites: SITES, orders }));
  const works = {
    product: (url, client) => processByProduct(client, url, { orders }),
    ...(limited && { limit: byLimit(bench, orders, { batch: 100 }) }),
    ...Object.fromEntries(
      peers.map((peer) => [peer, (url) => enqueue(peer, url, orders).then(() => workOff(peer, url, orders))]),
    ),
  };
  let expected = null;
  for (const [name, work] of Object.entries(works)) {
    const written = await bench.databases.withClone(template, 'round', (url) =>
      withClient(url, async (client) => {
        await work(url, client);
        return fingerprint(client);
      }),
    );
    expected ??= written;
    for (const table of Object.keys(expected)) {
      const [ours, theirs] = [expected[table], written[table]].map((value) => JSON.stringify(value));
      if (ours !== theirs)
        throw new Error(`${name} did not write the same ${table} as the product: ${theirs}, not ${ours}.`);
    }
  }
  await bench.databases.drop('sample');
}
