import type { PoolClient } from 'pg';
import { isAborted } from '../errors/database-errors.js';
import type { SqlExecutor, Statement } from '../statements/statement.js';
import { traced } from '../statements/traced.js';
import { sendTogether } from './driver.js';
import { ask } from './send.js';

export interface Lent {
  /** The connection of a transaction; null after its end, when the connection belongs to somebody else. */
  client: PoolClient | null;
  /** The error of the statement that failed. PostgreSQL refuses those after it, and does not say why. */
  cause: unknown;
}

/**
 * A transaction that has begun. `ConnectionPool.transaction` begins and ends it; this type has no method for that. (A
 * text such as COMMIT would still be sent: never write one.) A function that must hold locks asks for this type, so
 * that nobody passes it a pool.
 */
export class Transaction implements SqlExecutor {
  readonly #lent: Lent;

  constructor(lent: Lent) {
    this.#lent = lent;
  }

  /**
   * The statement is sent before this returns. Statements that do not need each other's rows are executed in the order
   * in which they were called, and `Promise.all` of them costs one round trip. After one that fails PostgreSQL refuses
   * the others.
   */
  execute<Row extends object>(statement: Statement | string, values: unknown[] = []): Promise<Row[]> {
    const { client } = this.#lent;
    if (client === null) return Promise.reject(new Error('The transaction has ended: nothing more can be sent in it.'));
    return traced(statement, async () => {
      sendTogether(client);
      try {
        return await ask<Row>(client, statement, values);
      } catch (error) {
        if (!isAborted(error)) this.#lent.cause = error;
        throw error;
      }
    });
  }
}
