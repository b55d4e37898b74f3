/**
 * What one due order costs the database, in counters that do not depend on the machine: `node cost.mjs [orders]` writes
 * `{ walBytes, commits, statements, buffers }` per order as JSON, as `quiet`, and as `listening` of sites whose events
 * are kept, numbering included; and as `idle` the buffers of a tick with nothing to do, after the orders that were
 * counted as `quiet`. test/processor-cost.test.ts holds the product to them.
 */
import { pathToFileURL } from 'node:url';
import { Databases, withClient } from '../harness/database.mjs';
import { lib, mainOf } from '../harness/product.mjs';
import { runToEnd } from '../harness/run-node.mjs';
import { walPosition, walSince } from '../harness/wal.mjs';
import { fillShops } from '../shop/shop.mjs';
import { ENCRYPTION_KEY } from '../shop/vault.mjs';
import { idleBuffers } from './buffers.mjs';
import { requireProcessed } from './check.mjs';

/** So many that the batches of the first moments, which are small, weigh little. */
const ORDERS = Number(process.argv[2] ?? 24_000);
/**
 * The look from the beginning that each minute has is not in every window. A connection that meets a statement for the
 * first time reads the catalog for it, which happens by chance in the first minutes, and the later the busier the
 * machine is: so many windows are looked at, until one has what a tick has where nothing else is
 * (test/processor-cost.test.ts).
 */
const IDLE = { settledMs: 15_000, seconds: 10, times: 12, enough: 18 };

/** Nothing but the worker may write, and nothing may be written by chance. */
const SETTINGS = {
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  max_wal_size: '8GB',
  shared_buffers: '512MB',
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'none',
};

export async function processorCost() {
  const { startEphemeralDatabase } = await lib('platform');
  const server = await startEphemeralDatabase(SETTINGS);
  try {
    const databases = new Databases(server.url);
    await databases.template('shops', (client) => fillShops(client, { sites: 10, orders: ORDERS }));
    const withCost = (isListening, work) =>
      databases.withClone('shops', 'cost', async (url) =>
        work(await withClient(url, (client) => costOf(client, url, isListening)), url),
      );
    const found = await withCost(false, async (quiet, url) => ({ quiet, idle: await idleBuffers(url, IDLE) }));
    return { ...found, listening: await withCost(true, (listening) => listening) };
  } finally {
    await server.stop();
  }
}

async function costOf(client, url, isListening) {
  if (isListening) await client.query('UPDATE sites SET listens_since_utc = now()');
  await client.query('CREATE EXTENSION pg_stat_statements');
  await client.query(`ALTER DATABASE cost SET pg_stat_statements.track = 'top'`);
  const from = await walPosition(client);
  const env = { DATABASE_URL: url, ENCRYPTION_KEY, LOG_LEVEL: 'warn' };
  await runToEnd(process.execPath, [mainOf('worker'), '--once'], { env });
  const { rows } = await client.query(
    `SELECT sum(calls)::int AS statements, sum(shared_blks_hit + shared_blks_read)::float8 AS buffers
     FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = current_database()`,
  );
  const wal = await walSince(client, from);
  await requireProcessed(client, ORDERS);
  return {
    walBytes: wal.bytes / ORDERS,
    commits: wal.commits / ORDERS,
    statements: rows[0].statements / ORDERS,
    buffers: rows[0].buffers / ORDERS,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  process.stdout.write(JSON.stringify(await processorCost()));
