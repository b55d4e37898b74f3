import type { ConnectionPool, Transaction } from '#libs/database';
import { reach } from '../failpoints.js';

/**
 * Runs `work` in a transaction. When the answer to COMMIT is lost, nobody knows whether the commit happened: the caller finds out by its keys. A
 * connection that is lost, or leads to a read-only server, is closed at once. A ROLLBACK there would wait in vain, and the pool's next connection
 * finds the new primary.
 */
export async function inTransaction<T>(pool: ConnectionPool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const result = await pool.transaction(async (tx) => {
    const result = await work(tx);
    reach('before-commit');
    return result;
  });
  reach('after-commit');
  return result;
}
