import { lib } from './product.mjs';

/**
 * Real durability: every commit waits for the disk. Checkpoints are kept out of the rounds, which are shorter than their interval;
 * nothing else is tuned for anybody. `track_commit_timestamp` is the clock by which all contenders are measured.
 */
export const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '2GB',
  max_wal_size: '32GB',
  checkpoint_timeout: '1h',
  max_connections: '200',
  track_commit_timestamp: 'on',
  track_io_timing: 'on',
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'none',
};

/** The one server of the run: a fresh cluster on a free port, gone with this process. */
export async function startPostgres() {
  const { startEphemeralDatabase } = await lib('config');
  const server = await startEphemeralDatabase(SETTINGS);
  return { url: server.url, pid: server.pid, stop: () => server.stop() };
}

/** The same server, another database. */
export function urlOf(serverUrl, database) {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
