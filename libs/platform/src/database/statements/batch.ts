/**
 * Columns of a batch as PostgreSQL array literals, for UNNEST. pg's own encoding of arrays costs more than the
 * statement that they feed.
 */
export const numbers = (values: readonly (number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;

export const flags = (values: readonly boolean[]): string =>
  `{${values.map((value) => (value ? 't' : 'f')).join(',')}}`;

export const instants = (values: readonly (Date | null)[]): string =>
  `{${values.map((value) => value?.toISOString() ?? 'NULL').join(',')}}`;

/** PostgreSQL cannot store NUL, and a gateway's text may contain one. */
const SPECIAL = /["\\\0]/;

export const texts = (values: readonly (string | null)[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : quoted(value))).join(',')}}`;

const quoted = (value: string): string =>
  `"${SPECIAL.test(value) ? value.replaceAll('\0', '').replace(/["\\]/g, '\\$&') : value}"`;

/** What the columns of a batch take, by their SQL types. JSON is given as text. */
export interface Values {
  readonly bigint: number | null;
  readonly integer: number | null;
  readonly boolean: boolean;
  readonly text: string | null;
  readonly timestamptz: Date | null;
  readonly json: string | null;
  readonly jsonb: string | null;
}

type Columns = Readonly<Record<string, keyof Values>>;

/** A row of a batch: a value for each of its columns. */
export type BatchRow<Of> = Of extends Batch<infer C> ? { readonly [Name in keyof C]: Values[C[Name]] } : never;

type Literal = (values: readonly unknown[]) => string;

const LITERALS: Readonly<Record<keyof Values, Literal>> = {
  bigint: numbers as Literal,
  integer: numbers as Literal,
  boolean: flags as Literal,
  text: texts as Literal,
  timestamptz: instants as Literal,
  json: texts as Literal,
  jsonb: texts as Literal,
};

/**
 * The rows that a statement works on, written once: the statement reads them as a table, and whoever fills it names its
 * columns. Each column is one parameter, an array; so a statement is the same for any number of rows.
 */
export class Batch<C extends Columns> {
  /** SQL for a FROM clause: `unnest($1::bigint[], $2::text[]) AS b (id, worker)`. */
  readonly sql: string;

  /** `columns`: names as in SQL. `first`: the number of the first column's parameter. */
  constructor(
    private readonly columns: C,
    first = 1,
  ) {
    const arrays = Object.values(columns).map((type, index) => `$${first + index}::${type}[]`);
    this.sql = `unnest(${arrays.join(', ')}) AS b (${Object.keys(columns).join(', ')})`;
  }

  /**
   * The parameters, in the order of the columns. (Spread comes last where a row has one: Node.js 20 takes 40 µs for an
   * object that goes on after it.)
   */
  values(rows: readonly BatchRow<this>[]): string[] {
    return Object.entries(this.columns).map(([name, type]) =>
      LITERALS[type](rows.map((row) => (row as Readonly<Record<string, unknown>>)[name])),
    );
  }
}
