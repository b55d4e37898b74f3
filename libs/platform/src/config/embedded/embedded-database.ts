import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { usableBinaries } from './binaries.js';
import { dataPlace } from './data-place.js';
import { EmbeddedFault } from './embedded-fault.js';
import { freePort } from './free-port.js';
import { initialise } from './initialise.js';
import { clearOrphan, runningPid, startServer } from './server.js';
import { lockFolder } from './start-lock.js';

const DATABASE = 'scheduled_orders';
const LOG_LIMIT_BYTES = 10_000_000;

/** The connection data of the database, kept from start to start in a file that only its owner can read. */
interface Access {
  readonly port: number;
  readonly password: string;
  readonly dataFolder: string;
}

export interface EmbeddedDatabase {
  readonly databaseUrl: string;
  /** Made on the first start, like ENCRYPTION_KEY. */
  readonly encryptionKey: string;
  /** A note for the user, e.g. where the data is when it is not in DATA_DIR. */
  readonly note: string | undefined;
  readonly dataFolder: string;
  readonly logFile: string;
  /** Resolves when the server has stopped, for any reason. */
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

const accessFile = (dataDir: string) => join(dataDir, 'database.json');
const keyFile = (dataDir: string) => join(dataDir, 'encryption-key');
const urlOf = ({ port, password }: Access, database = DATABASE) =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;

function readAccess(dataDir: string): Access | undefined {
  const file = accessFile(dataDir);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Access) : undefined;
}

function encryptionKey(dataDir: string): string {
  const file = keyFile(dataDir);
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8').trim();
}

async function createDatabase(access: Access): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(access, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

function trimLog(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) truncateSync(file, 0);
}

interface DataRequest {
  readonly dataDir: string;
  readonly place: ReturnType<typeof dataPlace>;
  readonly binaries: ReturnType<typeof usableBinaries>;
  readonly onFirstStart: (dataFolder: string) => void;
}

/** The data folder, ready for a server: made on the first start, without a server of before on the later ones. */
async function prepareData({ dataDir, place, binaries, onFirstStart }: DataRequest): Promise<Access> {
  const { account, dataFolder } = place;
  const before = readAccess(dataDir);
  const fresh = !existsSync(dataFolder);
  const password = fresh || before === undefined ? randomBytes(16).toString('hex') : before.password;
  if (fresh) {
    onFirstStart(dataFolder);
    mkdirSync(dirname(dataFolder), { recursive: true });
    initialise({ binaries, account, dataFolder, password, flushed: true });
  } else await clearOrphan(dataFolder);
  const access: Access = { port: await freePort(before?.port), password, dataFolder };
  writeFileSync(accessFile(dataDir), `${JSON.stringify(access, null, 2)}\n`, { mode: 0o600 });
  return access;
}

/**
 * Starts the PostgreSQL of the npm packages, with its data in `dataDir`. The first start makes a new database; later
 * starts use it. A server that a killed start left behind is stopped first.
 * @param onFirstStart is called before a new database is made, which takes a while.
 * @throws EmbeddedFault where it cannot run. The message says what to do.
 */
export async function startEmbeddedDatabase(
  dataDirectory: string,
  onFirstStart: (dataFolder: string) => void = () => undefined,
): Promise<EmbeddedDatabase> {
  if (process.platform === 'win32') {
    throw new EmbeddedFault('The embedded database needs Linux or macOS: set DATABASE_URL to a PostgreSQL server.');
  }
  const dataDir = resolve(dataDirectory);
  const place = dataPlace(dataDir);
  const { account, dataFolder, spareFolder, note } = place;
  const unlock = lockFolder(dataDir);
  try {
    const binaries = usableBinaries(account, spareFolder);
    const logFile = join(dataDir, 'postgres.log');
    trimLog(logFile);
    const access = await prepareData({ dataDir, place, binaries, onFirstStart });
    const server = await startServer({
      binaries,
      account,
      dataFolder,
      port: access.port,
      logFile,
      settings: { listen_addresses: '127.0.0.1', unix_socket_directories: '' },
    });
    await createDatabase(access);
    void server.exited.then(unlock);
    return {
      databaseUrl: urlOf(access),
      encryptionKey: encryptionKey(dataDir),
      note,
      dataFolder,
      logFile,
      exited: server.exited,
      stop: () => server.stop(),
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * The connection data of the embedded database of `dataDir` while an `npm start` runs it, e.g. for the command line.
 */
export function runningEmbeddedDatabase(
  dataDir: string,
): Pick<EmbeddedDatabase, 'databaseUrl' | 'encryptionKey'> | undefined {
  const access = readAccess(dataDir);
  if (access === undefined || runningPid(access.dataFolder) === undefined) return undefined;
  return { databaseUrl: urlOf(access), encryptionKey: encryptionKey(dataDir) };
}
