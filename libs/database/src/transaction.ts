import type { PoolClient } from 'pg';
import { ask } from './ask.js';
import { sendTogether } from './send-together.js';
import type { SqlExecutor } from './sql-executor.js';
import type { Statement } from './statement.js';

/** A connection that is a transaction's; null when the transaction has ended, and it is somebody else's. */
export interface Lent {
  client: PoolClient | null;
}

/**
 * A transaction under way. `ConnectionPool.transaction` begins and ends it, and nobody else can: it has no way to save, to commit or to begin
 * another one. What must hold locks asks for this type, and gets no pool.
 */
export class Transaction implements SqlExecutor {
  readonly #lent: Lent;

  constructor(lent: Lent) {
    this.#lent = lent;
  }

  /**
   * The statement is on its way when this returns. Statements that do not need each other's rows are executed in the order in which they were
   * called, and `Promise.all` of them costs one round trip. After one that fails PostgreSQL refuses the others.
   */
  execute<Row extends object>(statement: Statement | string, values: unknown[] = []): Promise<Row[]> {
    const { client } = this.#lent;
    if (client === null) return Promise.reject(new Error('The transaction has ended: nothing more can be sent in it.'));
    sendTogether(client);
    return ask(client, statement, values);
  }
}
