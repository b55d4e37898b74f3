import type { ColumnType } from 'typeorm';
import { columnOf, columnsOf, type EntityClass } from '#libs/entities';

interface Expression {
  readonly name: string;
  readonly sql: (alias: string) => string;
  /** What a table (CSV) has in place of it, when it is no single value. */
  readonly columns?: readonly Expression[];
}

/** A field that holds other records, of which there can be many. */
interface Inside extends Expression {
  readonly rows: View;
  /** SQL: the FROM clause of the rows inside the record with this id (also SQL); the rows are called `i`. */
  readonly from: (id: string) => string;
}

/** A field in the API: a property of the entity, or a named SQL expression (which gets the row's alias). */
export type Field<E> = (keyof E & string) | Expression | Inside;

/**
 * Rows inside a record, or inside the records of one piece, that are in memory at once. A record with more of them is
 * read and sent in pieces (`record-pieces.ts`).
 */
export const ROWS_AT_ONCE = 500;

/** A resource in the contract's form: its table, its fields in document order, and the SQL that builds its JSON. */
export interface View {
  readonly table: string;
  /** Whether it shows deleted records, and those inside as they were then. */
  readonly isOfDeleted?: boolean;
  /** The names in the API, in PascalCase. */
  readonly fields: readonly string[];
  /** SQL expression of type json for the row called `alias`. */
  json(alias: string): string;
  /** The same, built from the columns, where `json` takes what the database has ready (`readyMade`). */
  built(alias: string): string;
  /** The field that can hold many records, if there is one. */
  readonly inside?: Inside;
  /** The same as `json`, with an empty array in place of the records inside. */
  frame(alias: string): string;
  /** SQL: whether the rows inside fit into memory. */
  fits(alias: string): string;
  /** SQL of type text: the JSON if it fits into memory, else null. */
  whole(alias: string): string;
  /** The names of its columns as a table. */
  readonly columns: readonly string[];
  /** SQL expression of type text[] for the row called `alias`: a value for each of `columns`, as its JSON writes it. */
  cells(alias: string): string;
  /** Whether any of its texts is encrypted; most resources have none. */
  readonly encrypted: boolean;
  /** That JSON, of one record or many, with its encrypted texts decrypted. */
  decrypt(json: string): string;
}

/** `nextOccurrenceUtc` → `NextOccurrenceUtc`. */
export const wireName = (property: string) => property.charAt(0).toUpperCase() + property.slice(1);

/** ISO 8601 in UTC with milliseconds, the form of times in the API (decisions.md §1). */
export const utcSql = (expression: string) =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function valueSql(alias: string, property: string, type: ColumnType | undefined): string {
  const column = `${alias}.${columnOf(property)}`;
  if (type === 'timestamp with time zone') return utcSql(column);
  if (type === 'numeric') return `trim_scale(${column})`;
  return column;
}

/**
 * PostgreSQL builds the JSON. So one statement answers a request, decimals stay exact, and pages, streams, embedded
 * resources and log snapshots cannot differ.
 * @throws Error when a field is not a column of the entity.
 */
export function view<E>(entity: EntityClass<E>, table: string, fields: readonly Field<E>[]): View {
  const types = new Map(columnsOf(entity as EntityClass).map(({ property, type }) => [property, type]));
  const parts = fields.map((field): Expression => {
    if (typeof field !== 'string') return field;
    if (!types.has(field)) throw new Error(`${entity.name} has no column for ${field}`);
    return { name: wireName(field), sql: (alias: string) => valueSql(alias, field, types.get(field)) };
  });
  const inside = parts.find((part): part is Inside => 'rows' in part);
  const columns = parts.flatMap((part) => part.columns ?? [part]);
  const made = new Map<string, string>();
  const built = (alias: string) => {
    const known = made.get(alias) ?? rowSql(parts, alias);
    made.set(alias, known);
    return known;
  };
  const fits = (alias: string) =>
    inside === undefined ? 'true' : `${countSql(inside, `${alias}.id`)} <= ${ROWS_AT_ONCE}`;
  return {
    table,
    fields: parts.map(({ name }) => name),
    json: built,
    built,
    ...(inside === undefined ? {} : { inside }),
    frame: (alias) =>
      rowSql(
        parts.map((part) => (part === inside ? { ...part, sql: () => `'[]'::json` } : part)),
        alias,
      ),
    fits,
    whole: (alias) =>
      inside === undefined ? `${built(alias)}::text` : `CASE WHEN ${fits(alias)} THEN ${built(alias)}::text END`,
    columns: columns.map(({ name }) => name),
    cells: (alias) => `ARRAY (SELECT cell.value::text FROM json_each(${rowSql(columns, alias)}) cell)`,
    encrypted: false,
    decrypt: (json) => json,
  };
}

/** A view of a table whose rows have their JSON ready (`ReadyMadeJson`). */
export function readyMade(view: View): View {
  const json = (alias: string) => `${alias}.json`;
  return { ...view, json, whole: (alias) => `${json(alias)}::text` };
}

/** It converts a row, because json_build_object looks up the type of every value and takes a third longer. */
const rowSql = (parts: readonly Expression[], alias: string) =>
  `(SELECT row_to_json(resource) FROM (SELECT ${parts.map(({ name, sql }) => `${sql(alias)} AS "${name}"`).join(', ')}) resource)`;

/** SQL: how many rows are inside the record with this id. The count stops at the limit for memory. */
export const countSql = ({ from }: Inside, id: string) =>
  `(SELECT count(*) FROM (SELECT 1 ${from(id)} LIMIT ${ROWS_AT_ONCE + 1}) i)`;
