import pg from 'pg';
import { type ClientPlan, type PlannedConfig, SessionClient, TransactionClient } from './client.js';
import { HostSearch } from './find-host.js';
import { type DatabaseAddress, parseDatabaseUrl } from './hosts.js';
import type { SessionSettings } from './session.js';

/**
 * What is between a process and the database: `none`, or `transaction`: a pooler that gives out connections for one
 * transaction.
 */
export const POOLER_MODES = ['none', 'transaction'] as const;
export type PoolerMode = (typeof POOLER_MODES)[number];

const LONGEST_CONNECT_MS = 10_000;
/** After this time without data, TCP keepalive checks whether the other side still answers. */
const KEEP_ALIVE_AFTER_MS = 10_000;
/** The time that the network may add to a statement that PostgreSQL ends by itself. */
const MARGIN_MS = 1_000;

/** The longest that one statement of a worker, or of a request, may take. */
export const LONGEST_STATEMENT_MS = 15_000;
/** PostgreSQL has ended every such statement by then. So the server is gone, or the network drops its answers. */
export const LONGEST_ANSWER_MS = LONGEST_STATEMENT_MS + MARGIN_MS;

/** The name of an API's sessions in pg_stat_activity, by which workers see that it answers requests. */
export const API_SESSIONS = 'scheduled-orders-api';
/**
 * The name of the session in which a worker listens: each has one, unless a transaction pooler is in between. Its roles
 * follow (WORKER_ROLES), together at most the 63 characters that PostgreSQL keeps.
 */
export const WORKER_LISTENERS = 'scheduled-orders-listen';

export interface ConnectionSettings {
  readonly url: string;
  /** Default: `none`. */
  readonly pooler?: PoolerMode | undefined;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** PostgreSQL parameters for every session, besides those that all sessions need. */
  readonly session?: SessionSettings;
  /** A connection that does not answer for this time counts as lost. Default: never. */
  readonly longestAnswerMs?: number | undefined;
}

/** The options for pg.Pool, or for TypeORM's `extra`. */
export type ConnectionParameters = pg.PoolConfig & { readonly plan: ClientPlan };

/**
 * The only place that turns the URL and the pooler's mode into parameters of pg. Every pool and every client is made
 * with them.
 */
export function connectionTo(settings: ConnectionSettings): ConnectionParameters {
  const { url, pooler = 'none', applicationName, session = {}, longestAnswerMs } = settings;
  const address = parseDatabaseUrl(url);
  return {
    connectionString: address.hosts[0]!.url,
    application_name: applicationName,
    connectionTimeoutMillis: LONGEST_CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    Client: (pooler === 'transaction' ? TransactionClient : SessionClient) as unknown as typeof pg.Client,
    plan: { search: searchOf(address), session, longestAnswerMs },
  };
}

const searchOf = (address: DatabaseAddress): HostSearch | null =>
  address.hosts.length === 1 && address.target === 'any' ? null : new HostSearch(address);

/** One connection without a pool. */
export function createClient(settings: ConnectionSettings): pg.Client {
  const { Client, ...config } = connectionTo(settings) as ConnectionParameters & {
    Client: new (config: PlannedConfig) => pg.Client;
  };
  return new Client(config);
}
