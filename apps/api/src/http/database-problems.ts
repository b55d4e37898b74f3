import { errorCode, isLost, isPassing, isSlow, isUniqueViolation } from '#libs/database';
import { Conflict, Rejected } from '#libs/records';
import { Unavailable } from './errors.js';

const RETRY_AFTER_SECONDS = 5;

/** Text that is not valid UTF-8, or that no column can store. */
const UNSTORABLE = new Set(['22021', '22P05', '22001', '22003', '22008']);

const LOCK_NOT_AVAILABLE = '55P03';
const FOREIGN_KEY_VIOLATION = '23503';

/** What an error of the database means for the caller; undefined when it is a bug in this service. */
export function problemOfDatabase(error: unknown): Error | undefined {
  if (isLost(error))
    return new Unavailable('The database is not available at the moment: repeat the request.', RETRY_AFTER_SECONDS);
  const code = errorCode(error);
  if (code === undefined) return undefined;
  if (isSlow(error) || code === LOCK_NOT_AVAILABLE)
    return new Unavailable('Other requests lock the records for too long: repeat the request.', RETRY_AFTER_SECONDS);
  if (UNSTORABLE.has(code))
    return new Rejected([{ field: '', message: 'The body has a value that cannot be stored.' }]);
  // Another request was faster.
  if (isPassing(error) || isUniqueViolation(error) || code === FOREIGN_KEY_VIOLATION)
    return new Conflict('Another request changed the same records at the same time: read them again and repeat yours.');
  return undefined;
}
