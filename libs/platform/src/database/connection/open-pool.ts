import pg from 'pg';
import { type ConnectionSettings, connectionTo } from './connection.js';
import { ConnectionPool } from './connection-pool.js';

export interface PoolOptions {
  /** The most connections. */
  readonly connections: number;
  /** How many idle connections stay; none unless set. */
  readonly kept?: number;
  /** Whether statements are sent at once, without waiting for the answers to earlier ones. */
  readonly pipeline?: boolean;
  /** Called when a connection ends by itself, as when PostgreSQL stops. */
  readonly onLost?: (error: Error) => void;
}

const IDLE_MS = 30_000;

/**
 * A pool, which connects when it is first used. A lost connection never ends the process: the statement that needs it
 * fails.
 */
export function openPool(
  settings: ConnectionSettings,
  { connections, kept = 0, pipeline = false, onLost = () => undefined }: PoolOptions,
): ConnectionPool {
  const pool = new pg.Pool({
    ...connectionTo(settings),
    max: connections,
    min: Math.min(kept, connections),
    idleTimeoutMillis: IDLE_MS,
    pipeline,
  });
  pool.on('error', onLost);
  // The pool listens to idle connections only: a connection that is lost between two statements of a transaction needs
  // a listener of its own.
  pool.on('connect', (client) => client.on('error', onLost));
  return new ConnectionPool(pool);
}
