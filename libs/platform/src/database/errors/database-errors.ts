/** Why a database that answers cannot be used: a whole sentence. Waiting does not change it. */
export class UnusableDatabase extends Error {}

/** The properties that pg, TypeORM and Node add to an error. */
interface Coded {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly constraint?: unknown;
  readonly severity?: unknown;
  readonly routine?: unknown;
  readonly syscall?: unknown;
  readonly path?: unknown;
  readonly driverError?: unknown;
  readonly errors?: readonly unknown[];
  readonly cause?: unknown;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * The innermost error that has a code: TypeORM wraps pg's error, and Node wraps the errors of each address of a host.
 */
export function innermost(error: unknown): Coded {
  if (!isObject(error)) return {};
  const outer = error as Coded;
  if (isObject(outer.driverError)) return innermost(outer.driverError);
  if (Array.isArray(outer.errors) && outer.errors.length > 0) return innermost(outer.errors[0]);
  if (typeof outer.code !== 'string' && isObject(outer.cause)) return innermost(outer.cause);
  return outer;
}

/** The code of an error of PostgreSQL (`28P01`) or Node (`ECONNREFUSED`), also of a wrapped one. */
export function errorCode(error: unknown): string | undefined {
  const { code } = innermost(error);
  return typeof code === 'string' ? code : undefined;
}

/** The constraint that an error of PostgreSQL names. */
export function constraintOf(error: unknown): string | undefined {
  const { constraint } = innermost(error);
  return typeof constraint === 'string' ? constraint : undefined;
}

export const READ_ONLY_TRANSACTION = '25006';

/**
 * Connection failures (08), refused logins (28), no such database (3D000), no resources (53), a server that stops or
 * starts (57P), a session that was ended (25P03, 25P04), and a read-only server, such as a standby or a former primary
 * (25006).
 */
const LOST_STATES = /^(08...|28...|3D000|53...|57P..|25006|25P03|25P04)$/;

/** Node's codes for sockets and names. */
const LOST_SOCKETS =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|ENOHOST)$/;

/** pg's messages without a code: a connection ended or did not answer, or the pool could not give one in time. */
const LOST_WORDS =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Client is not)/;

/**
 * TypeORM's message when the connection of a transaction has ended between two statements. TypeORM releases it by
 * itself.
 */
const LET_GO = new Set(['QueryRunnerAlreadyReleasedError', 'QueryRunnerProviderAlreadyReleasedError']);

/** A standby cannot give its log position: `recovery is in progress`, in any language. */
const isRecovering = ({ code, routine }: Coded): boolean =>
  code === '55000' && typeof routine === 'string' && /^pg_(current_)?wal/.test(routine);

/**
 * Whether the connection or the server is gone, or the server is read-only. It says nothing about the statement itself.
 * Wait, and try again on another connection.
 */
export function isLost(error: unknown): boolean {
  const found = innermost(error);
  const { code, message, severity, syscall } = found;
  if (severity === 'FATAL' || severity === 'PANIC') return true;
  if (typeof code === 'string')
    return LOST_STATES.test(code) || LOST_SOCKETS.test(code) || syscall === 'connect' || isRecovering(found);
  if (!(error instanceof Error)) return false;
  return LET_GO.has(error.name) || (typeof message === 'string' && LOST_WORDS.test(message));
}

/** Whether the connection leads to a read-only server, such as one that was the primary until a failover. */
export const isReadOnly = (error: unknown): boolean =>
  errorCode(error) === READ_ONLY_TRANSACTION || isRecovering(innermost(error));

const PASSING = new Set(['55P03', '40P01', '40001']);

/**
 * Whether another transaction was in the way (lock not available, deadlock, serialization). The same statement may
 * succeed a moment later.
 */
export const isPassing = (error: unknown): boolean => PASSING.has(errorCode(error) ?? '');

/** Whether another transaction had a lock for longer than the statement may wait. */
export const isLockTimeout = (error: unknown): boolean => errorCode(error) === '55P03';

/**
 * Whether the server ended the statement because it took too long. The connection is fine, and less work at once may
 * succeed.
 */
export const isSlow = (error: unknown): boolean => errorCode(error) === '57014';

/** Whether a table is missing that a migration makes. */
export const isTableMissing = (error: unknown): boolean => errorCode(error) === '42P01';

const NOT_MIGRATED = new Set(['42P01', '42703', '42883']);

/** Whether tables, columns or functions are missing that a migration makes. */
export const isNotMigrated = (error: unknown): boolean => NOT_MIGRATED.has(errorCode(error) ?? '');

/** Whether the role lacks a right for the statement. */
export const isForbidden = (error: unknown): boolean => errorCode(error) === '42501';

export const isUniqueViolation = (error: unknown): boolean => errorCode(error) === '23505';

export const isForeignKeyViolation = (error: unknown): boolean => errorCode(error) === '23503';

const UNSTORABLE = new Set(['22021', '22P05', '22001', '22003', '22008']);

/** Whether a value is not valid UTF-8, or too long or too large for its column. */
export const isUnstorable = (error: unknown): boolean => UNSTORABLE.has(errorCode(error) ?? '');

const REFUSED = new Set(['SO001', 'SO002']);

/**
 * Whether `assert_same_database` refused the statement: this is not the database that the process knows, it went back
 * in time (SO001), or it asks for a newer version (SO002).
 */
export const isOtherDatabase = (error: unknown): boolean => REFUSED.has(errorCode(error) ?? '');

/**
 * Whether the same transaction may succeed when it is repeated, also after another transaction was faster to take a
 * unique value.
 */
export function isRetryable(error: unknown): boolean {
  if (isUniqueViolation(error)) return constraintOf(error)?.startsWith('uq_') === true;
  return ['40001', '40P01'].includes(errorCode(error) ?? '');
}

/** PostgreSQL's answer to every statement after a failed one in the same transaction. */
export const isAborted = (error: unknown): boolean => errorCode(error) === '25P02';

const DISK_FULL = '53100';

/**
 * Why the database refuses what is written, where its error says so: a sentence, else null. Reads may work all the
 * same.
 */
export function writesFailBecause(error: unknown): string | null {
  if (isReadOnly(error)) return 'The database is read-only: it is a standby, or was the primary until a failover.';
  return errorCode(error) === DISK_FULL ? 'The database takes no writes: its disk is full.' : null;
}
