import { loadSettings, readEnvironment, runningEmbeddedDatabase, type Settings } from '#libs/platform';
import { Refusal } from './refusal.js';

/** The settings that commands need. Commands that read credentials also need the keys. */
export type CliSettings = Omit<Settings, 'encryptionKeys'> & Partial<Pick<Settings, 'encryptionKeys'>>;

/**
 * The settings of a command: the database of DATABASE_URL, or the one of a running `npm start`.
 * @throws SettingsFault, or Refusal when there is no database.
 */
export function commandSettings(env = readEnvironment()): CliSettings {
  const settings = loadSettings(env, ['databaseUrl', 'encryptionKeys']);
  if (settings.databaseUrl !== undefined) return { ...settings, databaseUrl: settings.databaseUrl };
  const embedded = runningEmbeddedDatabase(settings.dataDir);
  if (embedded === undefined) {
    throw new Refusal(
      'There is no database to use: set DATABASE_URL, or leave `npm start` running; then its database is used.',
    );
  }
  return {
    ...settings,
    databaseUrl: embedded.databaseUrl,
    encryptionKeys: settings.encryptionKeys ?? [embedded.encryptionKey],
  };
}

/** How the gateways are called. */
export const gatewayOptions = (settings: CliSettings) => ({
  gatewayOneUrl: settings.gatewayOneUrl,
  gatewayTwoUrl: settings.gatewayTwoUrl,
  gatewayTwoSandboxUrl: settings.gatewayTwoSandboxUrl,
  timeoutMs: settings.gatewayTimeoutMs,
});

/** The keys that stored credentials are encrypted with. */
export function keysOf(settings: CliSettings): readonly string[] {
  if (settings.encryptionKeys !== undefined) return settings.encryptionKeys;
  throw new Refusal('ENCRYPTION_KEY is missing: set the same value as for the API and the workers.', 78);
}
