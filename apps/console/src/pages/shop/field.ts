/** A value of a field as the API has it. */
export type Value = string | number | boolean | null;
export type Values = Readonly<Record<string, Value>>;

/** One field of a form: what it is called, and what it does, in a sentence. */
export interface Field {
  /** The API's name. */
  readonly name: string;
  readonly label: string;
  readonly about?: string;
  readonly kind: 'text' | 'secret' | 'number' | 'flag' | 'choice';
  /** Of a choice: each value, and what it means. */
  readonly choices?: Readonly<Record<string, string>>;
}

/** Those of a record that a form has. */
export const valuesOf = (fields: readonly Field[], record: object): Values =>
  Object.fromEntries(fields.map(({ name }) => [name, (record as Values)[name] ?? null]));
