import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { itInAllCases } from './support/all-cases.js';

/** A hundred orders have all that differs between those of a shop: frequency, place, price. */
const ORDERS = 1_000;

/** The benchmark has ES modules, and Jest runs CommonJS. */
const PROGRAM = `
const { Databases, withClient } = await import('./bench/harness/database.mjs');
const { startPostgres } = await import('./bench/harness/postgres.mjs');
const { requireCycles } = await import('./bench/processor/check.mjs');
const { processByProduct } = await import('./bench/processor/contenders.mjs');
const { allAnew } = await import('./bench/processor/passes.mjs');
const { requireSameWork } = await import('./bench/processor/same-work.mjs');
const { lastOrderId } = await import('./bench/processor/worker.mjs');
const { fillShops } = await import('./bench/shop/shop.mjs');
const server = await startPostgres();
try {
  const databases = new Databases(server.url);
  await requireSameWork({ server, databases }, { peers: [], limited: false, orders: ${ORDERS} });
  const template = await databases.template('passes', (client) => fillShops(client, { sites: 2, orders: 50 }));
  const url = databases.url(template);
  const env = { PROCESSOR_CRON: '* * * * * *' };
  await withClient(url, async (client) => {
    await processByProduct(client, url, { orders: 50, env });
    const from = await lastOrderId(client);
    await allAnew(client);
    await processByProduct(client, url, { orders: 50, env, from });
    await requireCycles(client, 50, 2);
  });
} finally {
  await server.stop();
}`;

/** Else nobody sees before the next measurement that the product writes other rows, or refuses what a pass repeats. */
itInAllCases(
  'what the benchmark compares the product with writes the same rows, and its orders fall due pass after pass',
  async () => {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM]);
  },
);
