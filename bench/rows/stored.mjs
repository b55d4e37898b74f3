import { setTimeout as pause } from 'node:timers/promises';
import { writeFileSync } from 'node:fs';
import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, ratios } from '../harness/rounds.mjs';
import { measured, processByProduct } from '../processor/contenders.mjs';
import { indexBloat } from '../processor/bloat.mjs';
import { makeDue, ticked } from '../processor/tick.mjs';
import { lastOrderId, untilCompleted, WorkerProcess } from '../processor/worker.mjs';
import { requireCycles } from '../processor/check.mjs';
import { fillLarge } from '../shop/large.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['5', '11'];
export const title = 'What is stored costs nothing: ticks, idle ticks and throughput in large and aged databases';

const TICK = 1_000;
/** Seconds of idle ticks, one a second. */
const IDLE_SECONDS = 10;

export async function run(bench) {
  const active = bench.quick ? 10_000 : 16_000;
  const size = bench.quick
    ? { stored: 1_000_000, events: 500_000, orders: 250_000, ticks: 20, perTick: 2_000 }
    : { stored: 10_000_000, events: 10_000_000, orders: 5_000_000, ticks: 100, perTick: 4_000 };
  bench.say(
    `  filling a database with ${size.stored} scheduled orders, ${size.orders} orders and ${size.events} events`,
  );
  const large = await bench.databases.template('large', (client) =>
    fillLarge(client, { active, ...size, stored: size.stored - active }),
  );
  const parts = [];
  if (bench.wants('5')) parts.push(await ticks(bench, large, size));
  if (bench.wants('11')) parts.push(await aged(bench, large, active), await soak(bench, size));
  await bench.databases.drop(large);
  return { results: parts.flatMap(({ results }) => results), figures: parts.flatMap(({ figures }) => figures) };
}

async function ticks(bench, large, { stored }) {
  const idle = await idleBuffers(bench.databases.url(large));
  const small = await bench.databases.template('small', (client) => fillLarge(client, { active: 10_000, stored: 0 }));
  const urls = { small: bench.databases.url(small), large: bench.databases.url(large) };
  const workers = Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, new WorkerProcess(url)]));
  try {
    for (const name of Object.keys(urls))
      for (let warm = 0; warm < 3; warm++) await ticked(urls[name], TICK, workers[name]);
    const warm = await interleave(
      Object.fromEntries(Object.keys(urls).map((name) => [name, () => ticked(urls[name], TICK, workers[name])])),
      bench.rounds,
      bench.progress,
    );
    const cold = await interleave(
      { 'large, cold': () => ticked(urls.large, TICK, workers.large, () => forget(bench)) },
      bench.rounds,
      bench.progress,
    );
    await workers.large.stop();
    const afterTicks = await idleBuffers(urls.large);
    return {
      results: [
        result(
          '5',
          `A tick with ${TICK} due among ${stored}, against among 10000: warm`,
          ratios(warm.large, warm.small),
          '<= 1.1',
        ),
        result('5', 'The same, cold, against warm among 10000', ratios(cold['large, cold'], warm.small), '<= 3'),
        result('5', `Buffers of an idle tick among ${stored}`, [idle], '<= 20'),
      ],
      figures: [
        ...Object.entries({ ...warm, ...cold }).map(([name, ms]) =>
          figure('5', `${name}: a tick with ${TICK} due`, ms, 'ms'),
        ),
        figure('5', 'buffers of an idle tick after the ticks above, not vacuumed yet', [afterTicks], ''),
      ],
    };
  } finally {
    await Promise.all(Object.values(workers).map((worker) => worker.stop()));
    await bench.databases.drop(small);
  }
}

/** Empties PostgreSQL's buffers and, where we may, the system's. */
async function forget(bench) {
  await bench.databases.settle();
  await bench.databases.onServer((client) =>
    client.query('CREATE EXTENSION IF NOT EXISTS pg_buffercache; SELECT pg_buffercache_evict_all()'),
  );
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '3');
  } catch {
    bench.say('  (the system keeps its own cache: cold means PostgreSQL only)');
  }
}

/** Buffers that a worker with nothing to do reads per tick, by pg_stat_statements. */
function idleBuffers(url) {
  return withClient(url, async (client) => {
    await client.query(`CREATE EXTENSION IF NOT EXISTS pg_stat_statements`);
    await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET pg_stat_statements.track = 'all'`);
    const worker = new WorkerProcess(url, { PROCESSOR_CRON: '* * * * * *' });
    try {
      await pause(5_000);
      await client.query(`SELECT pg_stat_statements_reset()`);
      await pause(IDLE_SECONDS * 1_000);
      const { rows } = await client.query(
        `SELECT sum(shared_blks_hit + shared_blks_read)::int AS buffers FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
         WHERE d.datname = current_database()`,
      );
      return rows[0].buffers / IDLE_SECONDS;
    } finally {
      await worker.stop();
    }
  });
}

/** Throughput beside millions of finished rows, against a database that has only what is due. */
async function aged(bench, large, orders) {
  const fresh = await bench.databases.template('shops_aged', (client) => fillShops(client, { sites: 10, orders }));
  const url = bench.databases.url(large);
  const inAged = async () => {
    await withClient(url, (client) =>
      client.query(
        `DELETE FROM processing_cycles; DELETE FROM order_items; DELETE FROM orders WHERE cycle IS NOT NULL`,
      ),
    );
    await withClient(url, (client) => client.query('VACUUM processing_cycles, orders, order_items, scheduled_orders'));
    return withClient(url, async (client) => {
      const from = await lastOrderId(client);
      await makeDue(client, orders);
      await processByProduct(client, url, { orders, from });
      return rateOf(client, orders);
    });
  };
  await inAged(); // what it needs is in memory from then on, as it is in a fresh copy
  const found = await interleave(
    {
      fresh: () =>
        measured(bench, fresh, { orders }, (freshUrl, client) => processByProduct(client, freshUrl, { orders })).then(
          ({ perSecond }) => perSecond,
        ),
      aged: inAged,
    },
    bench.rounds,
    bench.progress,
  );
  await bench.databases.drop(fresh);
  return {
    results: [
      result(
        '11',
        'Orders per second beside millions of stored rows, against a fresh database',
        ratios(found.aged, found.fresh),
        '>= 0.9',
      ),
    ],
    figures: Object.entries(found).map(([name, rates]) => figure('11', `${name}: orders per second`, rates, '1/s')),
  };
}

async function rateOf(client, orders) {
  const { ordersPerSecond } = await import('../processor/commits.mjs');
  const { rows } = await client.query(
    `SELECT count(*)::int AS completed FROM processing_cycles WHERE state = 'Completed'`,
  );
  if (rows[0].completed !== orders) throw new Error(`${rows[0].completed} of ${orders} orders were completed.`);
  return ordersPerSecond(client);
}

/** Tick after tick over the same orders, as over months, with autovacuum as the migrations set it. */
async function soak(bench, { ticks: count, perTick }) {
  const template = await bench.databases.template('shops_soak', (client) =>
    fillShops(client, { sites: 10, orders: perTick }),
  );
  return bench.databases.withClone(template, 'soak', (url) =>
    withClient(url, async (client) => {
      const worker = new WorkerProcess(url, { PROCESSOR_CRON: '* * * * * *' });
      const seconds = [];
      try {
        for (let tick = 1; tick <= count; tick++) {
          const from = await lastOrderId(client);
          if (tick > 1) await client.query(`UPDATE scheduled_orders SET next_occurrence_utc = schedule_anchor_utc`);
          const started = performance.now();
          await untilCompleted(client, perTick, [worker], { from });
          seconds.push((performance.now() - started) / 1_000);
        }
      } finally {
        await worker.stop();
      }
      await requireCycles(client, perTick, count);
      const bloat = await indexBloat(client, ['scheduled_orders', 'processing_cycles']);
      const tenth = Math.ceil(count / 10);
      return {
        results: [
          result(
            '11',
            `Index bloat after ${count} ticks of ${perTick}: the worst index`,
            [Math.max(...bloat.map(({ factor }) => factor))],
            '<= 1.5',
          ),
        ],
        figures: [
          ...bloat.map(({ name, factor }) => figure('11', `${name}: size against rebuilt`, [factor], '')),
          figure('11', `a tick of ${perTick}, the first tenth of ${count}`, seconds.slice(0, tenth), 's'),
          figure('11', `a tick of ${perTick}, the last tenth of ${count}`, seconds.slice(-tenth), 's'),
        ],
      };
    }),
  );
}
