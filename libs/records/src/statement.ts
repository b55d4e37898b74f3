import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import { Statement } from '#libs/database';
import { ask } from './ask.js';
import { sendTogether } from './send-together.js';

/** A text that is sent without a name. PostgreSQL plans it each time. */
export interface Unnamed {
  readonly name?: undefined;
  readonly text: string;
}

const statements = new Map<string, Statement>();

/**
 * The statement of a text that is composed at run time, such as one that names every column of a resource. It is hashed once, and the key finds it
 * without hashing. The text is compared, because with two texts under one key the wrong one would run.
 * @throws Error when the key already has another text.
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

/** No normal client needs more shapes than this. Each needs some memory on every connection. */
const MOST_SHAPES = 200;
const shapes = new Map<string, Statement>();

/** A statement whose text depends on the request. It is prepared only while there are few variants. */
export function shaped(text: string): Statement | Unnamed {
  const known = shapes.get(text);
  if (known !== undefined) return known;
  if (shapes.size === MOST_SHAPES) return { text };
  const made = Statement.of(text);
  shapes.set(text, made);
  return made;
}

/**
 * Runs a prepared statement inside a transaction and returns its rows. Planning a resource's JSON takes longer than running it, and TypeORM's own
 * `query` plans it every time.
 *
 * It has been sent when this returns. Statements that do not need each other's rows run in the order of the calls, and `Promise.all` of them needs
 * one round trip. After one fails, PostgreSQL refuses the others.
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
