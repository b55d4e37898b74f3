import { columnOf, columnsOf, type EntityClass } from '#libs/entities';
import { shaped, type Transaction } from '#libs/platform';

/** Columns to write, by property; `undefined` does not change a column. */
export type Values<E> = { [Property in keyof E]?: E[Property] };

/** The entity of a row, which may have more columns. */
export function entityOf<E extends object>(type: new () => E, row: object): E {
  const entity = new type() as Record<string, unknown>;
  for (const { property } of selectedOf(type)) entity[property] = (row as typeof entity)[property];
  return entity as E;
}

/**
 * Every column that an entity has in memory, by name, because a prepared `SELECT *` fails after a migration adds a
 * column.
 */
export const columnList = (type: EntityClass, alias: string): string =>
  selectedOf(type)
    .map(({ name }) => `${alias}.${name}`)
    .join(', ');

const selectedOf = (type: EntityClass) => columnsOf(type).filter(({ isSelected }) => isSelected);

const written = (values: object): [string, unknown][] =>
  Object.entries(values).filter(([, value]) => value !== undefined);

/** Inserts a row called `x`; `returning` is SQL. */
export async function insertRow<R extends object>(
  tx: Transaction,
  table: string,
  values: object,
  returning: string,
): Promise<R> {
  const columns = written(values);
  const names = columns.map(([property]) => columnOf(property)).join(', ');
  const places = columns.map((_, index) => `$${index + 1}`).join(', ');
  const [row] = await tx.execute<R>(
    shaped(`INSERT INTO ${table} AS x (${names}) VALUES (${places}) RETURNING ${returning}`),
    columns.map(([, value]) => value),
  );
  return row!;
}

/**
 * `UpdatedUtc` distinguishes states, so it always rises, even within a millisecond and for a transaction that waited.
 */
export const nextUpdatedUtc = (alias: string) =>
  `greatest(clock_timestamp()::timestamptz(3), ${alias}.updated_utc + interval '1 millisecond')`;

/** The same for the row called `x`. */
export const NEXT_UPDATED_UTC = nextUpdatedUtc('x');

/** Updates the row of this id, called `x`; `returning` is SQL. */
export async function updateRow<R extends object>(
  tx: Transaction,
  table: string,
  id: number,
  values: object,
  returning: string,
): Promise<R> {
  const columns = written(values);
  const sets = columns.map(([property], index) => `${columnOf(property)} = $${index + 2}`);
  const assignments = [...sets, `updated_utc = ${NEXT_UPDATED_UTC}`].join(', ');
  const [row] = await tx.execute<R>(
    shaped(`UPDATE ${table} AS x SET ${assignments} WHERE x.id = $1 RETURNING ${returning}`),
    [id, ...columns.map(([, value]) => value)],
  );
  return row!;
}

/** Deleting is soft in the database and final in the API (decisions.md §11). */
export async function deleteRow(tx: Transaction, table: string, id: number): Promise<void> {
  await tx.execute(
    shaped(`UPDATE ${table} AS x SET deleted_utc = now(), updated_utc = ${NEXT_UPDATED_UTC} WHERE x.id = $1`),
    [id],
  );
}
