import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from '../harness/database.mjs';
import { WorkerProcess } from './worker.mjs';

/** Seconds of idle ticks, one a second. */
const IDLE_SECONDS = 10;

/** Buffers that a worker with nothing to do reads per tick, planning included, by pg_stat_statements. */
export function idleBuffers(url) {
  return withClient(url, async (client) => {
    const database = new URL(url).pathname.slice(1);
    await client.query(`CREATE EXTENSION IF NOT EXISTS pg_stat_statements`);
    await client.query(`ALTER DATABASE ${database} SET pg_stat_statements.track = 'all'`);
    await client.query(`ALTER DATABASE ${database} SET pg_stat_statements.track_planning = on`);
    const worker = new WorkerProcess(url, { PROCESSOR_CRON: '* * * * * *' });
    try {
      await pause(5_000);
      await client.query(`SELECT pg_stat_statements_reset()`);
      await pause(IDLE_SECONDS * 1_000);
      const { rows } = await client.query(
        `SELECT sum(shared_blks_hit + shared_blks_read)::int AS buffers FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
         WHERE d.datname = current_database()`,
      );
      return rows[0].buffers / IDLE_SECONDS;
    } finally {
      await worker.stop();
      await client.query(`ALTER DATABASE ${database} RESET pg_stat_statements.track`);
      await client.query(`ALTER DATABASE ${database} RESET pg_stat_statements.track_planning`);
    }
  });
}
