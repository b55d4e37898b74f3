import {
  type ConnectionPool,
  isRetryable,
  type SqlExecutor,
  type Statement,
  type Transaction,
  type Vault,
} from '#libs/platform';
import { Answer, type Created, type Idempotency } from './answer.js';
import { keepAnswer, storedAnswer, takeKey } from './idempotency.js';
import type { Reads, Replica } from './replica.js';

const TRIES = 3;

/** The database as the services use it: prepared reads, transactions, and transactions that answer only once. */
export class Database implements SqlExecutor {
  constructor(
    private readonly pool: ConnectionPool,
    private readonly vault: Vault,
    /** Null where lists and reports are read from the primary, too. */
    readonly replica: Replica | null = null,
  ) {}

  /** For metrics. */
  get connections(): ConnectionPool {
    return this.pool;
  }

  /**
   * What one list or report is read from: a replica, if there is one that has everything that was committed before. It
   * is nothing to decide by.
   */
  forList(): Reads {
    return this.replica?.reads() ?? this;
  }

  /** One statement of which others need not wait long; no transaction. */
  read<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.pool.read(statement, values);
  }

  /** A statement that may take its time: it has a connection to itself. */
  execute<Row extends object>(statement: Statement | string, values?: unknown[]): Promise<Row[]> {
    return this.pool.execute(statement, values);
  }

  /** As `execute`, with every column as bytes. */
  readBytes<Row extends Record<string, Buffer | null>>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.pool.readBytes(statement, values);
  }

  /**
   * One transaction. It runs again when PostgreSQL ended it for the sake of another one, or when another one was faster
   * to take a unique ExternalId: the second run then sees which record has it.
   */
  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.pool.transaction(work);
      } catch (error) {
        if (tries === TRIES || !isRetryable(error)) throw error;
      }
    }
  }

  /**
   * A transaction whose answer is kept under the caller's Idempotency-Key, if one was sent. A client that sends the key
   * again gets that answer, and nothing is done twice, even when the first request's process died (decisions.md §2).
   * @throws Conflict while the first request is still being worked on; KeyReused when the body differs.
   */
  once(once: Idempotency, work: (tx: Transaction) => Promise<Created>): Promise<Answer> {
    return this.write(async (tx) => {
      const answer = async () => {
        const made = await work(tx);
        return new Answer(made.json, once.collection === null ? null : `${once.collection}/${made.id}`);
      };
      if (once.key === null) return answer();
      await takeKey(tx, once.key);
      const stored = await storedAnswer(tx, this.vault, once.key);
      if (stored !== null) return stored;
      const first = await answer();
      await keepAnswer(tx, this.vault, once.key, { status: once.status, answer: first });
      return first;
    });
  }
  /**
   * The answer that is kept under the caller's Idempotency-Key; null: none yet. For work that takes too long for a
   * transaction, before it is done: two requests with one key at the same moment both do it, and get one answer.
   * @throws Conflict, KeyReused as `once`.
   */
  async kept({ key }: Idempotency): Promise<Answer | null> {
    if (key === null) return null;
    return this.write(async (tx) => {
      await takeKey(tx, key);
      return storedAnswer(tx, this.vault, key);
    });
  }
}
