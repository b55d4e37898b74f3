import type { PoolClient } from 'pg';

/**
 * Sends everything that goes to this connection in one turn of the event loop with one write. On a busy server the
 * writes to the database's sockets are almost half of a request's work.
 */
export function sendTogether({ connection: { stream } }: PoolClient): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}
