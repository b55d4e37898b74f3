import type { DataSource } from 'typeorm';
import { checkTables, MINIMUM_VERSION, openDataSource, outdatedBecause } from '#libs/entities';
import {
  checkSession,
  type ConnectionPool,
  databaseSentence,
  isNotMigrated,
  openPool,
  type Settings,
} from '#libs/platform';
import { Refusal } from './refusal.js';
import { type CliSettings, commandSettings } from './settings.js';

const CONNECTIONS = 2;
/** A command has no time limits, even if the database role has some. */
const SESSION = { statement_timeout: '0', idle_in_transaction_session_timeout: '0' };

export type DatabasePlace = Pick<Settings, 'databaseUrl' | 'databasePooler'>;

const connectionOf = ({ databaseUrl, databasePooler }: DatabasePlace) =>
  ({ url: databaseUrl, pooler: databasePooler, applicationName: 'cli', session: SESSION }) as const;

/**
 * Connects to the database. It fails at once with a sentence, because a command does not wait for a database.
 * @throws Refusal, also when the database needs a newer version than this one.
 */
export async function connect(place: DatabasePlace): Promise<ConnectionPool> {
  const pool = openPool(connectionOf(place), { connections: CONNECTIONS, pipeline: true });
  try {
    await checkSession(pool)
      .then(() => checkTables(pool))
      .catch((error: unknown) => {
        throw new Refusal(databaseSentence(error, place.databaseUrl));
      });
    await assertNotOutdated(pool);
    return pool;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** The same through TypeORM, which migrates the tables. */
export async function connectDataSource(place: DatabasePlace): Promise<DataSource> {
  await (await connect(place)).end();
  return openDataSource({ ...connectionOf(place), poolSize: CONNECTIONS });
}

async function assertNotOutdated(database: ConnectionPool): Promise<void> {
  try {
    const [row] = await database.execute<{ minimum: number }>(MINIMUM_VERSION.text);
    const reason = outdatedBecause(row!.minimum);
    if (reason !== null) throw new Refusal(reason);
  } catch (error) {
    // Without the table the database does not need a version yet.
    if (!isNotMigrated(error)) throw error;
  }
}

/**
 * Migrations take a lock for their whole run, so that two do not run at once, and some make indexes outside a
 * transaction.
 * @throws Refusal behind a pooler that gives out connections for one transaction.
 */
export function assertDirect({ databasePooler }: Pick<Settings, 'databasePooler'>): void {
  if (databasePooler === 'transaction')
    throw new Refusal(
      'Migrations need a direct connection: run this command with DATABASE_POOLER=none and a DATABASE_URL that leads to PostgreSQL itself.',
    );
}

/** Runs a command's work with the database of its settings, and always closes the connection. */
export async function withDatabase<T>(
  work: (database: ConnectionPool, settings: CliSettings) => Promise<T>,
): Promise<T> {
  const settings = commandSettings();
  const database = await connect(settings);
  return finished(work(database, settings), () => database.end());
}

/** The same through TypeORM. */
export async function withDataSource<T>(
  work: (dataSource: DataSource, settings: CliSettings) => Promise<T>,
): Promise<T> {
  const settings = commandSettings();
  const dataSource = await connectDataSource(settings);
  return finished(work(dataSource, settings), () => dataSource.destroy());
}

async function finished<T>(work: Promise<T>, end: () => Promise<void>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isNotMigrated(error)) {
      throw new Refusal('The database lacks what this version needs: run the migrate command first.');
    }
    throw error;
  } finally {
    await end();
  }
}
