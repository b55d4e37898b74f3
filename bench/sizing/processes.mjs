import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { rssOf } from '../harness/cpu.mjs';
import { withClient } from '../harness/database.mjs';
import { mainOf } from '../harness/product.mjs';
import { withService } from '../harness/service.mjs';
import { merchantToken } from '../http/token.mjs';
import { underLoad } from '../http/under-load.mjs';
import { listen, OPEN, withReceiver } from '../processor/webhooks.mjs';
import { lastOrderId, untilCompleted, WorkerProcess } from '../processor/worker.mjs';
import { fillShops } from '../shop/shop.mjs';

const SAMPLE_MS = 50;
const SITES = 10;
const WORKERS = 2;
/** For each of what they do. */
const CLIENTS = 32;
const MIB = 2 ** 20;

/**
 * Connections and memory of an API and two workers, as real processes: when nothing is to be done, and when all have
 * much to do.
 */
export async function measureProcesses(sizing) {
  const { databases } = sizing;
  const orders = sizing.pick({ usual: 10_000, smoke: 2_000 });
  const template = await databases.template('sizing_processes', (client) =>
    fillShops(client, { sites: SITES, orders, due: false }),
  );
  return databases.withClone(template, 'processes', (url) =>
    withClient(url, async (client) => {
      const token = await merchantToken(client);
      return withService(mainOf('api'), { url, env: { RATE_LIMIT_PER_SECOND: '0' } }, async (api) => {
        const env = { PROCESSOR_CRON: '* * * * * *', ...OPEN };
        const workers = Array.from({ length: WORKERS }, () => new WorkerProcess(url, env));
        const pids = { api: [api.pid], worker: workers.map(({ pid }) => pid) };
        try {
          // Idle connections that are more than a process keeps are closed after half a minute.
          await pause(sizing.pick({ usual: 45_000, smoke: 3_000 }));
          const idle = await seenDuring(url, pids, () => pause(sizing.pick({ usual: 10_000, smoke: 2_000 })));
          const busy = await seenDuring(url, pids, () => busyWith({ client, api, token, orders }));
          return [...rowsOf('idle', idle), ...rowsOf('busy', busy)];
        } finally {
          await Promise.all(workers.map((worker) => worker.stop()));
        }
      });
    }),
  );
}

/** Everything falls due, every site has a webhook endpoint, and clients read pages and create orders. */
function busyWith({ client, api, token, orders }) {
  // Customers of the first site, whose products are ordered.
  const ids = Array.from({ length: orders / SITES }, (_, index) => (index + 1) * SITES);
  const loaded = (route, work) => underLoad({ url: api.url, token, route, ids, warmup: 0, connections: CLIENTS }, work);
  return withReceiver(async (address) => {
    await listen(client, address);
    await loaded('page', () =>
      loaded('create', async () => {
        const from = await lastOrderId(client);
        await client.query(
          `UPDATE scheduled_orders SET schedule_anchor_utc = schedule_anchor_utc - interval '1 year' WHERE id <= $1`,
          [orders],
        );
        await client.query(
          `UPDATE scheduled_orders SET next_occurrence_utc = schedule_anchor_utc WHERE id <= $1 AND next_occurrence_utc <> schedule_anchor_utc`,
          [orders],
        );
        // A worker may warn of a database that is slow to answer: that is not what is measured.
        await untilCompleted(client, orders, [], { from });
      }),
    );
  });
}

const rowsOf = (state, { connections, memory, backend }) => [
  ...Object.entries(connections).map(([name, most]) => [`${state}: connections of ${name}, at most`, [most], '']),
  ...Object.entries(memory).map(([name, values]) => [
    `${state}: memory of one ${name}`,
    values.map((bytes) => bytes / MIB),
    'MiB',
  ]),
  [`${state}: memory of one connection's server process, its own`, backend.map((bytes) => bytes / MIB), 'MiB'],
];

/**
 * Looks at connections and memory again and again while `work` is done.
 * @returns the most connections by application_name; the most memory of each process, by kind; the most of each server
 * process
 */
function seenDuring(url, pids, work) {
  return withClient(url, async (client) => {
    const seen = { connections: {}, memory: {}, backend: {} };
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        await look(client, pids, seen);
        await pause(SAMPLE_MS);
      }
    })();
    try {
      await work();
    } finally {
      isOver = true;
      await watching;
    }
    const memory = Object.fromEntries(Object.entries(seen.memory).map(([kind, byPid]) => [kind, Object.values(byPid)]));
    return { connections: seen.connections, memory, backend: Object.values(seen.backend) };
  });
}

async function look(client, pids, { connections, memory, backend }) {
  const { rows } = await client.query(
    `SELECT application_name AS name, array_agg(pid) AS pids FROM pg_stat_activity
     WHERE backend_type = 'client backend' AND application_name LIKE 'scheduled-orders-%' GROUP BY 1`,
  );
  const most = (maxima, key, value) => (maxima[key] = Math.max(maxima[key] ?? 0, value));
  for (const { name, pids: sessions } of rows) {
    most(connections, name, sessions.length);
    for (const pid of sessions) most(backend, pid, ownMemoryOf(pid));
  }
  for (const [kind, own] of Object.entries(pids)) for (const pid of own) most((memory[kind] ??= {}), pid, rssOf(pid));
}

/** What a process shares with no other: a server process shares the buffers. 0 where it has ended. */
function ownMemoryOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)].reduce((sum, [, kB]) => sum + kB * 1_024, 0);
  } catch {
    return 0;
  }
}
