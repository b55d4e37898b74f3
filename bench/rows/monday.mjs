import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleave, median } from '../harness/rounds.mjs';
import { requireProcessed } from '../processor/check.mjs';
import { ordersPerSecond } from '../processor/commits.mjs';
import { processByProduct } from '../processor/contenders.mjs';
import { latenessOf, withTrickle } from '../processor/trickle.mjs';
import { untilCompleted, WorkerProcess } from '../processor/worker.mjs';
import { fillShops } from '../shop/shop.mjs';

export const rows = ['15'];
export const title = 'Very many orders due at the same instant, and what falls due beside them';

/** The last of them has none of those orders. */
const SITES = 101;
/** Of the one drain: so long that a second would tell nothing new. */
const DRAINS = 1;

export async function run(bench) {
  const due = bench.pick({ long: 1_000_000, smoke: 2_000 });
  const ofRow1 = bench.pick({ long: 16_000, smoke: 2_000 });
  const usual = await bench.databases.template(`shops_${ofRow1}`, (client) =>
    fillShops(client, { sites: 10, orders: ofRow1 }),
  );
  const rates = await interleave({ 'as row 1': () => usualRate(bench, usual, ofRow1) }, bench.rounds, bench.progress);
  bench.say(`  filling a database with ${due} orders that are due at the same instant`);
  const monday = await bench.databases.template('shops_monday', (client) => fillMonday(client, due));
  const { drained } = await interleave(
    { drained: () => bench.databases.withClone(monday, 'round', (url) => drain(bench, url, due)) },
    DRAINS,
    (round, name, { perSecond, latest }) => bench.progress(round, name, { perSecond, latest }),
  );
  await bench.databases.drop(monday);
  const perSecond = drained.map((one) => one.perSecond);
  return {
    results: [
      result(
        '15',
        `${due} orders due at the same instant: orders per second, against row 1's`,
        perSecond.map((rate) => rate / median(rates['as row 1'])),
        '>= 0.9',
      ),
      result(
        '15',
        'The same: seconds until orders of another site that fell due meanwhile were completed, the latest',
        drained.map(({ latest }) => latest),
        '<= 5',
      ),
    ],
    figures: [
      figure('15', 'as row 1: orders per second', rates['as row 1'], '1/s'),
      figure('15', `${due} at the same instant: orders per second`, perSecond, '1/s'),
      figure(
        '15',
        'orders of another site: seconds late, median',
        drained.map(({ middle }) => middle),
        's',
      ),
      figure(
        '15',
        'orders of another site: how many',
        drained.map(({ others }) => others),
        '',
      ),
    ],
  };
}

const usualRate = (bench, template, orders) =>
  bench.databases.withClone(template, 'round', (url) =>
    withClient(url, async (client) => {
      await processByProduct(client, url, { orders });
      return ordersPerSecond(client);
    }),
  );

/** `due` orders of all sites but one are due since the same second; those of that one fall due in a year. */
async function fillMonday(client, due) {
  await fillShops(client, { sites: SITES, orders: (due / (SITES - 1)) * SITES, dueWithinS: 1 });
  await client.query(
    `UPDATE scheduled_orders SET next_occurrence_utc = next_occurrence_utc + interval '1 year',
       schedule_anchor_utc = schedule_anchor_utc + interval '1 year' WHERE site_id = $1`,
    [SITES],
  );
}

async function drain(bench, url, due) {
  return withClient(url, async (client) => {
    const worker = new WorkerProcess(url, { PROCESSOR_CRON: '* * * * * *' });
    try {
      const others = await withTrickle(url, SITES, () => untilCompleted(client, due, [worker], { limitMs: 3_600_000 }));
      await untilCompleted(client, due + others, [worker]);
      await requireProcessed(client, due + others);
      return { perSecond: await ordersPerSecond(client), others, ...(await latenessOf(client, SITES)) };
    } finally {
      await worker.stop();
    }
  });
}
