import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, median, ratios } from '../harness/rounds.mjs';
import { idleBuffers } from '../processor/buffers.mjs';
import { requireProcessed } from '../processor/check.mjs';
import { ordersPerSecond } from '../processor/commits.mjs';
import { processByProduct } from '../processor/contenders.mjs';
import { buffersPerOrder, forget, makeDue, ticked } from '../processor/tick.mjs';
import { lastOrderId, WorkerProcess } from '../processor/worker.mjs';
import { fillLarge } from '../shop/large.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['5', '11'];
export const title = 'What is stored costs nothing: ticks, idle ticks and throughput in large and aged databases';

const TICK = 1_000;
/** Of which the buffers are counted. */
const COUNTED_TICKS = 3;
/**
 * In a round, of which the median counts: one tick takes a quarter of a second, less than the machine's own pauses
 * would spoil.
 */
const TICKS = { long: 8, smoke: 1 };
/** The long form as `buffers.mjs` has it. */
const IDLE = { long: {}, smoke: { settledMs: 2_000, seconds: 2 } };

export async function run(bench) {
  const active = bench.pick({ long: 16_000, smoke: 2_000 });
  const size = bench.pick({
    long: { stored: 10_000_000, events: 10_000_000, orders: 5_000_000 },
    smoke: { stored: 20_000, events: 10_000, orders: 5_000 },
  });
  const parts = [];
  bench.say(
    `  filling a database with ${size.stored} scheduled orders, ${size.orders} orders and ${size.events} events`,
  );
  const large = await bench.databases.template('large', (client) => fillLarge(client, { active, ...size }));
  try {
    if (bench.wants('5')) parts.push(await ticks(bench, large, size));
    if (bench.wants('11')) parts.push(await aged(bench, large, active));
  } finally {
    await bench.databases.drop(large);
  }
  return { results: parts.flatMap(({ results }) => results), figures: parts.flatMap(({ figures }) => figures) };
}

async function ticks(bench, large, { stored }) {
  const small = await bench.databases.template('small', (client) =>
    fillLarge(client, { active: 10_000, stored: 10_000 }),
  );
  const urls = { small: bench.databases.url(small), large: bench.databases.url(large) };
  const idle = await idleBuffers(urls.large, bench.pick(IDLE));
  const buffers = {};
  for (const [name, url] of Object.entries(urls)) buffers[name] = await buffersPerOrder(url, TICK, COUNTED_TICKS);
  bench.progress(0, 'buffers of an order', buffers);
  const workers = Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, new WorkerProcess(url)]));
  try {
    const severalTicks = (name) => async () => {
      const ms = [];
      while (ms.length < bench.pick(TICKS)) ms.push(await ticked(urls[name], TICK, workers[name]));
      return median(ms);
    };
    const contenders = { small: severalTicks('small'), large: severalTicks('large') };
    for (const warmUp of Object.values(contenders)) await warmUp();
    const warm = await interleave(contenders, bench.rounds, bench.progress);
    const cold = await interleave(
      { 'large, cold': () => ticked(urls.large, TICK, workers.large, () => forget(bench)) },
      bench.rounds,
      bench.progress,
    );
    await workers.large.stop();
    const afterTicks = await idleBuffers(urls.large, bench.pick(IDLE));
    return {
      results: [
        result(
          '5',
          `Buffers of an order in a tick with ${TICK} due among ${stored}, against among 10000`,
          [buffers.large / buffers.small],
          '<= 1.1',
        ),
        result(
          '5',
          `Time of such a tick, cold, against a warm one among 10000`,
          ratios(cold['large, cold'], warm.small),
          '<= 3',
        ),
        result('5', `Buffers of an idle tick among ${stored}, before anything has fallen due`, [idle], '<= 20'),
        result('5', 'The same, after the ticks above', [afterTicks], '<= 20'),
      ],
      figures: [
        ...Object.entries(buffers).map(([name, count]) => figure('5', `${name}: buffers of an order`, [count], '')),
        ...Object.entries({ ...warm, ...cold }).map(([name, ms]) =>
          figure('5', `${name}: a tick with ${TICK} due`, ms, 'ms'),
        ),
      ],
    };
  } finally {
    await Promise.all(Object.values(workers).map((worker) => worker.stop()));
    await bench.databases.drop(small);
  }
}

/** Throughput beside millions of finished rows, against a database that has only what is due. */
async function aged(bench, large, orders) {
  const fresh = await bench.databases.template('shops_aged', (client) => fillShops(client, { sites: 10, orders }));
  // Made before the rounds: dropping a database writes a checkpoint, after which every page is logged whole once more.
  const clones = Array.from({ length: bench.rounds }, (_, round) => `fresh_${round}`);
  for (const clone of clones) await bench.databases.clone(fresh, clone);
  const url = bench.databases.url(large);
  const inAged = () =>
    withClient(url, async (client) => {
      const from = await lastOrderId(client);
      await makeDue(client, orders);
      return processed(client, url, { orders, from });
    });
  await inAged(); // what it needs is in memory from then on, as it is in a fresh copy
  const found = await interleave(
    {
      fresh: (round) => {
        const freshUrl = bench.databases.url(clones[round]);
        return withClient(freshUrl, (client) => processed(client, freshUrl, { orders, from: 0 }));
      },
      aged: inAged,
    },
    bench.rounds,
    bench.progress,
  );
  for (const database of [...clones, fresh]) await bench.databases.drop(database);
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

async function processed(client, url, { orders, from }) {
  await processByProduct(client, url, { orders, from });
  await requireProcessed(client, orders, { from });
  return ordersPerSecond(client, { from });
}
