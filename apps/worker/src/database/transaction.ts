import type pg from 'pg';
import { isLost } from '#libs/database';
import { reach } from '../failpoints.js';

/**
 * Runs `work` in a transaction. When the answer to COMMIT is lost, nobody knows whether it took place: the caller finds out by its keys.
 * A connection that is lost, or leads to a server that only lets read, is closed at once: a ROLLBACK there would be waited for in vain, and
 * the pool finds the new primary with the next one.
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
