import type { Pool, PoolClient, QueryConfig } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { Vault } from '#libs/vault';
import { Answer, type Made, type Once } from './answer.js';
import { keepAnswer, storedAnswer } from './idempotency.js';
import { isRetryable } from './database-errors.js';

/** A statement that every connection plans once, under its name. */
export interface Statement {
  /** At most 63 characters, and never the same for another text. */
  readonly name: string;
  readonly text: string;
}

const statements = new Map<string, Statement>();

/** The statement of this name; its text, which names every column of a resource, is put together once only. */
export function prepared(name: string, text: () => string): Statement {
  const known = statements.get(name);
  if (known !== undefined) return known;
  const made = { name, text: text() };
  statements.set(name, made);
  return made;
}

/**
 * A prepared statement inside a transaction. Planning a resource's JSON costs more than running it, and TypeORM's own
 * `query` plans it every time.
 */
export async function readIn<Row extends object>(
  tx: EntityManager,
  { name, text }: Statement,
  values: unknown[],
): Promise<Row[]> {
  const client = (await tx.queryRunner!.connect()) as PoolClient;
  return (await client.query<Row>({ name, text, values })).rows;
}

const TRIES = 3;

/** The database as the services use it: prepared reads, transactions, and transactions that answer only once. */
export class Database {
  private readonly pool: Pool;

  constructor(
    readonly dataSource: DataSource,
    private readonly vault: Vault,
  ) {
    this.pool = (dataSource.driver as unknown as { master: Pool }).master;
  }

  /** One statement, one round trip, no transaction. bigint columns arrive as text. */
  async read<Row extends object>({ name, text }: Statement, values: unknown[]): Promise<Row[]> {
    return (await this.pool.query<Row>({ name, text, values })).rows;
  }

  /**
   * As `read`, with every column as the bytes that PostgreSQL sent: text that only passes through needs no string. Copied,
   * because the driver goes on writing into the memory that it read them into.
   */
  async readBytes<Row extends Record<string, Buffer | null>>(statement: Statement, values: unknown[]): Promise<Row[]> {
    const types = { getTypeParser: () => (value: Buffer) => Buffer.from(value) };
    return (await this.pool.query<Row>({ ...statement, values, binary: true, types } as QueryConfig)).rows;
  }

  /**
   * One transaction. It runs again when PostgreSQL ended it for the sake of another one, or when another one was faster
   * to take a unique ExternalId: the second run then sees which record has it.
   */
  async write<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.dataSource.transaction(work);
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
  once(once: Once, work: (tx: EntityManager) => Promise<Made>): Promise<Answer> {
    return this.write(async (tx) => {
      const stored = once.key === null ? null : await storedAnswer(tx, this.vault, once.key);
      if (stored !== null) return stored;
      const made = await work(tx);
      const answer = new Answer(made.json, once.collection === null ? null : `${once.collection}/${made.id}`);
      if (once.key !== null) await keepAnswer(tx, this.vault, once.key, once.status, answer);
      return answer;
    });
  }
}
