import { numbers, texts, type Values } from './batch.js';

/** What a value may be, by its SQL type. An array is sent as its literal. */
interface Single extends Omit<Values, 'timestamptz'> {
  readonly timestamptz: Date | 'infinity' | null;
  readonly float8: number | null;
  readonly uuid: string | null;
  readonly bytea: Buffer | null;
  readonly 'bigint[]': readonly number[] | null;
  readonly 'text[]': readonly string[] | null;
}

type Types = Readonly<Record<string, keyof Single>>;

/** A value for each of the names. */
export type ValuesOf<Named> =
  Named extends NamedValues<infer T> ? { readonly [Name in keyof T]: Single[T[Name]] } : never;

/**
 * The values of a statement, by name. Its text has `${$.limit}` where PostgreSQL reads `$5`, and whoever fills it names
 * each, so that nobody counts. For more than a few; rows are a `Batch`.
 */
export class NamedValues<T extends Types> {
  /** SQL: `$1` and so on, in the order of the names. */
  readonly $: { readonly [Name in keyof T]: string };

  /** `types`: of what PostgreSQL takes each for. */
  constructor(private readonly types: T) {
    this.$ = Object.fromEntries(Object.keys(types).map((name, index) => [name, `$${index + 1}`])) as typeof this.$;
  }

  /** The same values and more after them: what is written with the first ones fits both. */
  and<More extends Types>(more: More): NamedValues<T & More> {
    return new NamedValues({ ...this.types, ...more });
  }

  /** The parameters, in the order of the names. */
  values(named: ValuesOf<this>): unknown[] {
    const given = named as Readonly<Record<string, unknown>>;
    return Object.entries(this.types).map(([name, type]) => {
      const value = given[name];
      if (value === null) return null;
      if (type === 'bigint[]') return numbers(value as readonly number[]);
      return type === 'text[]' ? texts(value as readonly string[]) : value;
    });
  }
}
