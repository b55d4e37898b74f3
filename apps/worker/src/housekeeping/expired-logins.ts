import type { ConnectionPool, Logger } from '#libs/platform';
import { RowChore } from '../guards/row-chore.js';

/**
 * By `ix_known_networks_last_login`. After 30 days the API treats a network as unknown. One more day allows for clocks
 * and calendars.
 */
const DELETE_NETWORKS = `DELETE FROM known_networks WHERE (user_id, network_hash) IN (
  SELECT n.user_id, n.network_hash FROM known_networks n WHERE n.last_login_utc < now() - interval '31 days'
  ORDER BY n.last_login_utc LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING 1`;

/**
 * By `ix_login_attempts_attempted`. The API counts the attempts of 15 minutes. It deletes some itself, but only while
 * somebody logs in.
 */
const DELETE_ATTEMPTS = `DELETE FROM login_attempts WHERE id IN (
  SELECT a.id FROM login_attempts a WHERE a.attempted_utc < now() - interval '1 hour'
  ORDER BY a.attempted_utc LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING 1`;

export const expiredLogins = (pool: ConnectionPool, log: Logger) => [
  new RowChore(pool, log, 'known networks', DELETE_NETWORKS),
  new RowChore(pool, log, 'login attempts', DELETE_ATTEMPTS),
];
