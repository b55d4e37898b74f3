export { Batch, type BatchRow, flags, instants, numbers, texts } from './statements/batch.js';
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
} from './connection/connection.js';
export { ConnectionPool } from './connection/connection-pool.js';
export {
  constraintOf,
  errorCode,
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
  UnusableDatabase,
  writesFailBecause,
} from './errors/database-errors.js';
export { databaseName, parseDatabaseUrl } from './connection/hosts.js';
export { causeOf, databaseSentence, isHopeless, meaningOf } from './errors/sentence.js';
export { propertyOf } from './connection/driver.js';
export { checkSession, type SessionSettings } from './connection/session.js';
export { NamedValues, type ValuesOf } from './statements/named-values.js';
export { openPool } from './connection/open-pool.js';
export { prepared, shaped, type SqlExecutor, Statement } from './statements/statement.js';
export { Transaction } from './connection/transaction.js';
