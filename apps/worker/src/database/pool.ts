import {
  type ConnectionPool,
  LONGEST_ANSWER_MS,
  LONGEST_STATEMENT_MS,
  openPool,
  type PoolerMode,
  type SessionSettings,
} from '#libs/platform';

/**
 * Idle connections that stay. A new one reads the catalog for each statement that it meets: more than an idle worker
 * reads in several ticks.
 */
const KEPT = 2;

/** Of a transaction in which nothing happens. */
const LONGEST_PAUSE_MS = 60_000;

export interface PoolSettings {
  readonly url: string;
  readonly pooler?: PoolerMode;
  readonly connections: number;
  /** After which PostgreSQL ends a statement: 15 s unless given. */
  readonly longestStatementMs?: number;
  /**
   * After which a connection that does not answer counts as lost: a little after PostgreSQL has ended the statement,
   * unless given.
   */
  readonly longestAnswerMs?: number;
  /**
   * After which the locks of a transaction go whose worker stands still in the middle of it: others wait for them. At
   * most one minute.
   */
  readonly longestPauseMs?: number;
  /** Called when a connection ends by itself, as when PostgreSQL stops. */
  readonly onLost: (error: Error) => void;
}

/**
 * What is needed is looked up by key, for a batch at a time: a plan that reads a table whole is never wanted, whatever
 * the statistics say and however small the table is still. (Of 24,000 orders all were read, to find 500, in a third of
 * the time of each record.) Without bitmaps, what is due is read in the order of the index: only that marks dead
 * entries, so that the next look does not read their rows again.
 */
const LOOK_UP = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};

/**
 * A request that holds an order for long goes first: the worker gives up waiting before PostgreSQL's deadlock check
 * (after one second) would end one of the two.
 */
const session = (statementMs: number, pauseMs: number): SessionSettings => ({
  lock_timeout: '800ms',
  statement_timeout: `${statementMs}ms`,
  idle_in_transaction_session_timeout: `${pauseMs}ms`,
  ...LOOK_UP,
});

/**
 * The worker's own small pool. Its statements have no names, so that they are planned for the values of each call: the
 * statistics of the hot tables change by the minute, and a plan made for one batch size is wrong for another.
 */
export function createPool(settings: PoolSettings): ConnectionPool {
  const {
    url,
    pooler,
    connections,
    longestStatementMs = LONGEST_STATEMENT_MS,
    longestAnswerMs = LONGEST_ANSWER_MS,
    longestPauseMs = LONGEST_PAUSE_MS,
    onLost,
  } = settings;
  return openPool(
    {
      url,
      pooler,
      applicationName: 'scheduled-orders-worker',
      session: session(longestStatementMs, Math.min(longestPauseMs, LONGEST_PAUSE_MS)),
      longestAnswerMs,
    },
    { connections, kept: KEPT, onLost },
  );
}
