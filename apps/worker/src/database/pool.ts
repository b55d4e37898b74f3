import pg from 'pg';

/** Far beyond any statement of ours: a network that swallows answers would stop the worker until TCP notices, which takes hours. */
const LONGEST_ANSWER_MS = 60_000;

export interface PoolSettings {
  readonly url: string;
  readonly connections: number;
  /** After which a connection that does not answer counts as lost. Default one minute. */
  readonly longestAnswerMs?: number;
  /** After which the locks of a transaction go whose worker stands still in the middle of it: others wait for them. At most one minute. */
  readonly longestPauseMs?: number;
  /** Told when a connection ends by itself, as when PostgreSQL stops: without a listener Node would end too. */
  readonly onLost: (error: Error) => void;
}

/**
 * What is needed is looked up by key, for a batch at a time: a plan that reads a table whole is never wanted, whatever the statistics say and
 * however small the table is still. (Of 24,000 orders all were read, to find 500, in a third of the time of each record.)
 */
const LOOK_UP = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit']
  .map((name) => `-c ${name}=off`)
  .join(' ');

/**
 * The worker's own small pool. Its statements have no names, so that they are planned for the values of each call: the statistics of the hot
 * tables change by the minute, and a plan made for one batch size is wrong for another. (`plan_cache_mode` would plan the foreign keys' own
 * look-ups afresh as well, eight an order: that took a sixth of the database's time.) A request that holds an order for long goes first: the
 * worker gives up waiting before PostgreSQL's deadlock check (after one second) would end one of the two.
 */
export function createPool(settings: PoolSettings): pg.Pool {
  const { url, connections, longestAnswerMs, longestPauseMs, onLost } = settings;
  const pauseMs = Math.min(longestPauseMs ?? Infinity, LONGEST_ANSWER_MS);
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: 'scheduled-orders-worker',
    options: `-c TimeZone=UTC -c lock_timeout=800ms -c idle_in_transaction_session_timeout=${pauseMs} ${LOOK_UP}`,
    connectionTimeoutMillis: 10_000,
    query_timeout: longestAnswerMs ?? LONGEST_ANSWER_MS,
    keepAlive: true,
    idleTimeoutMillis: 30_000,
  });
  pool.on('error', onLost);
  // The pool listens to idle connections only: one that is lost between two statements of a transaction is ours to hear of.
  pool.on('connect', (client) => client.on('error', onLost));
  return pool;
}
