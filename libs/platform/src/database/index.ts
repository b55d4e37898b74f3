export { flags, instants, numbers, texts } from './array-literal.js';
export { Batch, type BatchRow } from './batch.js';
export {
  API_SESSIONS,
  connectionTo,
  createClient,
  LONGEST_ANSWER_MS,
  LONGEST_STATEMENT_MS,
  POOLER_MODES,
  WORKER_LISTENERS,
  type ConnectionSettings,
  type PoolerMode,
} from './connection.js';
export { ConnectionPool } from './connection-pool.js';
export {
  constraintOf,
  errorCode,
  isAborted,
  isForbidden,
  isForeignKeyViolation,
  isLockTimeout,
  isLost,
  isNotMigrated,
  isOtherDatabase,
  isPassing,
  isReadOnly,
  isRetryable,
  isSlow,
  isTableMissing,
  isUniqueViolation,
  isUnstorable,
  READ_ONLY_TRANSACTION,
} from './database-errors.js';
export { databaseName, parseDatabaseUrl } from './hosts.js';
export { causeOf, databaseSentence, isHopeless, meaningOf } from './sentence.js';
export { checkSession, type SessionSettings } from './session.js';
export { UnusableDatabase } from './unusable-database.js';
export { writesFailBecause } from './refused-writes.js';
export { NamedValues } from './named-values.js';
export { openPool } from './open-pool.js';
export { prepared, shaped } from './prepared.js';
export type { SqlExecutor } from './sql-executor.js';
export { Statement } from './statement.js';
export { Transaction } from './transaction.js';
