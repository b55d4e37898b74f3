import type pg from 'pg';
import { isLost } from '#libs/database';
import { reach } from '../failpoints.js';

/**
 * Runs `work` in a transaction. When the answer to COMMIT is lost, nobody knows whether the commit happened: the caller finds out by its keys. A
 * connection that is lost, or leads to a read-only server, is closed at once. A ROLLBACK there would wait in vain, and the pool's next connection
 * finds the new primary.
 */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    reach('before-commit');
    await client.query('COMMIT');
    reach('after-commit');
    client.release();
    return result;
  } catch (error) {
    if (isLost(error)) {
      client.release(true);
      throw error;
    }
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}
