import pg from 'pg';
import type { Statement } from './statement.js';

/**
 * The rows of a statement. Given its parts, `client.query` would copy them by their property descriptors, which takes
 * 2.3 of the 2.4 µs before it is sent; a query that is made already it takes as it is, with the name that it has when it is sent.
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
    // From where it was asked; the error's own stack begins at the socket.
    Error.captureStackTrace(error as Error);
    throw error;
  }
}
