import type pg from 'pg';
import type { Statement } from '../statements/statement.js';
import { RowQuery } from './driver.js';

/** Returns the rows of a statement. Every statement of ours is sent here, but those that read bytes. */
export async function ask<Row extends object>(
  client: pg.PoolClient,
  statement: Statement | string,
  values: unknown[],
): Promise<Row[]> {
  try {
    return await new Promise<Row[]>((resolve, reject) => {
      client.query(
        new RowQuery<Row>(statement, values, (error, result) => (error ? reject(error) : resolve(result.rows))),
      );
    });
  } catch (error) {
    // The stack of the caller: the error's own stack begins at the socket.
    Error.captureStackTrace(error as Error);
    throw error;
  }
}
