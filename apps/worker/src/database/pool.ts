import pg from 'pg';
import {
  connectionTo,
  LONGEST_ANSWER_MS,
  LONGEST_STATEMENT_MS,
  type PoolerMode,
  type SessionSettings,
} from '#libs/database';

/** The longest time that a transaction may be idle. */
const LONGEST_PAUSE_MS = 60_000;

export interface PoolSettings {
  readonly url: string;
  readonly pooler?: PoolerMode;
  readonly connections: number;
  /** PostgreSQL ends a statement after this time. Default: 15 s. */
  readonly longestStatementMs?: number;
  /** A connection that does not answer for this time counts as lost. Default: a little longer than the time limit of statements. */
  readonly longestAnswerMs?: number;
  /**
   * When a worker freezes in the middle of a transaction, PostgreSQL releases its locks after this time, because others wait for them. At most one
   * minute.
   */
  readonly longestPauseMs?: number;
  /** Called when a connection ends by itself, for example because PostgreSQL stops. Without a listener Node would end too. */
  readonly onLost: (error: Error) => void;
}

/**
 * Rows are looked up by key, a batch at a time. A plan that reads a whole table is never wanted, not even for a small table or with old statistics.
 * (PostgreSQL once read all of 24,000 orders to find 500. That took a third of the time of recording.)
 */
const LOOK_UP = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off', jit: 'off' };

/**
 * A request that locks an order for long goes first. The worker stops waiting before PostgreSQL's deadlock check (after one second) ends one of the
 * two.
 */
const session = (statementMs: number, pauseMs: number): SessionSettings => ({
  lock_timeout: '800ms',
  statement_timeout: `${statementMs}ms`,
  idle_in_transaction_session_timeout: `${pauseMs}ms`,
  ...LOOK_UP,
});

/**
 * The worker's own small pool. Its statements have no names, so that they are planned for the values of each call: the statistics of the hot tables
 * change by the minute, and a plan made for one batch size is wrong for another. (`plan_cache_mode` would plan the look-ups of foreign keys again
 * each time too, eight for each order. That took a sixth of the database's time.)
 */
export function createPool(settings: PoolSettings): pg.Pool {
  const {
    url,
    pooler,
    connections,
    longestStatementMs = LONGEST_STATEMENT_MS,
    longestAnswerMs = LONGEST_ANSWER_MS,
    longestPauseMs = LONGEST_PAUSE_MS,
    onLost,
  } = settings;
  const pool = new pg.Pool({
    ...connectionTo({
      url,
      pooler,
      applicationName: 'scheduled-orders-worker',
      session: session(longestStatementMs, Math.min(longestPauseMs, LONGEST_PAUSE_MS)),
      longestAnswerMs,
    }),
    max: connections,
    idleTimeoutMillis: 30_000,
  });
  pool.on('error', onLost);
  // The pool listens to idle connections only. This listener is for connections that are lost between two statements of a transaction.
  pool.on('connect', (client) => client.on('error', onLost));
  return pool;
}
