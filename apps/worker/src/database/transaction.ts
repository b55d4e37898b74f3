import type { ConnectionPool, Transaction } from '#libs/database';
import { reach } from '../failpoints.js';

/** A transaction of the pool, which a test can end or freeze before or after its COMMIT. */
export async function inTransaction<T>(pool: ConnectionPool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const result = await pool.transaction(async (tx) => {
    const result = await work(tx);
    reach('before-commit');
    return result;
  });
  reach('after-commit');
  return result;
}
