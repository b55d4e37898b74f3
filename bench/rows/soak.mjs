import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { indexBloat } from '../processor/bloat.mjs';
import { requireCycles } from '../processor/check.mjs';
import { lastOrderId, untilCompleted, WorkerProcess } from '../processor/worker.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['11'];
export const title = 'Tick after tick: index bloat';

/** In a pass, in which every order falls due once. */
const TICKS = 100;

/**
 * An hour, with autovacuum's pauses as PostgreSQL has them. The quick form takes a few minutes, and as many entries die between two vacuums, in
 * proportion: all is a twentieth, also those pauses.
 */
const HOUR = { perTick: 5_000, passes: 4, everyS: 9, naptime: null };
const QUICK = { perTick: 1_000, passes: 1, everyS: 0, naptime: '3s' };

/** Those that every cycle touches. */
const HOT_INDEXES = ['ix_scheduled_orders_due', 'ix_scheduled_orders_site_due', 'pk_processing_cycles'];

/** Every order falls due in each pass, with the hundredth part of all at a time; autovacuum works as the migrations set it. */
export async function run(bench) {
  const form = bench.quick ? QUICK : HOUR;
  const template = await bench.databases.template('soak', (client) =>
    fillShops(client, { sites: 10, orders: TICKS * form.perTick, due: false }),
  );
  if (form.naptime) await setNaptime(bench, `SET autovacuum_naptime = '${form.naptime}'`);
  try {
    return await withClient(bench.databases.url(template), (client) =>
      measure(client, bench.databases.url(template), form),
    );
  } finally {
    if (form.naptime) await setNaptime(bench, 'RESET autovacuum_naptime');
    await bench.databases.drop(template);
  }
}

async function setNaptime({ databases }, change) {
  await databases.onServer((client) => client.query(`ALTER SYSTEM ${change}`));
  await databases.onServer((client) => client.query(`SELECT pg_reload_conf()`));
}

async function measure(client, url, { perTick, passes, everyS }) {
  const worker = new WorkerProcess(url, { PROCESSOR_CRON: '* * * * * *' });
  const seconds = [];
  const began = performance.now();
  try {
    for (let tick = 0; tick < TICKS * passes; tick++) {
      await pause(Math.max(0, began + tick * everyS * 1_000 - performance.now()));
      seconds.push(await secondsOf(client, worker, tick % TICKS, perTick));
    }
  } finally {
    await worker.stop();
  }
  await requireCycles(client, TICKS * perTick, passes);
  const bloat = await indexBloat(client, ['scheduled_orders', 'processing_cycles'], HOT_INDEXES);
  const tenth = (TICKS * passes) / 10;
  return {
    results: [
      result(
        '11',
        `Index bloat after ${TICKS * passes} ticks of ${perTick} among ${TICKS * perTick}: the worst index`,
        [Math.max(...bloat.map(({ factor }) => factor))],
        '<= 1.5',
      ),
    ],
    figures: [
      ...bloat.map(({ name, factor }) => figure('11', `${name}: size against rebuilt`, [factor], '')),
      figure('11', `a tick of ${perTick}, the first tenth of ${TICKS * passes}`, seconds.slice(0, tenth), 's'),
      figure('11', `a tick of ${perTick}, the last tenth of ${TICKS * passes}`, seconds.slice(-tenth), 's'),
    ],
  };
}

async function secondsOf(client, worker, part, perTick) {
  const from = await lastOrderId(client);
  const started = performance.now();
  await client.query(
    `UPDATE scheduled_orders SET next_occurrence_utc = date_trunc('second', now()) - (id % 3600) * interval '1 second' WHERE id % $1 = $2`,
    [TICKS, part],
  );
  await untilCompleted(client, perTick, [worker], { from });
  return (performance.now() - started) / 1_000;
}
