import { type ColumnType, getMetadataArgsStorage } from 'typeorm';
import { columnOf } from '#libs/entities';

type EntityClass<E> = abstract new () => E;

/** A field of the wire: a property of the entity, or an SQL expression (given the row's alias) under a name of its own. */
export type Field<E> = (keyof E & string) | { readonly name: string; readonly sql: (alias: string) => string };

/** A resource as the contract writes it: its table, its wire fields in document order, and the SQL that builds its JSON. */
export interface View {
  readonly table: string;
  /** Wire names, PascalCase. */
  readonly fields: readonly string[];
  /** SQL expression of type json for the row called `alias`. */
  json(alias: string): string;
  /** SQL: how many rows stand inside the record of this id (SQL as well), where it can be many. */
  readonly inside?: (id: string) => string;
  /** Whether any of its texts is sealed; most resources have none. */
  readonly sealed: boolean;
  /** That JSON, of one record or many, with its sealed texts opened. */
  reveal(json: string): string;
}

/** `nextOccurrenceUtc` → `NextOccurrenceUtc`. */
export const wireName = (property: string) => property.charAt(0).toUpperCase() + property.slice(1);

/** ISO 8601 in UTC with milliseconds, as decisions.md §1 wants times on the wire. */
export const utcSql = (expression: string) =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function typesOf(entity: EntityClass<unknown>): Map<string, ColumnType | undefined> {
  const tree: unknown[] = [];
  for (let type: unknown = entity; typeof type === 'function'; type = Object.getPrototypeOf(type)) tree.push(type);
  return new Map(
    getMetadataArgsStorage()
      .columns.filter(({ target }) => tree.includes(target))
      .map(({ propertyName, options }) => [propertyName, options.type]),
  );
}

function valueSql(alias: string, property: string, type: ColumnType | undefined): string {
  const column = `${alias}.${columnOf(property)}`;
  if (type === 'timestamp with time zone') return utcSql(column);
  if (type === 'numeric') return `trim_scale(${column})`;
  return column;
}

/**
 * The JSON is built by PostgreSQL: one statement answers a request, decimals stay exact, and pages, streams, embedded
 * resources and log snapshots cannot differ from each other.
 * @throws Error when a field is no column of the entity.
 */
export function view<E>(
  entity: EntityClass<E>,
  table: string,
  fields: readonly Field<E>[],
  inside?: View['inside'],
): View {
  const types = typesOf(entity);
  const parts = fields.map((field) => {
    if (typeof field !== 'string') return { name: field.name, sql: field.sql };
    if (!types.has(field)) throw new Error(`${entity.name} has no column for ${field}`);
    return { name: wireName(field), sql: (alias: string) => valueSql(alias, field, types.get(field)) };
  });
  const made = new Map<string, string>();
  // A row, not json_build_object: that finds out about the type of every single value, and takes a third longer.
  const build = (alias: string) =>
    `(SELECT row_to_json(resource) FROM (SELECT ${parts.map(({ name, sql }) => `${sql(alias)} AS "${name}"`).join(', ')}) resource)`;
  return {
    table,
    fields: parts.map(({ name }) => name),
    json: (alias) => {
      const json = made.get(alias) ?? build(alias);
      made.set(alias, json);
      return json;
    },
    ...(inside === undefined ? {} : { inside }),
    sealed: false,
    reveal: (json) => json,
  };
}
