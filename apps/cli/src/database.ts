import type { DataSource } from 'typeorm';
import { databaseSentence, errorCode } from '#libs/config';
import { createDataSource, MINIMUM_VERSION, outdatedBecause } from '#libs/entities';
import { Refusal } from './refusal.js';
import { commandSettings, type CliSettings } from './settings.js';

/** What PostgreSQL says of a table or column that a migration would have made. */
const MISSING_SCHEMA = new Set(['42P01', '42703']);

/**
 * The connection to `databaseUrl`, or at once a sentence: a command does not wait for a database.
 * @throws Refusal also when the database asks for a newer version than this one.
 */
export async function connect(databaseUrl: string): Promise<DataSource> {
  const database = createDataSource({ url: databaseUrl, poolSize: 2, applicationName: 'cli' });
  try {
    await database.initialize();
  } catch (error) {
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
    const [row] = await database.query<{ minimum: number }[]>(MINIMUM_VERSION.text);
    const reason = outdatedBecause(row!.minimum);
    if (reason !== null) throw new Refusal(reason);
  } catch (error) {
    // Without the table, no version is asked for yet.
    if (!MISSING_SCHEMA.has(errorCode(error) ?? '')) throw error;
  }
}

/** Runs a command's work with the database of its settings, and closes it whatever happens. */
export async function withDatabase<T>(work: (database: DataSource, settings: CliSettings) => Promise<T>): Promise<T> {
  const settings = commandSettings();
  const database = await connect(settings.databaseUrl);
  try {
    return await work(database, settings);
  } catch (error) {
    if (MISSING_SCHEMA.has(errorCode(error) ?? '')) {
      throw new Refusal('The database lacks what this version needs: run the migrate command first.');
    }
    throw error;
  } finally {
    await database.destroy();
  }
}
