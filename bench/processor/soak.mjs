import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { fillShops } from '../shop/shop.mjs';
import { indexBloat } from './bloat.mjs';
import { requireCycles } from './check.mjs';
import { lastOrderId, untilCompleted, WorkerProcess } from './worker.mjs';

/** Those that every cycle touches. */
const HOT_INDEXES = ['ix_scheduled_orders_due', 'ix_scheduled_orders_site_due', 'pk_processing_cycles'];

/** Tick after tick over the same orders, as over months, with autovacuum as the migrations set it. */
export async function soak(bench, { ticks: count, perTick }) {
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
      const bloat = await indexBloat(client, ['scheduled_orders', 'processing_cycles'], HOT_INDEXES);
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
