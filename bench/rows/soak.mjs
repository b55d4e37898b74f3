import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { indexBloat } from '../processor/bloat.mjs';
import { requireCycles } from '../processor/check.mjs';
import { lastOrderId, untilCompleted, WorkerProcess } from '../processor/worker.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['11'];
export const title = 'Tick after tick: index bloat';

const TICKS = 100;
/** A hundred ticks of 100,000 among ten million would take most of an hour: all is a twentieth of that, also the pauses of autovacuum. */
const NAPTIME = '3s';
/** Those that every cycle touches. */
const HOT_INDEXES = ['ix_scheduled_orders_due', 'ix_scheduled_orders_site_due', 'pk_processing_cycles'];

/** Every order falls due once, with the hundredth part of all at a time; autovacuum works as the migrations set it. */
export async function run(bench) {
  const perTick = bench.quick ? 1_000 : 5_000;
  const template = await bench.databases.template('soak', (client) =>
    fillShops(client, { sites: 10, orders: TICKS * perTick, due: false }),
  );
  await setNaptime(bench, `SET autovacuum_naptime = '${NAPTIME}'`);
  try {
    return await withClient(bench.databases.url(template), (client) =>
      measure(client, bench.databases.url(template), perTick),
    );
  } finally {
    await setNaptime(bench, 'RESET autovacuum_naptime');
    await bench.databases.drop(template);
  }
}

async function setNaptime({ databases }, change) {
  await databases.onServer((client) => client.query(`ALTER SYSTEM ${change}`));
  await databases.onServer((client) => client.query(`SELECT pg_reload_conf()`));
}

async function measure(client, url, perTick) {
  const worker = new WorkerProcess(url, { PROCESSOR_CRON: '* * * * * *' });
  const seconds = [];
  try {
    for (let tick = 0; tick < TICKS; tick++) {
      const from = await lastOrderId(client);
      const started = performance.now();
      await client.query(
        `UPDATE scheduled_orders SET next_occurrence_utc = date_trunc('second', now()) - (id % 3600) * interval '1 second' WHERE id % $1 = $2`,
        [TICKS, tick],
      );
      await untilCompleted(client, perTick, [worker], { from });
      seconds.push((performance.now() - started) / 1_000);
    }
  } finally {
    await worker.stop();
  }
  await requireCycles(client, TICKS * perTick, 1);
  const bloat = await indexBloat(client, ['scheduled_orders', 'processing_cycles'], HOT_INDEXES);
  const tenth = TICKS / 10;
  return {
    results: [
      result(
        '11',
        `Index bloat after ${TICKS} ticks of ${perTick} among ${TICKS * perTick}: the worst index`,
        [Math.max(...bloat.map(({ factor }) => factor))],
        '<= 1.5',
      ),
    ],
    figures: [
      ...bloat.map(({ name, factor }) => figure('11', `${name}: size against rebuilt`, [factor], '')),
      figure('11', `a tick of ${perTick}, the first tenth of ${TICKS}`, seconds.slice(0, tenth), 's'),
      figure('11', `a tick of ${perTick}, the last tenth of ${TICKS}`, seconds.slice(-tenth), 's'),
    ],
  };
}
