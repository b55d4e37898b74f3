import type { ConnectionPool, Logger } from '#libs/platform';
import { RowChore } from '../guards/row-chore.js';

/**
 * By `ix_api_keys_revoked` and `ix_access_tokens_api_key`. A day after a key was deleted, no running request names it.
 * Its tokens go first. A key that has only expired stays until somebody deletes it, so that its owner sees why it does
 * not work.
 */
const DELETE_KEYS = `DELETE FROM api_keys WHERE id IN (
  SELECT k.id FROM api_keys k WHERE k.revoked_utc < now() - interval '1 day'
    AND NOT EXISTS (SELECT FROM access_tokens t WHERE t.api_key_id = k.id)
  ORDER BY k.revoked_utc LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING 1`;

export const deletedKeys = (pool: ConnectionPool, log: Logger) => new RowChore(pool, log, 'API keys', DELETE_KEYS);
