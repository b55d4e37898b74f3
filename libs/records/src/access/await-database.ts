import { checkTables } from '#libs/entities';
import {
  checkSession,
  type ConnectionPool,
  connectWithRetry,
  DecryptionError,
  EXIT_CONFIGURATION,
  type ServiceProcess,
  Vault,
} from '#libs/platform';
import { assertEncryptionKeys } from './assert-encryption-keys.js';

/**
 * At the start of a process: waits until the database can be reached and used. Ends the process when the keys at hand
 * do not decrypt what is stored.
 * @throws what waiting does not help with, and when the process is asked to stop.
 */
export async function awaitDatabase(pool: ConnectionPool, service: ServiceProcess): Promise<void> {
  const { settings, log, signal } = service;
  const checkKeys = async () => {
    try {
      await assertEncryptionKeys(pool, Vault.fromSetting(settings.encryptionKeys));
    } catch (error) {
      if (error instanceof DecryptionError) service.fail(error.message, EXIT_CONFIGURATION);
      throw error;
    }
  };
  for (const check of [() => checkSession(pool), () => checkTables(pool), checkKeys])
    await connectWithRetry<unknown>(check, { databaseUrl: settings.databaseUrl, log, signal });
}
