import type { Pool, PoolClient, QueryConfig } from 'pg';
import { isAborted, isLost } from '../errors/database-errors.js';
import type { SqlExecutor, Statement } from '../statements/statement.js';
import { traced, tracedConnect } from '../statements/traced.js';
import { sendTogether } from './driver.js';
import { ask } from './send.js';
import { ShortReads } from './short-reads.js';
import { type Lent, Transaction } from './transaction.js';

interface ConnectionCounts {
  readonly idle: number;
  readonly used: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
  readonly most: number;
}

/** The connections of a process. */
export class ConnectionPool implements SqlExecutor {
  private readonly shortReads: ShortReads;

  constructor(private readonly pool: Pool) {
    this.shortReads = new ShortReads(pool);
  }

  /** How many connections there are now, and how much waits for one. */
  get connections(): ConnectionCounts {
    const { idleCount: idle, totalCount, waitingCount: waiting, options } = this.pool;
    return { idle, used: totalCount - idle, waiting, most: options.max };
  }

  /** Runs one statement. It has a connection to itself, for as long as it takes. */
  execute<Row extends object>(statement: Statement | string, values: unknown[] = []): Promise<Row[]> {
    return traced(statement, () => this.send<Row>(statement, values));
  }

  private async send<Row extends object>(statement: Statement | string, values: unknown[]): Promise<Row[]> {
    const client = await this.pool.connect();
    try {
      const rows = await ask<Row>(client, statement, values);
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Runs one short statement. It may share a connection and a round trip with others. */
  read<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return traced(statement, () => this.shortReads.read<Row>(statement, values));
  }

  /**
   * As `execute`, with every column as the bytes that PostgreSQL sent: text that only passes through needs no string.
   * The bytes are copied, because the driver writes into the same memory again.
   */
  readBytes<Row extends Record<string, Buffer | null>>(statement: Statement, values: unknown[]): Promise<Row[]> {
    const { name, text } = statement;
    const types = { getTypeParser: () => (value: Buffer) => Buffer.from(value) };
    return traced(statement, async () => {
      const query = { name, text, values, binary: true, types } as QueryConfig;
      return (await this.pool.query<Row>(query)).rows;
    });
  }

  /**
   * Runs `work` in a transaction. START TRANSACTION is sent together with its first statement. When the answer to
   * COMMIT is lost, nobody knows whether the commit happened: the caller finds out by its keys.
   * @throws what `work` throws; where that is only PostgreSQL's refusal of all that comes after a statement that
   * failed, as of statements that were sent together, that statement's error.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await tracedConnect(() => this.pool.connect());
    const lent: Lent = { client, cause: null };
    const tx = new Transaction(lent);
    try {
      const result = await begun(client, async () => work(tx));
      await traced('COMMIT', () => client.query('COMMIT'));
      client.release();
      return result;
    } catch (thrown) {
      const error = isAborted(thrown) ? (lent.cause ?? thrown) : thrown;
      await rollBack(client, error);
      throw error;
    } finally {
      lent.client = null;
    }
  }

  end(): Promise<void> {
    return this.pool.end();
  }
}

/** Waits for both, also when one fails: nothing may be sent after the transaction is rolled back. */
async function begun<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  sendTogether(client);
  const [start, result] = await Promise.allSettled([client.query('START TRANSACTION'), work()]);
  if (start.status === 'rejected') throw start.reason;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/**
 * A connection that is lost, or leads to a read-only server, is closed at once. A ROLLBACK there would never be
 * answered, and the pool's next connection finds the new primary.
 */
async function rollBack(client: PoolClient, cause: unknown): Promise<void> {
  if (isLost(cause)) return client.release(true);
  await client.query('ROLLBACK').then(
    () => client.release(),
    () => client.release(true), // the error that led here tells more
  );
}
