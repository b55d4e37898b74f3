/**
 * The values of a statement, by name. Its text has `${$.limit}` where PostgreSQL reads `$5`, and whoever fills it names
 * each, so that nobody counts. For more than a few; rows are a `Batch`.
 */
export class NamedValues<Name extends string> {
  /** SQL: `$1` and so on, in the order of the names. */
  readonly $: Readonly<Record<Name, string>>;
  private readonly names: readonly Name[];

  constructor(...names: readonly Name[]) {
    this.names = names;
    this.$ = Object.fromEntries(names.map((name, index) => [name, `$${index + 1}`])) as Record<Name, string>;
  }

  /** The same values and more after them: what is written with the first ones fits both. */
  and<More extends string>(...more: readonly More[]): NamedValues<Name | More> {
    return new NamedValues<Name | More>(...this.names, ...more);
  }

  /** The parameters, in the order of the names. */
  values(named: Readonly<Record<Name, unknown>>): unknown[] {
    return this.names.map((name) => named[name]);
  }
}
