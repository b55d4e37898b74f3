import type { ConnectionPool, Logger } from '#libs/platform';
import { RowChore } from '../guards/row-chore.js';

/**
 * By `ix_access_tokens_expires` and `ix_access_tokens_parent`. A day after a token's end, no running request names it,
 * and log entries keep whole tokens. A token stays as long as those that were made from it, because its id revokes the
 * family. So derived tokens are deleted first.
 */
const DELETE_EXPIRED = `DELETE FROM access_tokens WHERE id IN (
  SELECT t.id FROM access_tokens t WHERE t.expires_utc < now() - interval '1 day'
    AND NOT EXISTS (SELECT FROM access_tokens child WHERE child.parent_id = t.id)
  ORDER BY t.expires_utc LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING 1`;

export const expiredTokens = (pool: ConnectionPool, log: Logger) =>
  new RowChore(pool, log, 'access tokens', DELETE_EXPIRED);
