import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usableBinaries } from './binaries.js';
import { freePort } from './free-port.js';
import { initialise } from './initialise.js';
import { runningPid, startServer } from './server.js';
import { serverAccount } from './server-account.js';

const PASSWORD = 'ephemeral';

/** Nothing is flushed to disk: only for tests. */
const UNFLUSHED = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

export interface EphemeralDatabase {
  readonly url: string;
  /** The server's process number, for tests that kill it. */
  readonly pid: number;
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

/**
 * A new PostgreSQL server in a temporary folder, on a free port. It ends with the process that started it, even if that
 * is killed. `settings` are those of postgresql.conf and override the defaults here.
 */
export async function startEphemeralDatabase(
  settings: Readonly<Record<string, string>> = {},
): Promise<EphemeralDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'scheduled-orders-'));
  const account = serverAccount(undefined);
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  const binaries = usableBinaries(account, () => folder);
  const dataFolder = join(folder, 'postgres');
  initialise({ binaries, account, dataFolder, password: PASSWORD, flushed: false });
  const port = await freePort();
  const server = await startServer({
    binaries,
    account,
    dataFolder,
    port,
    logFile: join(folder, 'postgres.log'),
    settings: {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      ...UNFLUSHED,
      ...settings,
    },
    leftover: folder,
  });
  return {
    url: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
    pid: runningPid(dataFolder)!,
    exited: server.exited,
    stop: () => server.stop('QUIT'),
  };
}
