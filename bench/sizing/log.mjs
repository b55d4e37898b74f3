import { cpuOfServer } from '../harness/cpu.mjs';
import { withClient } from '../harness/database.mjs';
import { mainOf } from '../harness/product.mjs';
import { interleave } from '../harness/rounds.mjs';
import { runToEnd } from '../harness/run-node.mjs';
import { walPosition, walSince } from '../harness/wal.mjs';
import { requireProcessed } from '../processor/check.mjs';
import { lastOrderId } from '../processor/worker.mjs';
import { fillLarge } from '../shop/large.mjs';
import { ENCRYPTION_KEY } from '../shop/vault.mjs';

/**
 * Of which every twentieth is whole and due: each is on a page of its own, as orders are that fall due at the same
 * time.
 */
const SIZE = {
  usual: { stored: 1_000_000, active: 50_000, orders: 200_000, events: 200_000, due: true },
  smoke: { stored: 20_000, active: 1_000, orders: 4_000, events: 4_000, due: true },
};
/** How many orders fall due between two checkpoints. */
const PER_CHECKPOINT = { usual: [500, 5_000, 25_000], smoke: [100, 500] };

/**
 * What is written to the log per processed order, by how many orders there are between two checkpoints, with each
 * `wal_compression` that the server was built with; and by the vacuum that follows. Bytes are exact; CPU time is that
 * of the server.
 */
export async function measureLog(sizing) {
  const size = sizing.pick(SIZE);
  sizing.say(`  filling a database with ${size.stored} scheduled orders`);
  const template = await sizing.databases.template('sizing_log', (client) => fillLarge(client, size));
  const methods = await methodsOf(sizing);
  // It would come at some moment; what it writes is measured apart.
  await setAutovacuum(sizing, 'off');
  const found = [];
  for (const due of sizing.pick(PER_CHECKPOINT)) {
    const contenders = Object.fromEntries(
      methods.map((method) => [method, () => logged(sizing, template, method, due)]),
    );
    const measured = await interleave(contenders, sizing.rounds, (round, method, { images, bytes }) =>
      sizing.say(`  round ${round + 1}, ${due} orders, ${method}: ${Math.round(images)} + ${Math.round(bytes)} B`),
    );
    for (const [method, all] of Object.entries(measured)) {
      const values = (what) => all.map((one) => one[what]);
      const where = `wal_compression ${method}, ${due} orders per checkpoint`;
      found.push(
        [`${where}: bytes of page images per order`, values('images'), 'B'],
        [`${where}: other log bytes per order`, values('bytes'), 'B'],
        [`${where}: log bytes of the vacuum after it, per order`, values('vacuumed'), 'B'],
        [`${where}: CPU time of PostgreSQL per order`, values('micros'), 'µs'],
      );
    }
  }
  await setAutovacuum(sizing, 'on');
  await sizing.databases.drop(template);
  return found;
}

const setAutovacuum = ({ databases }, value) =>
  databases.onServer(async (client) => {
    await client.query(`ALTER SYSTEM SET autovacuum = ${value}`);
    await client.query('SELECT pg_reload_conf()');
  });

/** `on` and the like mean pglz. */
async function methodsOf({ databases }) {
  const { rows } = await databases.onServer((client) =>
    client.query(`SELECT enumvals FROM pg_settings WHERE name = 'wal_compression'`),
  );
  const all = String(rows[0].enumvals).replace(/[{}]/g, '').split(',');
  return ['off', 'pglz', 'lz4', 'zstd'].filter((method) => all.includes(method));
}

/** On a copy of the files, in which only `due` orders are due; all its pages are on the disk when the worker begins. */
async function logged({ databases, server }, template, method, due) {
  await databases.drop('log');
  await databases.onServer((client) => client.query(`CREATE DATABASE log TEMPLATE ${template} STRATEGY file_copy`));
  await databases.onServer((client) => client.query(`ALTER DATABASE log SET wal_compression = ${method}`));
  const url = databases.url('log');
  const measured = await withClient(url, async (client) => {
    await client.query(
      `UPDATE scheduled_orders SET status = 'Paused' WHERE status = 'Active' AND next_occurrence_utc <= now() AND id NOT IN (
         SELECT id FROM scheduled_orders WHERE status = 'Active' AND next_occurrence_utc <= now()
         ORDER BY hashint8(id) LIMIT $1)`,
      [due],
    );
    await client.query('VACUUM ANALYZE scheduled_orders');
    await warm(client);
    const before = await lastOrderId(client);
    const from = await walPosition(client);
    await client.query('CHECKPOINT');
    const cpuFrom = cpuOfServer(server.pid);
    const env = { DATABASE_URL: url, ENCRYPTION_KEY, LOG_LEVEL: 'warn' };
    await runToEnd(process.execPath, [mainOf('worker'), '--once'], { env });
    const micros = ((cpuOfServer(server.pid) - cpuFrom) * 1_000) / due;
    const { bytes, images } = await walSince(client, from);
    await requireProcessed(client, due, { from: before });
    const vacuumFrom = await walPosition(client);
    await client.query('VACUUM scheduled_orders, processing_cycles');
    // What vacuum has written may not be on the disk yet, where it is read from.
    await client.query(`SELECT pg_logical_emit_message(true, 'bench', '')`);
    const vacuum = await walSince(client, vacuumFrom);
    return { bytes: bytes / due, images: images / due, micros, vacuumed: (vacuum.bytes + vacuum.images) / due };
  });
  await databases.drop('log');
  return measured;
}

/** Reads the pages into memory, as they are in a database that is in use. */
const warm = async (client) => {
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_prewarm');
  await client.query(
    `SELECT sum(pg_prewarm(oid)) FROM pg_class WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace AND relpages > 0`,
  );
};
