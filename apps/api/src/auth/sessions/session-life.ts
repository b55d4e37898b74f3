import { Statement } from '#libs/platform';
import { NEXT_UPDATED_UTC } from '#libs/records';

/** SQL: after its last use a session lives so long (decisions.md §3, Sessions). */
const IDLE = `interval '30 minutes'`;
/** SQL: so long it lives at most. */
export const LONGEST = `interval '12 hours'`;
/**
 * SQL: how often the end of a session in use is moved. So a session ends 29 to 30 minutes after its last use, never
 * later.
 */
const PRECISION = `interval '1 minute'`;

/** SQL: so long after the password was entered a session may do what needs it (decisions.md §3, Sessions). */
const CONFIRMED = `interval '10 minutes'`;

const wasEntered = (t: string) => `${t}.password_entered_utc > now() - ${CONFIRMED}`;

/** SQL: whether a token may do what needs a password in a session. Other tokens always may. */
export const isConfirmed = (t: string): string => `${t}.session_until_utc IS NULL OR coalesce(${wasEntered(t)}, false)`;

/** SQL: until when a session may; null when the password is needed first. */
export const confirmedUntil = (t: string): string =>
  `CASE WHEN ${wasEntered(t)} THEN ${t}.password_entered_utc + ${CONFIRMED} END`;

/** SQL: the end of a session that is used now. */
export const endOfSession = (latest: string): string => `least(now() + ${IDLE}, ${latest})`;

/**
 * SQL: whether the last use that was noted is so old that the end moves. Near the latest end it stays, and only the use
 * is noted.
 */
export const sessionMoves = (t: string): string =>
  `${t}.session_until_utc IS NOT NULL AND coalesce(${t}.last_used_utc, ${t}.created_utc) < now() - ${PRECISION}`;

/**
 * An ended session does not live again. SKIP LOCKED: one that is locked now is being ended, or moved by another
 * request.
 */
export const MOVE_SESSION = Statement.named(
  `UPDATE access_tokens AS x SET last_used_utc = now(), expires_utc = ${endOfSession('x.session_until_utc')}, updated_utc = ${NEXT_UPDATED_UTC}
    WHERE x.id = (SELECT t.id FROM access_tokens t WHERE t.id = $1 AND t.revoked_utc IS NULL AND t.expires_utc > now() AND ${sessionMoves('t')}
      FOR NO KEY UPDATE SKIP LOCKED)`,
);
