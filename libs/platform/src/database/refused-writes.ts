import { errorCode, isReadOnly } from './database-errors.js';

const DISK_FULL = '53100';

/**
 * Why the database refuses what is written, where its error says so: a sentence, else null. Reads may work all the
 * same.
 */
export function writesFailBecause(error: unknown): string | null {
  if (isReadOnly(error)) return 'The database is read-only: it is a standby, or was the primary until a failover.';
  return errorCode(error) === DISK_FULL ? 'The database takes no writes: its disk is full.' : null;
}
