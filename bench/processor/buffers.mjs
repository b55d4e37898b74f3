import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from '../harness/database.mjs';
import { WorkerProcess } from './worker.mjs';

/**
 * Runs `work(worker, counted)` beside a worker. `counted(during)` gives the buffers that its statements read while
 * `during()` lasts, planning and triggers included, by pg_stat_statements: exact, and the same on every machine. (A
 * statement includes what it calls, which `all` would count twice.) Statements of other connections count too, unless
 * these set `pg_stat_statements.track` to `none`.
 */
export function withCountedWorker(url, env, work) {
  return withClient(url, async (client) => {
    const database = new URL(url).pathname.slice(1);
    await client.query(`CREATE EXTENSION IF NOT EXISTS pg_stat_statements`);
    await client.query(`ALTER DATABASE ${database} SET pg_stat_statements.track = 'top'`);
    await client.query(`ALTER DATABASE ${database} SET pg_stat_statements.track_planning = on`);
    const worker = new WorkerProcess(url, env);
    try {
      return await work(worker, (during) => counted(client, during));
    } finally {
      await worker.stop();
      await client.query(`ALTER DATABASE ${database} RESET pg_stat_statements.track`);
      await client.query(`ALTER DATABASE ${database} RESET pg_stat_statements.track_planning`);
    }
  });
}

async function counted(client, during) {
  await client.query(`SELECT pg_stat_statements_reset()`);
  await during();
  const { rows } = await client.query(
    `SELECT sum(shared_blks_hit + shared_blks_read)::int AS buffers FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
     WHERE d.datname = current_database()`,
  );
  return rows[0].buffers;
}

/**
 * Until a worker has started, has found nothing for so long that its ticks only look for what has fallen due since, and
 * each of the two connections that it keeps knows its statements: a connection reads the catalog for a statement once.
 * Some statements come once a minute, on either connection.
 */
const SETTLED_MS = 250_000;
/** Seconds of idle ticks, one a second. A minute has one look from the beginning. */
const IDLE_SECONDS = 60;

/**
 * Buffers that a worker with nothing to do reads per tick: the least that is found in so many `times`. No more are
 * looked at once one has at most `enough`.
 */
export const idleBuffers = (url, { seconds = IDLE_SECONDS, settledMs = SETTLED_MS, times = 1, enough = 0 } = {}) =>
  withCountedWorker(url, { PROCESSOR_CRON: '* * * * * *' }, async (_, counted) => {
    await pause(settledMs);
    let least = Infinity;
    for (let time = 0; time < times && least > enough; time += 1)
      least = Math.min(least, (await counted(() => pause(seconds * 1_000))) / seconds);
    return least;
  });
