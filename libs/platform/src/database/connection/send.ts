import pg from 'pg';
import type { Statement } from '../statements/statement.js';

/**
 * Returns the rows of a statement. With a plain object, `client.query` copies it by its property descriptors, which
 * takes 2.3 of the 2.4 µs before the sending. With a `Query` object it does not copy.
 */
export async function ask<Row extends object>(
  client: pg.PoolClient,
  statement: Statement | string,
  values: unknown[],
): Promise<Row[]> {
  const text = typeof statement === 'string' ? statement : statement.text;
  const name = typeof statement === 'string' ? undefined : statement.name;
  try {
    return await new Promise<Row[]>((resolve, reject) => {
      const query = new pg.Query<Row>(text, values, (error, result) => (error ? reject(error) : resolve(result.rows)));
      client.query(Object.assign(query, { name }));
    });
  } catch (error) {
    // The stack of the caller: the error's own stack begins at the socket.
    Error.captureStackTrace(error as Error);
    throw error;
  }
}

/**
 * Sends everything that goes to this connection in one turn of the event loop with one write. On a busy server the
 * writes to the database's sockets are almost half of a request's work.
 */
export function sendTogether({ connection: { stream } }: pg.PoolClient): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}
