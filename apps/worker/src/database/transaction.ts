import type pg from 'pg';
import { reach } from '../failpoints.js';

/**
 * Runs `work` in a transaction. When the answer to COMMIT is lost, nobody knows whether it took place: the caller finds out by its keys.
 * A client on which anything failed is closed, not reused.
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
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}
