import type { Reach } from '../access/reach-sql.js';

/** The parameters of a statement that is put together from parts. */
export class Parameters {
  readonly values: unknown[] = [];
  private reachPlace: string | undefined;

  constructor(private readonly sites: Reach) {}

  /**
   * SQL: whose sites the list is of. A parameter that no part uses would have no type, so it is there from its first
   * use on.
   */
  get reach(): string {
    this.reachPlace ??= this.add(this.sites, 'bigint[]');
    return this.reachPlace;
  }

  /** @returns the value's place in the statement, with its type: SQL. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}
