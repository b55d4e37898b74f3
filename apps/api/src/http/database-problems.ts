import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { Conflict, databaseError, Rejected } from '#libs/records';
import { Unavailable } from './errors.js';

const RETRY_AFTER_SECONDS = 5;

/**
 * PostgreSQL ends or refuses connections, or runs out of them; or it only lets read (25006), as a standby does until it takes over;
 * or it cannot be reached at all.
 */
const UNAVAILABLE = /^(08|53|57P|25006|25P03|25P04|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;

/** Text that UTF-8 cannot carry, or that no column can hold. */
const UNSTORABLE = new Set(['22021', '22P05', '22001', '22003', '22008']);

/** Unique, foreign-key and serialization faults: another request was faster. */
const OVERTAKEN = new Set(['23505', '23503', '40001', '40P01']);

/** A lock, or a statement, that took too long. */
const HELD_UP = new Set(['55P03', '57014']);

/** What an error of the database means to the caller; undefined when it is a fault of ours. */
export function problemOfDatabase(error: unknown): Error | undefined {
  const code = databaseError(error)?.code;
  if (code === undefined) return lostConnection(error);
  if (UNAVAILABLE.test(code)) return unavailable();
  if (HELD_UP.has(code))
    return new Unavailable('The records are held by others for too long: repeat the request.', RETRY_AFTER_SECONDS);
  if (UNSTORABLE.has(code))
    return new Rejected([{ field: '', message: 'The body holds a value that cannot be stored.' }]);
  if (OVERTAKEN.has(code))
    return new Conflict('Another request changed the same records at the same time: read them again and repeat yours.');
  return undefined;
}

/** What the driver says, without a code, of a connection that ended or fell silent, or that the pool could not give in time. */
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;

/** What TypeORM says when the connection of a transaction has ended between two statements: it lets go of it by itself. */
const LET_GO = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError];

function lostConnection(error: unknown): Error | undefined {
  const isLost = LET_GO.some((type) => error instanceof type) || (error instanceof Error && LOST.test(error.message));
  return isLost ? unavailable() : undefined;
}

const unavailable = () =>
  new Unavailable('The database cannot serve just now: repeat the request.', RETRY_AFTER_SECONDS);
