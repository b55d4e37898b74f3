import { charged } from '../gateway/charged.mjs';
import { withCpu } from '../harness/cpu.mjs';
import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, interleavePasses, ratios, valuesIn } from '../harness/rounds.mjs';
import { processByProduct } from '../processor/contenders.mjs';
import { allAnew, withWorkers } from '../processor/passes.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['7'];
export const title = 'Several workers';

const COUNTS = [1, 2, 4];
/** In a round. */
const PASSES = { usual: 2, smoke: 1 };

/**
 * Integrations with gateways that take their time: so few that waiting for them, and not the processors, is the limit
 * of four workers.
 */
const INTEGRATIONS = 4;
const LATENCY_MS = 300;

export async function run(bench) {
  const parts = [await busy(bench), await waiting(bench)];
  return { results: parts.flatMap(({ results }) => results), figures: parts.flatMap(({ figures }) => figures) };
}

/** Copies of a database, each with its number of workers, which stay; one works at a time. */
async function busy(bench) {
  const orders = bench.pick({ usual: 20_000, smoke: 2_000 });
  const template = await bench.databases.template('shops_workers', (client) =>
    fillShops(client, { sites: 10, orders }),
  );
  const found = await withCopies(bench, template, orders, COUNTS, async (contenders) => {
    // The first pass is for the processes to get warm.
    for (const once of Object.values(contenders)) await once();
    return interleavePasses(contenders, bench.rounds, bench.pick(PASSES), bench.progress);
  });
  await bench.databases.drop(template);
  const values = valuesIn(found);
  return {
    results: ['2 workers', '4 workers'].map((name) =>
      result(
        '7',
        `${name} against one: no deadlock, no double, processor time per order`,
        ratios(values(name, 'micros'), values('1 worker', 'micros')),
        '<= 1.05',
      ),
    ),
    figures: Object.keys(found).flatMap((name) => [
      figure('7', `${name}: CPU time of PostgreSQL and Node per order`, values(name, 'micros'), 'µs'),
      figure('7', `${name}: orders per second`, values(name, 'perSecond'), '1/s'),
    ]),
  };
}

/**
 * Each worker makes so many calls at once as it may: with more of them, more is in flight. More workers have more
 * orders, so that all contenders take as long: in few seconds the processes would still be getting warm.
 */
async function waiting(bench) {
  const ofOne = bench.pick({ usual: 5_000, smoke: 500 });
  const [contenders, templates] = [{}, []];
  for (const count of COUNTS) {
    const orders = count * ofOne;
    const template = await bench.databases.template(`shops_waiting_${count}`, (client) =>
      fillShops(client, { sites: INTEGRATIONS, orders, apiKey1: 'sk_test_bench', dueWithinS: 3_600 }),
    );
    templates.push(template);
    contenders[nameOf(count)] = () =>
      charged(bench, template, { latency: LATENCY_MS, orders }, (url, client, gatewayUrl) =>
        processByProduct(client, url, {
          orders,
          count,
          env: { GATEWAY_ONE_URL: gatewayUrl, GATEWAY_CONCURRENCY: '25', PROCESSOR_CRON: '* * * * * *' },
        }),
      );
  }
  const found = await interleave(contenders, bench.rounds, bench.progress);
  for (const template of templates) await bench.databases.drop(template);
  const rate = (count) => found[nameOf(count)].map(({ perSecond }) => perSecond);
  const against = (count, mustReach) =>
    result(
      '7',
      `${nameOf(count)} against one, with gateways that take ${LATENCY_MS} ms: orders per second`,
      ratios(rate(count), rate(1)),
      mustReach,
    );
  return {
    results: [against(2, '>= 1.9'), against(4, '>= 3.6')],
    figures: COUNTS.flatMap((count) => {
      const name = `${nameOf(count)}, gateways of ${LATENCY_MS} ms`;
      const values = (what) => found[nameOf(count)].map((measurement) => measurement[what]);
      return [
        figure('7', `${name}: orders per second`, rate(count), '1/s'),
        figure('7', `${name}: commits per order`, values('commits'), ''),
        figure('7', `${name}: CPU time of PostgreSQL per order`, values('serverMicros'), 'µs'),
        figure('7', `${name}: CPU time of Node per order`, values('nodeMicros'), 'µs'),
      ];
    }),
  };
}

const nameOf = (count) => `${count} worker${count === 1 ? '' : 's'}`;

/** Runs `work(contenders)` with a copy of the template per number of workers. */
async function withCopies(bench, template, orders, [count, ...others], work, contenders = {}) {
  if (count === undefined) return work(contenders);
  const name = nameOf(count);
  return bench.databases.withClone(template, `workers_${count}`, async (url) => {
    const found = await withWorkers(url, { count, orders, fallDue: allAnew, measure: costOf(bench, orders) }, (once) =>
      withCopies(bench, template, orders, others, work, { ...contenders, [name]: once }),
    );
    await withClient(url, requireNoDeadlock);
    return found;
  });
}

const costOf = (bench, orders) => async (drain, pids) => {
  const { result: perSecond, micros } = await withCpu(bench, { orders, pids }, drain);
  return { perSecond, micros };
};

async function requireNoDeadlock(client) {
  await client.query(`SELECT pg_stat_force_next_flush()`);
  const { rows } = await client.query(`SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()`);
  if (rows[0].deadlocks > 0) throw new Error(`${rows[0].deadlocks} deadlocks.`);
}
