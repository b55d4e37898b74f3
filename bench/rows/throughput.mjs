import { figure, result } from '../harness/results.mjs';
import { interleave, median, ratios, valuesIn } from '../harness/rounds.mjs';
import { byLimit, enqueue, measured, processByProduct, workOff, workOffInSets } from '../processor/contenders.mjs';
import { requirePgbench } from '../processor/limit.mjs';
import { requireSameWork } from '../processor/same-work.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['1', '3'];
export const title = 'Due orders processed end to end, against job queues; what is logged, against the limit';

const PEERS = ['pg-boss', 'graphile-worker'];
/** The better queue with a handler that writes whole batches. */
const IN_SETS = 'pg-boss in sets';

/** Sites, as many as a small host of shops has: the fair claim is part of the work. */
const SITES = 10;

export async function run(bench) {
  const orders = bench.pick({ usual: 16_000, smoke: 2_000 });
  const peers = bench.wants('1') ? PEERS : [];
  const limited = bench.wants('3');
  if (limited) requirePgbench();
  await requireSameWork(bench, { peers, limited });
  const template = await bench.databases.template(`shops_${orders}`, (client) =>
    fillShops(client, { sites: SITES, orders }),
  );
  const contender = (from, work, about) => () => measured(bench, from, { orders, ...about }, work);
  const ours = (about) => contender(template, (url, client) => processByProduct(client, url, { orders }), about);
  const limit = (about) => contender(template, byLimit(bench, orders), about);
  const contenders = { product: ours(), ...(limited && { limit: limit() }) };
  for (const peer of peers) {
    const withJobs = await bench.databases.derived(queueOf(peer), template, (url) => enqueue(peer, url, orders));
    contenders[peer] = contender(withJobs, (url) => workOff(peer, url, orders).then(() => null));
    if (peer === 'pg-boss')
      contenders[IN_SETS] = contender(withJobs, (url) => workOffInSets(url, orders).then(() => null));
  }
  const found = await interleave(contenders, bench.rounds, bench.progress);
  for (const peer of peers) await bench.databases.drop(queueOf(peer));
  const imaged = limited
    ? await interleave(
        { product: ours({ afterCheckpoint: true }), limit: limit({ afterCheckpoint: true }) },
        1,
        bench.progress,
      )
    : null;
  return { results: judge(bench, found), figures: figures(bench, found, imaged) };
}

/** The database with a job for each due order. */
const queueOf = (peer) => `shops_${peer.replace('-', '_')}`;

function judge(bench, found) {
  const values = valuesIn(found);
  const results = [];
  if (bench.wants('1')) {
    const best = PEERS.reduce((a, b) => (median(values(a, 'perSecond')) >= median(values(b, 'perSecond')) ? a : b));
    const ratio = ratios(values('product', 'perSecond'), values(best, 'perSecond'));
    results.push(result('1', `Due orders per second, one worker, against ${best}, the faster queue`, ratio, '>= 5'));
  }
  if (bench.wants('3')) {
    const limits = values('limit', 'walBytes');
    const extra = values('product', 'walBytes').map((bytes, round) => bytes - limits[round]);
    results.push(
      result('3', "Log bytes per order, beyond the limit's", extra, '<= 950'),
      result('3', 'Commits per order', values('product', 'commits'), '<= 0.01'),
    );
  }
  return results;
}

/** Behind the results of the rows that were selected, and of no others. */
function figures(bench, found, imaged) {
  const behind = [
    ...['product', ...PEERS, IN_SETS].flatMap((name) => speed('1', name, found)),
    ...(IN_SETS in found ? [againstSets(found)] : []),
    ...Object.keys(found).flatMap((name) => log('3', name, found)),
    ...Object.entries(imaged ?? {}).map(([name, [{ imageBytes }]]) =>
      figure('3', `${name}: bytes of pages logged whole per order, right after a checkpoint`, [imageBytes], 'B'),
    ),
  ];
  return behind.filter(({ row }) => bench.wants(row));
}

function againstSets(found) {
  const values = valuesIn(found);
  const ratio = ratios(values('product', 'perSecond'), values(IN_SETS, 'perSecond'));
  return figure('1', `Due orders per second, against ${IN_SETS}`, ratio, '');
}

function speed(row, name, found) {
  if (!(name in found)) return [];
  const values = (what) => found[name].map((measurement) => measurement[what]);
  return [
    figure(row, `${name}: orders per second`, values('perSecond'), '1/s'),
    figure(row, `${name}: CPU time of PostgreSQL per order`, values('serverMicros'), 'µs'),
    ...(values('nodeMicros').includes(null)
      ? []
      : [figure(row, `${name}: CPU time of Node per order`, values('nodeMicros'), 'µs')]),
  ];
}

function log(row, name, found) {
  const values = (what) => found[name].map((measurement) => measurement[what]);
  return [
    figure(row, `${name}: log bytes per order`, values('walBytes'), 'B'),
    figure(row, `${name}: commits per order`, values('commits'), ''),
  ];
}
