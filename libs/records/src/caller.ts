export type AccessScope = 'Merchant' | 'Customer';

/** Who asks, as the presented token says (decisions.md §3). */
export interface Caller {
  readonly tokenId: number;
  /** The account. */
  readonly userId: number;
  readonly scope: AccessScope;
  /** All of the account's sites; of a Customer token, its customer's only. */
  readonly siteIds: readonly number[];
  /** The customer that a Customer token is bound to. */
  readonly customerId: number | null;
}
