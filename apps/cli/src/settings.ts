import { loadSettings, readEnvironment, runningEmbeddedDatabase, type Settings } from '#libs/config';
import { Refusal } from './refusal.js';

/** The settings that commands need. Those on the database's contents also name the keys it is encrypted with. */
export type CliSettings = Omit<Settings, 'encryptionKeys'> & Partial<Pick<Settings, 'encryptionKeys'>>;

/**
 * The settings of a command: with DATABASE_URL that database, without it the one that `npm start` runs just now.
 * @throws SettingsFault, or Refusal where there is no database to speak to.
 */
export function commandSettings(env = readEnvironment()): CliSettings {
  const settings = loadSettings(env, ['databaseUrl', 'encryptionKeys']);
  if (settings.databaseUrl !== undefined) return { ...settings, databaseUrl: settings.databaseUrl };
  const embedded = runningEmbeddedDatabase(settings.dataDir);
  if (embedded === undefined) {
    throw new Refusal(
      'There is no database to work on: set DATABASE_URL, or leave `npm start` running, whose own database is used then.',
    );
  }
  return {
    ...settings,
    databaseUrl: embedded.databaseUrl,
    encryptionKeys: settings.encryptionKeys ?? [embedded.encryptionKey],
  };
}

/** The keys that stored credentials are encrypted with. */
export function keysOf(settings: CliSettings): readonly string[] {
  if (settings.encryptionKeys !== undefined) return settings.encryptionKeys;
  throw new Refusal('ENCRYPTION_KEY is missing: set it as the API and the workers have it.', 78);
}
