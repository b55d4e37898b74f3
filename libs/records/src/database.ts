import type { Pool, PoolClient, QueryConfig } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { isReadOnly, isRetryable, type Statement } from '#libs/database';
import type { Vault } from '#libs/vault';
import { Answer, type Created, type Idempotency } from './answer.js';
import { keepAnswer, storedAnswer, takeKey } from './idempotency.js';
import { sendTogether } from './send-together.js';
import { ShortReads } from './short-reads.js';
import { together } from './together.js';

const TRIES = 3;
/** How TypeORM keeps the state of a runner; a nested transaction becomes a savepoint. */
const IN_TRANSACTION = { isTransactionActive: true, transactionDepth: 1 };
const OUTSIDE = { isTransactionActive: false, transactionDepth: 0 };

/** The database as the services use it: prepared reads, transactions, and transactions that answer only once. */
export class Database {
  private readonly pool: Pool;
  private readonly shortReads: ShortReads;

  constructor(
    readonly dataSource: DataSource,
    private readonly vault: Vault,
  ) {
    this.pool = (dataSource.driver as unknown as { master: Pool }).master;
    // One that ends in the very moment in which it is ready has no other listener yet, and would end the process with it.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.shortReads = new ShortReads(this.pool);
  }

  /** One statement of which others need not wait long; no transaction. bigint columns arrive as text. */
  read<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.shortReads.read(statement, values);
  }

  /** A statement that may take its time: it has a connection to itself. */
  async readAlone<Row extends object>({ name, text }: Statement, values: unknown[]): Promise<Row[]> {
    return (await this.pool.query<Row>({ name, text, values })).rows;
  }

  /**
   * As `readAlone`, with every column as the bytes that PostgreSQL sent: text that only passes through needs no string.
   * Copied, because the driver goes on writing into the memory that it read them into.
   */
  async readBytes<Row extends Record<string, Buffer | null>>(
    { name, text }: Statement,
    values: unknown[],
  ): Promise<Row[]> {
    const types = { getTypeParser: () => (value: Buffer) => Buffer.from(value) };
    return (await this.pool.query<Row>({ name, text, values, binary: true, types } as QueryConfig)).rows;
  }

  /**
   * One transaction. It runs again when PostgreSQL ended it for the sake of another one, or when another one was faster
   * to take a unique ExternalId: the second run then sees which record has it.
   */
  async write<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.transaction(work);
      } catch (error) {
        if (tries === TRIES || !isRetryable(error)) throw error;
      }
    }
  }

  /**
   * A transaction whose answer is kept under the caller's Idempotency-Key, if one was sent: whoever sends the key again
   * gets that answer, and nothing is done twice, also when the first request's process died (decisions.md §2).
   * @throws Conflict while the first request is still being worked on; KeyReused when the body differs.
   */
  once(once: Idempotency, work: (tx: EntityManager) => Promise<Created>): Promise<Answer> {
    return this.write(async (tx) => {
      const answer = async () => {
        const made = await work(tx);
        return new Answer(made.json, once.collection === null ? null : `${once.collection}/${made.id}`);
      };
      if (once.key === null) return answer();
      const binding = await takeKey(tx, once.key);
      const stored = await storedAnswer(tx, this.vault, once.key, binding);
      if (stored !== null) return stored;
      const first = await answer();
      await keepAnswer(tx, this.vault, once.key, { status: once.status, answer: first, binding });
      return first;
    });
  }

  /**
   * TypeORM's own waits for an answer to its START TRANSACTION; here that is sent with the first statement. TypeORM is told that a transaction
   * is active: `tx.save()` would otherwise begin one of its own, and its COMMIT would end this one half-way.
   */
  private async transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    Object.assign(runner, IN_TRANSACTION);
    const client = (await runner.connect()) as PoolClient;
    try {
      sendTogether(client);
      const [, result] = await together(
        () => client.query('START TRANSACTION'),
        () => work(runner.manager),
      );
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined); // the error that led here tells more
      // The pool makes another, which finds the primary once there is one.
      if (isReadOnly(error)) await client.end();
      throw error;
    } finally {
      Object.assign(runner, OUTSIDE);
      await runner.release();
    }
  }
}
