import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { requireCycles } from '../processor/check.mjs';
import { lastOrderId, untilCompleted, WorkerProcess } from '../processor/worker.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['11'];
export const title = 'Tick after tick: index bloat';

/**
 * `ticks` in a pass, in which every order falls due once. The long form takes an hour, with autovacuum's pauses as
 * PostgreSQL has them.
 */
const FORMS = {
  long: { ticks: 100, perTick: 5_000, passes: 4, everyS: 9 },
  smoke: { ticks: 5, perTick: 2_000, passes: 2, everyS: 0 },
};

/** Those that every cycle touches. */
const HOT_INDEXES = ['ix_scheduled_orders_due', 'ix_scheduled_orders_site_due', 'pk_processing_cycles'];

/**
 * Every order falls due in each pass, with the hundredth part of all at a time; autovacuum works as the migrations set
 * it.
 */
export async function run(bench) {
  const form = bench.pick(FORMS);
  const template = await bench.databases.template('soak', (client) =>
    fillShops(client, { sites: 10, orders: form.ticks * form.perTick, due: false }),
  );
  try {
    return await withClient(bench.databases.url(template), (client) =>
      measure(client, bench.databases.url(template), form),
    );
  } finally {
    await bench.databases.drop(template);
  }
}

async function measure(client, url, { ticks, perTick, passes, everyS }) {
  const worker = new WorkerProcess(url, { PROCESSOR_CRON: '* * * * * *' });
  const seconds = [];
  const began = performance.now();
  try {
    for (let tick = 0; tick < ticks * passes; tick++) {
      await pause(Math.max(0, began + tick * everyS * 1_000 - performance.now()));
      seconds.push(await secondsOf(client, worker, [tick % ticks, ticks], perTick));
    }
  } finally {
    await worker.stop();
  }
  await requireCycles(client, ticks * perTick, passes);
  const bloat = await indexBloat(client, ['scheduled_orders', 'processing_cycles'], HOT_INDEXES);
  const tenth = (ticks * passes) / 10;
  return {
    results: [
      result(
        '11',
        `Index bloat after ${ticks * passes} ticks of ${perTick} among ${ticks * perTick}: the worst index`,
        [Math.max(...bloat.map(({ factor }) => factor))],
        '<= 1.5',
      ),
    ],
    figures: [
      ...bloat.map(({ name, factor }) => figure('11', `${name}: size against rebuilt`, [factor], '')),
      figure('11', `a tick of ${perTick}, the first tenth of ${ticks * passes}`, seconds.slice(0, tenth), 's'),
      figure('11', `a tick of ${perTick}, the last tenth of ${ticks * passes}`, seconds.slice(-tenth), 's'),
    ],
  };
}

async function secondsOf(client, worker, [part, ofParts], perTick) {
  const from = await lastOrderId(client);
  const started = performance.now();
  await client.query(
    `UPDATE scheduled_orders SET next_occurrence_utc = date_trunc('second', now()) - (id % 3600) * interval '1 second' WHERE id % $1 = $2`,
    [ofParts, part],
  );
  await untilCompleted(client, perTick, [worker], { from });
  return (performance.now() - started) / 1_000;
}

/** Bytes. Pages are too coarse for smaller ones. */
const SMALL = 200_000;

/**
 * How many times its rebuilt size each index of the tables has; small ones are left out.
 * @param {string[]} needed indexes that must not be among those left out
 */
async function indexBloat(client, tables, needed) {
  const sizes = async () => {
    const { rows } = await client.query(
      `SELECT i.indexrelid::regclass::text AS name, pg_relation_size(i.indexrelid)::float8 AS size FROM pg_index i WHERE i.indrelid = ANY ($1::text[]::regclass[])`,
      [tables],
    );
    return new Map(rows.map(({ name, size }) => [name, size]));
  };
  const before = await sizes();
  for (const table of tables) await client.query(`REINDEX TABLE ${table}`);
  const after = await sizes();
  const small = needed.filter((name) => !(after.get(name) >= SMALL));
  if (small.length > 0) throw new Error(`Too small to be measured: ${small.join(', ')}.`);
  return [...after]
    .filter(([, size]) => size >= SMALL)
    .map(([name, size]) => ({ name, factor: before.get(name) / size }));
}
