import { withClient } from '../harness/database.mjs';
import { mainOf } from '../harness/product.mjs';
import { runToEnd } from '../harness/run-node.mjs';
import { allAnew, withWorkers } from '../processor/passes.mjs';
import { listen, OPEN, untilDelivered, untilHandedOut, withReceiver } from '../processor/webhooks.mjs';
import { untilCompleted, WorkerProcess } from '../processor/worker.mjs';
import { sizesOf } from '../rows/size.mjs';
import { fillShops } from '../shop/shop.mjs';
import { ENCRYPTION_KEY } from '../shop/vault.mjs';

/** Not measured: they leave free what later ones use. */
const PASSES_BEFORE = 2;
/**
 * So many cycles of an order become one row of the archive, and the newest two stay
 * (libs/ledger/src/statements/archive.sql.ts).
 */
const ARCHIVED = 12;
const NEWEST_KEPT = 2;
/** All are due once when the worker starts. */
const PASSES = ARCHIVED + NEWEST_KEPT - 1;
/** The highest of an endpoint: all deliveries are sent in seconds. */
const RATE = 100;

/**
 * Bytes on disk, tables and indexes: of a scheduled order, of each of its cycles, of its events, and of cycles in the
 * archive.
 */
export async function measureStored(sizing) {
  const orders = sizing.pick({ usual: 5_000, smoke: 2_000 });
  const template = await sizing.databases.template('sizing_stored', (client) =>
    fillShops(client, { sites: 10, orders }),
  );
  const empty = await sizing.databases.template('sizing_empty', (client) =>
    fillShops(client, { sites: 10, orders: 1 }),
  );
  const [filled, bare] = await Promise.all(
    [template, empty].map((name) => withClient(sizing.databases.url(name), sizesOf)),
  );
  return [
    ...perOrder('a new scheduled order', orders, [[bare, filled]]),
    ...(await sizing.databases.withClone(template, 'stored', (url) => ofCycles(sizing, url, orders))),
    ...(await sizing.databases.withClone(template, 'events', (url) => ofEvents(url, orders))),
  ];
}

/**
 * By how much the tables grow when every order falls due once more; then what is left of so many cycles in the archive.
 */
async function ofCycles(sizing, url, orders) {
  const sizes = await withWorkers(url, { count: 1, orders, fallDue: allAnew }, (pass) =>
    withClient(url, async (client) => {
      const found = [];
      while (found.length < PASSES) {
        await pass();
        found.push(await sizesOf(client));
        sizing.say(`  cycle ${found.length + 1} of ${PASSES + 1}`);
      }
      return found.slice(PASSES_BEFORE - 1);
    }),
  );
  const steps = sizes.slice(1).map((size, index) => [sizes[index], size]);
  const archived = await withClient(url, (client) => ofArchive(client, url, orders));
  return [...perOrder('a processed cycle', orders, steps), ...archived];
}

async function ofArchive(client, url, orders) {
  await client.query(
    `UPDATE processing_cycles SET created_utc = created_utc - interval '14 months', updated_utc = updated_utc - interval '14 months'`,
  );
  // As a ledger that was never archived: without what the statement above has left behind.
  await client.query('VACUUM FULL processing_cycles');
  const sizeOf = async (table) => (await sizesOf(client)).get(table);
  const ledger = await sizeOf('processing_cycles');
  const env = { DATABASE_URL: url, ENCRYPTION_KEY };
  await runToEnd(process.execPath, [mainOf('cli'), 'cycles:archive', '--older-than', '13'], { env });
  const { rows } = await client.query(`SELECT sum(jsonb_array_length(cycles))::int AS cycles FROM archived_cycles`);
  if (rows[0].cycles !== orders * ARCHIVED)
    throw new Error(`${rows[0].cycles} cycles were archived, not ${orders * ARCHIVED}.`);
  const archive = await sizeOf('archived_cycles');
  await client.query('VACUUM FULL processing_cycles');
  const left = await sizeOf('processing_cycles');
  return [
    ['a cycle in the ledger, packed', [ledger / (orders * (ARCHIVED + NEWEST_KEPT))], 'B'],
    ['a cycle in the archive', [archive / rows[0].cycles], 'B'],
    ['the ledger after the archive, of what it was', [left / ledger], ''],
  ];
}

/**
 * A site whose events are kept, and one that has an endpoint besides: each order has two events, and a delivery of
 * each.
 */
async function ofEvents(url, orders) {
  return withReceiver((address) =>
    withClient(url, async (client) => {
      const before = await sizesOf(client);
      await listen(client, address, { ratePerSecond: RATE });
      const worker = new WorkerProcess(url, OPEN);
      try {
        await untilCompleted(client, orders, [worker]);
        await untilHandedOut(client, worker);
        await untilDelivered(client, worker);
      } finally {
        await worker.stop();
      }
      const after = await sizesOf(client);
      const grown = (table) => (after.get(table) - before.get(table)) / orders;
      return [
        ['events of a processed cycle, while they are kept', [grown('outbox')], 'B'],
        [
          'webhook deliveries of a processed cycle to one endpoint, while they are kept',
          [grown('webhook_deliveries')],
          'B',
        ],
      ];
    }),
  );
}

/** `steps`: sizes before and after. Tables that grow by less than a byte are left out. */
function perOrder(what, orders, steps) {
  const tables = [...steps.at(-1)[1].keys()];
  const growth = (bytesOf) => steps.map(([before, after]) => (bytesOf(after) - bytesOf(before)) / orders);
  const rows = tables
    .map((table) => [`${what}: ${table}`, growth((size) => size.get(table) ?? 0), 'B'])
    .filter(([, values]) => Math.max(...values) >= 1);
  const total = (size) => [...size.values()].reduce((sum, bytes) => sum + bytes, 0);
  return [...rows, [`${what}: all tables`, growth(total), 'B']];
}
