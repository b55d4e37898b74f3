import type { DataSource } from 'typeorm';
import type { Settings } from '#libs/config';
import { checkSession, type ConnectionPool, databaseSentence, isNotMigrated } from '#libs/database';
import { createDataSource, MINIMUM_VERSION, outdatedBecause, poolOf } from '#libs/entities';
import { Refusal } from './refusal.js';
import { type CliSettings, commandSettings } from './settings.js';

/** A command has no time limits, even if the database role has some. */
const SESSION = { statement_timeout: '0', idle_in_transaction_session_timeout: '0' };

export type DatabasePlace = Pick<Settings, 'databaseUrl' | 'databasePooler'>;

/**
 * Connects to the database. It fails at once with a sentence, because a command does not wait for a database.
 * @throws Refusal, also when the database needs a newer version than this one.
 */
export async function connect({ databaseUrl, databasePooler }: DatabasePlace): Promise<DataSource> {
  const database = createDataSource({
    url: databaseUrl,
    pooler: databasePooler,
    poolSize: 2,
    applicationName: 'cli',
    session: SESSION,
  });
  try {
    await database.initialize();
    await checkSession(poolOf(database));
  } catch (error) {
    if (database.isInitialized) await database.destroy();
    throw new Refusal(databaseSentence(error, databaseUrl));
  }
  try {
    await assertNotOutdated(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

async function assertNotOutdated(database: DataSource): Promise<void> {
  try {
    const [row] = await poolOf(database).execute<{ minimum: number }>(MINIMUM_VERSION.text);
    const reason = outdatedBecause(row!.minimum);
    if (reason !== null) throw new Refusal(reason);
  } catch (error) {
    // Without the table the database does not need a version yet.
    if (!isNotMigrated(error)) throw error;
  }
}

/**
 * Migrations take a lock for their whole run, so that two do not run at once, and some make indexes outside a transaction.
 * @throws Refusal behind a pooler that gives out connections for one transaction.
 */
export function assertDirect({ databasePooler }: Pick<Settings, 'databasePooler'>): void {
  if (databasePooler === 'transaction')
    throw new Refusal(
      'Migrations need a direct connection: run this command with DATABASE_POOLER=none and a DATABASE_URL that leads to PostgreSQL itself.',
    );
}

/** A command's work. `dataSource` is for migrations, which TypeORM runs. */
type Work<T> = (database: ConnectionPool, settings: CliSettings, dataSource: DataSource) => Promise<T>;

/** Runs a command's work with the database of its settings, and always closes the connection. */
export async function withDatabase<T>(work: Work<T>): Promise<T> {
  const settings = commandSettings();
  const dataSource = await connect(settings);
  try {
    return await work(poolOf(dataSource), settings, dataSource);
  } catch (error) {
    if (isNotMigrated(error)) {
      throw new Refusal('The database lacks what this version needs: run the migrate command first.');
    }
    throw error;
  } finally {
    await dataSource.destroy();
  }
}
