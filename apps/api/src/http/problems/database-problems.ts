import {
  causeOf,
  isForeignKeyViolation,
  isLockTimeout,
  isLost,
  isPassing,
  isSlow,
  isUniqueViolation,
  isUnstorable,
  type Logger,
  writesFailBecause,
} from '#libs/platform';
import { Conflict, Rejected } from '#libs/records';
import { Unavailable } from './errors.js';

const RETRY_AFTER_SECONDS = 5;

/** What an error of the database means for the caller; undefined when it is a bug in this service. */
export function problemOfDatabase(error: unknown): Error | undefined {
  const refusal = writesFailBecause(error);
  if (refusal !== null) return new Unavailable(`${refusal} Repeat the request later.`, RETRY_AFTER_SECONDS);
  if (isLost(error))
    return new Unavailable('The database is not available at the moment: repeat the request.', RETRY_AFTER_SECONDS);
  if (isSlow(error) || isLockTimeout(error))
    return new Unavailable('Other requests lock the records for too long: repeat the request.', RETRY_AFTER_SECONDS);
  if (isUnstorable(error)) return new Rejected([{ field: '', message: 'The body has a value that cannot be stored.' }]);
  // Another request was faster.
  if (isPassing(error) || isUniqueViolation(error) || isForeignKeyViolation(error))
    return new Conflict('Another request changed the same records at the same time: read them again and repeat yours.');
  return undefined;
}

/** A cause that lasts is logged again after so long. */
const AGAIN_MS = 600_000;

/**
 * Logs why the database makes requests fail: SQLSTATE and message of its error, once for each SQLSTATE, not for each
 * request.
 */
export class DatabaseCauses {
  private readonly loggedAt = new Map<string, number>();

  constructor(private readonly log: Logger) {}

  tell(error: unknown): void {
    const cause = causeOf(error);
    const code = cause.code ?? 'none';
    const now = performance.now();
    if (now - (this.loggedAt.get(code) ?? -Infinity) < AGAIN_MS) return;
    this.loggedAt.set(code, now);
    this.log.warn(cause, 'Requests are answered 503, because the database refuses or delays them.');
  }
}
