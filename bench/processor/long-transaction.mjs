import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from '../harness/database.mjs';
import { figure, result } from '../harness/results.mjs';
import { interleavePasses, ratios } from '../harness/rounds.mjs';
import { fillShops } from '../shop/shop.mjs';
import { withWorkers } from './passes.mjs';
import { makeDue } from './tick.mjs';

/** Before the first round: what they leave behind is what the rounds must find their way through. */
const PASSES_BEFORE = { usual: 6, smoke: 1 };
/** In a round. */
const PASSES = { usual: 2, smoke: 1 };

/**
 * Two copies of a database in which orders fall due, others with each pass and later ones than before, as time goes. In
 * one of them a transaction with a snapshot stays open from the beginning to the end, so that nothing of what is
 * written over can be cleaned away; the other's is, as the migrations set autovacuum.
 */
export async function besideLongTransaction(bench, orders) {
  const ageS = bench.pick({ usual: 120, smoke: 1 });
  const [passesBefore, passes] = [bench.pick(PASSES_BEFORE), bench.pick(PASSES)];
  const stored = orders * (passesBefore + bench.rounds * passes);
  const template = await bench.databases.template('shops_adversity', (client) =>
    fillShops(client, { sites: 10, orders: stored, due: false }),
  );
  const urls = {
    alone: await bench.databases.clone(template, 'shops_alone'),
    beside: await bench.databases.clone(template, 'shops_beside'),
  };
  const found = await withClient(urls.beside, async (other) => {
    await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM scheduled_orders');
    const worker = { count: 1, orders, fallDue: (client, count) => makeDue(client, count, 1) };
    return withWorkers(urls.alone, worker, (alone) =>
      withWorkers(urls.beside, worker, async (beside) => {
        for (let done = 0; done < passesBefore; done++) {
          await alone();
          await beside();
        }
        await pause(Math.max(0, ageS - (await secondsOpen(other))) * 1_000);
        const ageBefore = await secondsOpen(other);
        const rates = await interleavePasses(
          { alone, 'beside a long transaction': beside },
          bench.rounds,
          passes,
          bench.progress,
        );
        const ageAfter = await secondsOpen(other);
        if (ageAfter < ageBefore) throw new Error('The long transaction did not stay open.');
        return { rates, ageBefore, ageAfter };
      }),
    );
  });
  for (const database of ['shops_alone', 'shops_beside']) await bench.databases.drop(database);
  return {
    results: [
      result(
        '6',
        'Beside a REPEATABLE READ transaction that stays open',
        ratios(found.rates['beside a long transaction'], found.rates.alone),
        '>= 0.9',
      ),
    ],
    figures: [
      ...Object.entries(found.rates).map(([name, rates]) => figure('6', `${name}: orders per second`, rates, '1/s')),
      figure('6', 'the long transaction: its age when the first round began', [found.ageBefore], 's'),
      figure('6', 'the long transaction: its age when the last round was over', [found.ageAfter], 's'),
    ],
  };
}

/** Age of the connection's transaction. */
async function secondsOpen(client) {
  const { rows } = await client.query(
    `SELECT extract(epoch FROM clock_timestamp() - transaction_timestamp())::float8 AS seconds`,
  );
  return rows[0].seconds;
}
