import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import { ask } from './ask.js';
import { sendTogether } from './send-together.js';

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

/** More shapes than that are no habit of any client; each costs every connection some memory. */
const MOST_SHAPES = 200;
const shapes = new Map<string, Statement>();

/** A statement whose text depends on what a request sends, prepared as long as there are few of its kind. */
export function shaped(text: string): Statement | { readonly text: string } {
  const known = shapes.get(text);
  if (known !== undefined) return known;
  if (shapes.size === MOST_SHAPES) return { text };
  const made = { name: `shape.${shapes.size}`, text };
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
  statement: Statement | { readonly text: string },
  values: unknown[],
): Promise<Row[]> {
  const client = connectionOf(tx);
  sendTogether(client);
  return ask(client, statement, values);
}

/** The connection of a transaction that has begun. */
const connectionOf = (tx: EntityManager) =>
  (tx.queryRunner as unknown as { readonly databaseConnection: PoolClient }).databaseConnection;
