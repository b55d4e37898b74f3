import type { ConnectionPool, Transaction } from '#libs/platform';
import { reach } from '../failpoints.js';

/** `ConnectionPool.transaction`, with failpoints before and after its COMMIT. */
export async function inTransaction<T>(pool: ConnectionPool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const result = await pool.transaction(async (tx) => {
    const result = await work(tx);
    reach('before-commit');
    return result;
  });
  reach('after-commit');
  return result;
}
