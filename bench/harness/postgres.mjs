import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileOfBuild, lib } from './product.mjs';

/**
 * Real durability: every commit waits for the disk. Checkpoints are kept out of the rounds, which are shorter than
 * their interval; nothing else is tuned for anybody. `track_commit_timestamp` is the clock by which all contenders are
 * measured.
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
  const { startEphemeralDatabase } = await lib('platform');
  const server = await startEphemeralDatabase(SETTINGS);
  return { url: server.url, pid: server.pid, stop: () => server.stop() };
}

/**
 * A server of other programs than the embedded ones, such as Debian's, which have lz4 and zstd: `bin` is their folder.
 * Like the embedded one it does not run as root.
 */
export async function startPostgresOf(bin) {
  const { serverAccount } = await import(fileOfBuild('platform', 'config/embedded/server-account'));
  const { startServer, runningPid } = await import(fileOfBuild('platform', 'config/embedded/server'));
  const { freePort } = await lib('platform');
  const account = serverAccount(undefined);
  const as = account && { uid: account.uid, gid: account.gid };
  const folder = mkdtempSync(join(tmpdir(), 'scheduled-orders-postgres-'));
  if (account) chownSync(folder, account.uid, account.gid);
  const dataFolder = join(folder, 'postgres');
  const made = spawnSync(
    join(bin, 'initdb'),
    [`--pgdata=${dataFolder}`, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'],
    { ...as, cwd: '/', encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`${bin}/initdb: ${made.error?.message ?? made.stderr}`);
  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...SETTINGS };
  const binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  const logFile = join(folder, 'postgres.log');
  const server = await startServer({ binaries, account, dataFolder, port, logFile, settings, leftover: folder });
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pid: runningPid(dataFolder),
    stop: () => server.stop('QUIT'),
  };
}

/** The same server, another database. */
export function urlOf(serverUrl, database) {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
