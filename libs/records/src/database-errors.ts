import { QueryFailedError } from 'typeorm';

/** The code of an error of PostgreSQL (`23505`) or of the connection (`ECONNREFUSED`), and the constraint it names. */
export function databaseError(error: unknown): { code: string; constraint: string | undefined } | null {
  const source: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (!(source instanceof Error) || !('code' in source) || typeof source.code !== 'string') return null;
  const constraint = 'constraint' in source && typeof source.constraint === 'string' ? source.constraint : undefined;
  return { code: source.code, constraint };
}

const READ_ONLY_TRANSACTION = '25006';

/** Whether the connection leads to a server that only lets read, such as one that was the primary until a failover. */
export const isReadOnly = (error: unknown): boolean => databaseError(error)?.code === READ_ONLY_TRANSACTION;

const UNIQUE_VIOLATION = '23505';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

/** Whether the same work may well succeed when it is simply done again. */
export function isRetryable(error: unknown): boolean {
  const found = databaseError(error);
  if (found === null) return false;
  if (found.code === UNIQUE_VIOLATION) return found.constraint?.startsWith('uq_') === true;
  return found.code === SERIALIZATION_FAILURE || found.code === DEADLOCK;
}
