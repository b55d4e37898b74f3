import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import { Statement } from '#libs/database';
import { ask } from './ask.js';
import { sendTogether } from './send-together.js';

/** A text that is sent without a name: PostgreSQL plans it each time. */
export interface Unnamed {
  readonly name?: undefined;
  readonly text: string;
}

const statements = new Map<string, Statement>();

/**
 * The statement of a text that is put together on the way, such as one that names every column of a resource: hashed once. The key finds it
 * without hashing; the text is compared, because two texts under one key would run one instead of the other.
 * @throws Error when the key stands for another text.
 */
export function prepared(key: string, text: () => string): Statement {
  const known = statements.get(key);
  const wanted = text();
  if (known?.text === wanted) return known;
  if (known !== undefined) throw new Error(`Two statements have the key "${key}": give one of them another.`);
  const made = Statement.of(wanted);
  statements.set(key, made);
  return made;
}

/** More shapes than that are no habit of any client; each costs every connection some memory. */
const MOST_SHAPES = 200;
const shapes = new Map<string, Statement>();

/** A statement whose text depends on what a request sends, prepared as long as there are few of its kind. */
export function shaped(text: string): Statement | Unnamed {
  const known = shapes.get(text);
  if (known !== undefined) return known;
  if (shapes.size === MOST_SHAPES) return { text };
  const made = Statement.of(text);
  shapes.set(text, made);
  return made;
}

/**
 * A prepared statement inside a transaction; gives its rows. Planning a resource's JSON costs more than running it, and
 * TypeORM's own `query` plans it every time.
 *
 * It is on its way when this returns. Statements that do not need each other's rows are executed in the order in which
 * they were called, and `Promise.all` of them costs one round trip. After one that fails PostgreSQL refuses the others.
 */
export function execute<Row extends object>(
  tx: EntityManager,
  statement: Statement | Unnamed,
  values: unknown[],
): Promise<Row[]> {
  const client = connectionOf(tx);
  sendTogether(client);
  return ask(client, statement, values);
}

/** The connection of a transaction that has begun. */
const connectionOf = (tx: EntityManager) =>
  (tx.queryRunner as unknown as { readonly databaseConnection: PoolClient }).databaseConnection;
