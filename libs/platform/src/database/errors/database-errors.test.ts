import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import {
  constraintOf,
  errorCode,
  isAborted,
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
} from './database-errors.js';

const KINDS = {
  isAborted,
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
};
type Kind = keyof typeof KINDS;

const coded = (code: string, more: object = {}) => Object.assign(new Error('said'), { code, ...more });
const kindsOf = (error: unknown) => (Object.keys(KINDS) as Kind[]).filter((kind) => KINDS[kind](error));

it.each<[error: unknown, kinds: Kind[], why: string]>([
  [coded('08006'), ['isLost'], 'connection failure'],
  [coded('08P01'), ['isLost'], 'whatever PgBouncer says'],
  [coded('25006'), ['isLost', 'isReadOnly'], 'a standby, or a primary that is none any more'],
  [
    coded('55000', { routine: 'pg_current_wal_flush_lsn' }),
    ['isLost', 'isReadOnly'],
    'a standby that is asked for its log',
  ],
  [coded('55000', { routine: 'lastval' }), [], 'a fault of ours'],
  [coded('25P03'), ['isLost'], 'idle in a transaction for too long'],
  [coded('25P04'), ['isLost'], 'a transaction for too long'],
  [coded('28P01'), ['isLost'], 'the password was changed while the process ran'],
  [coded('28000'), ['isLost'], 'the user may not connect any more'],
  [coded('3D000'), ['isLost'], 'the database was renamed'],
  [coded('42501', { severity: 'FATAL' }), ['isLost'], 'no privilege to connect'],
  [coded('42501', { severity: 'ERROR' }), [], 'no privilege on a table'],
  [coded('53100'), ['isLost'], 'disk full'],
  [coded('53200'), ['isLost'], 'out of memory'],
  [coded('53300'), ['isLost'], 'too many connections'],
  [coded('57P01'), ['isLost'], 'an administrator ended the connection'],
  [coded('57P02'), ['isLost'], 'crash shutdown'],
  [coded('57P03'), ['isLost'], 'starting up'],
  [coded('57P05'), ['isLost'], 'idle for too long'],
  [coded('ECONNREFUSED'), ['isLost'], 'nothing listens'],
  [coded('ECONNRESET'), ['isLost'], 'cut'],
  [coded('EPIPE'), ['isLost'], 'cut'],
  [coded('ETIMEDOUT'), ['isLost'], 'no answer'],
  [coded('EHOSTUNREACH'), ['isLost'], 'no way'],
  [coded('EAI_AGAIN'), ['isLost'], 'no name server'],
  [coded('ENOHOST'), ['isLost'], 'no host of several'],
  [coded('ENOENT', { syscall: 'connect' }), ['isLost'], 'the socket of a server that does not run'],
  [coded('ENOENT', { syscall: 'open' }), [], 'a file, not the database'],
  [new AggregateError([coded('ECONNREFUSED'), coded('ETIMEDOUT')]), ['isLost'], 'every address of a host'],
  [new Error('Connection terminated unexpectedly'), ['isLost'], 'pg'],
  [new Error('Connection terminated due to connection timeout'), ['isLost'], 'pg'],
  [new Error('timeout exceeded when trying to connect'), ['isLost'], 'the pool'],
  [new Error('Query read timeout'), ['isLost'], 'pg'],
  [new Error('Client has encountered a connection error and is not queryable'), ['isLost'], 'pg'],
  [new Error('Client was closed and is not queryable'), ['isLost'], 'pg'],
  [new QueryRunnerAlreadyReleasedError(), ['isLost'], 'TypeORM'],
  [new Error('a fault of ours'), [], 'no code, no word'],
  [coded('55P03'), ['isLockTimeout', 'isPassing'], 'lock_timeout'],
  [coded('40P01'), ['isPassing', 'isRetryable'], 'deadlock'],
  [coded('40001'), ['isPassing', 'isRetryable'], 'serialization'],
  [coded('57014'), ['isSlow'], 'statement_timeout: the connection is well'],
  [coded('42P01'), ['isNotMigrated', 'isTableMissing'], 'no such table'],
  [coded('42703'), ['isNotMigrated'], 'no such column'],
  [coded('42883'), ['isNotMigrated'], 'no such function'],
  [coded('23505', { constraint: 'pk_orders' }), ['isUniqueViolation'], 'a key that was given out twice'],
  [
    coded('23505', { constraint: 'uq_products_external_id' }),
    ['isRetryable', 'isUniqueViolation'],
    'another was faster',
  ],
  [coded('SO001'), ['isOtherDatabase'], 'assert_same_database'],
  [coded('25P02'), ['isAborted'], 'behind a statement that failed'],
  [coded('23503'), ['isForeignKeyViolation'], 'the other row is gone'],
  [coded('22021'), ['isUnstorable'], 'no valid UTF-8'],
  [coded('22P05'), ['isUnstorable'], 'a character that the database does not have'],
  [coded('22001'), ['isUnstorable'], 'too long for its column'],
  [coded('22003'), ['isUnstorable'], 'too large for its column'],
  [coded('22008'), ['isUnstorable'], 'a time beyond the calendar'],
  [coded('22012'), [], 'division by zero'],
  [undefined, [], 'nothing'],
  ['57014', [], 'a text'],
])('%s is %j: %s', (error, kinds) => {
  expect(kindsOf(error)).toEqual(kinds);
});

it('is told of the error that TypeORM wraps', () => {
  const error = new QueryFailedError('SELECT 1', [], coded('23505', { constraint: 'uq_x' }));
  expect([errorCode(error), constraintOf(error)]).toEqual(['23505', 'uq_x']);
  expect(kindsOf(new QueryFailedError('SELECT 1', [], coded('25006')))).toEqual(['isLost', 'isReadOnly']);
  expect(kindsOf(new QueryFailedError('SELECT 1', [], new Error('Query read timeout')))).toEqual(['isLost']);
});
