import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '../harness/database.mjs';
import { BENCH } from '../harness/product.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, median, ratios } from '../harness/rounds.mjs';
import { runToEnd } from '../harness/run-node.mjs';
import { withService } from '../harness/service.mjs';
import { bodyOf, ROUTES } from '../http/routes.mjs';
import { serversFor } from '../http/servers.mjs';
import { recordTapes } from '../http/tape.mjs';
import { merchantToken } from '../http/token.mjs';
import { requireWritten } from '../http/written.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['8'];
export const title = 'Scheduled orders over HTTP, with authentication';

const CONNECTIONS = 32;
const NAMES = { get: 'GET by id', page: 'page of 100', create: 'POST', update: 'PUT' };
const OF_RAW = { get: '>= 0.9', page: '>= 0.9', create: '>= 0.85', update: '>= 0.85' };
/**
 * How long, in seconds: before anything is measured, to find the peak, and, in all rounds together, to have answers
 * enough for a 99th percentile.
 */
const SECONDS = {
  usual: { warming: 6, peak: 3, openLoop: 60 },
  smoke: { warming: 0.3, peak: 0.5, openLoop: 1 },
};
/** Offered load of the open loop, of what the slower of the two can serve at most. */
const SHARE = 0.7;

export async function run(bench) {
  const orders = 20_000;
  const template = await bench.databases.template('shop_of_one', (client) =>
    fillShops(client, { sites: 1, orders, due: false }),
  );
  return bench.databases.withClone(template, 'http', async (url) => {
    const token = await withClient(url, merchantToken);
    const servers = serversFor(url, bench.scratch, await recordTapes(url, bench.scratch, token));
    return withClient(url, (client) =>
      withServers(servers, (urls) => measure(bench, client, urls, token, customersOf(orders))),
    );
  });
}

/** Orders, and customers, of one state: their new orders cost the same. */
const customersOf = (orders) =>
  Array.from({ length: orders }, (_, index) => index + 1)
    .filter((id) => Math.floor(id / 10) % 2 === 1)
    .slice(0, 5_000);

/** All run at once, and those that are not measured idle. */
function withServers(servers, work, urls = {}) {
  const [next] = Object.keys(servers).filter((name) => !(name in urls));
  if (next === undefined) return work(urls);
  const { main, options } = servers[next];
  return withService(main, options, async ({ url, output }) => {
    const done = await withServers(servers, work, { ...urls, [next]: url });
    if (output() !== '') throw new Error(`${next} complained: ${output()}`);
    return done;
  });
}

async function measure(bench, client, urls, token, ids) {
  for (const route of Object.keys(ROUTES)) await requireSameAnswers(urls, token, route);
  const load = loader(bench, client, urls, token, ids);
  const measured = [];
  for (const route of Object.keys(ROUTES)) measured.push(await measureRoute(bench, load, Object.keys(urls), route));
  return {
    results: measured.flatMap(({ results }) => results),
    figures: measured.flatMap(({ figures }) => figures),
  };
}

/** @returns what puts load on a server: as much as it can take, or at a rate. */
function loader(bench, client, urls, token, ids) {
  return (server, route, seconds, rate) => {
    const options = {
      url: urls[server],
      token,
      route,
      ids,
      seconds,
      warmup: bench.pick({ usual: 1, smoke: 0.2 }),
      connections: CONNECTIONS * (rate ? 4 : 1),
      rate,
      file: join(bench.scratch, 'latencies'),
    };
    return requireWritten(client, ROUTES[route].adds, async () => {
      const output = await runToEnd(process.execPath, [join(BENCH, 'http', 'load.mjs'), JSON.stringify(options)]);
      const measured = JSON.parse(output);
      if (measured.failed > 0)
        throw new Error(`${server} answered ${measured.failed} of its ${route} requests wrongly or not at all.`);
      return { ...measured, latencies: latenciesOf(options.file) };
    });
  };
}

async function measureRoute(bench, load, servers, route) {
  const seconds = bench.pick(SECONDS);
  // Node compiles what it runs often; how long that takes depends on how much code there is, and happens once.
  for (const server of servers) await load(server, route, seconds.warming);
  const inTurn = (names, measureOne) =>
    interleave(
      Object.fromEntries(names.map((server) => [server, () => measureOne(server)])),
      bench.rounds,
      bench.progress,
    );
  const peak = await inTurn(servers, async (server) => (await load(server, route, seconds.peak)).perSecond);
  const rate = SHARE * Math.min(median(peak.product), median(peak['raw Fastify']));
  const late = await inTurn(['product', 'raw Fastify'], (server) =>
    load(server, route, seconds.openLoop / bench.rounds, rate),
  );
  return { results: resultsOf(route, peak, late), figures: figuresOf(NAMES[route], peak, late, rate) };
}

function latenciesOf(file) {
  const { buffer, byteOffset, length } = readFileSync(file);
  return new Float64Array(buffer.slice(byteOffset, byteOffset + length));
}

/** Of the answers of all rounds together: a pause of the machine in one round does not make a percentile of its own. */
function pooledP99(rounds) {
  const all = Float64Array.from(rounds.flatMap(({ latencies }) => [...latencies])).sort();
  return all[Math.min(all.length - 1, Math.floor(all.length * 0.99))];
}

function resultsOf(route, peak, late) {
  const name = NAMES[route];
  return [
    result(
      '8',
      `${name}: requests per second, against raw Fastify`,
      ratios(peak.product, peak['raw Fastify']),
      OF_RAW[route],
    ),
    result(
      '8',
      `${name}: p99 at ${SHARE * 100} % of the smaller peak, all rounds together, against raw Fastify`,
      [pooledP99(late.product) / pooledP99(late['raw Fastify'])],
      '<= 1.25',
    ),
    result(
      '8',
      `${name}: requests per second, against Nest on Express`,
      ratios(peak.product, peak['Nest on Express']),
      '>= 1.8',
    ),
  ];
}

const figuresOf = (name, peak, late, rate) => [
  ...Object.keys(peak).map((server) => figure('8', `${name}, ${server}: requests per second`, peak[server], '1/s')),
  ...Object.keys(late).flatMap((server) => [
    figure(
      '8',
      `${name}, ${server}: p99 at ${Math.round(rate)}/s, all rounds together`,
      [pooledP99(late[server])],
      'ms',
    ),
    figure(
      '8',
      `${name}, ${server}: p99 of a round`,
      late[server].map(({ p99 }) => p99),
      'ms',
    ),
  ]),
];

/** What changes from one answer to the next by nature. */
const VOLATILE = new Set(['Id', 'ScheduledOrderId', 'NextOccurrenceUtc', 'CreatedUtc', 'UpdatedUtc']);

/** @throws Error when a server's answer is not the product's, apart from ids and times. */
async function requireSameAnswers(urls, token, name) {
  const { method, path, status } = ROUTES[name];
  const answers = {};
  for (const [server, url] of Object.entries(urls)) {
    const request = { id: 12, text: '1 Street' };
    const body = bodyOf(method, request);
    const response = await fetch(url + path(request), {
      method,
      body,
      headers: { authorization: `Basic ${token}`, ...(body && { 'content-type': 'application/json' }) },
    });
    const text = await response.text();
    if (response.status !== status) throw new Error(`${server} answered ${method} with ${response.status}: ${text}`);
    answers[server] = JSON.stringify(sorted(JSON.parse(text)));
  }
  for (const [server, answer] of Object.entries(answers)) {
    if (answer !== answers.product)
      throw new Error(
        `${server} does not answer ${method} as the product does:\n${answer.slice(0, 3_000)}\n${answers.product.slice(0, 3_000)}`,
      );
  }
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.keys(value)
      .filter((key) => !VOLATILE.has(key))
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
