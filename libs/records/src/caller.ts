export type AccessScope = 'Merchant' | 'Customer';

/** The sender of a request, from its token (decisions.md §3). */
export interface Caller {
  readonly tokenId: number;
  /** The account. */
  readonly userId: number;
  readonly scope: AccessScope;
  /** All sites of the account; for a Customer token only its customer's site. */
  readonly siteIds: readonly number[];
  /** The customer that a Customer token is bound to. */
  readonly customerId: number | null;
}
