import pg from 'pg';
import type { Statement } from './statement.js';

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
