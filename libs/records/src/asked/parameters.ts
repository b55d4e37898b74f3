/** The parameters of a statement that is put together from parts. */
export class Parameters {
  readonly values: unknown[] = [];
  private sitesPlace: string | undefined;

  constructor(private readonly siteIds: readonly number[]) {}

  /** SQL: the sites of the list. A parameter that no part uses would have no type, so it is there from its first use on. */
  get sites(): string {
    this.sitesPlace ??= this.add(this.siteIds, 'bigint[]');
    return this.sitesPlace;
  }

  /** @returns the value's place in the statement, with its type: SQL. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}
