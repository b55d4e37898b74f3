import type { ApiKeyAccess } from '#libs/entities';
import type { Reach } from './reach-sql.js';

export type AccessScope = 'Merchant' | 'Customer';

/** The sender of a request, from its token or API key (decisions.md §3). */
export interface Caller {
  /** Of the token, or of the API key: both are of one sequence. */
  readonly tokenId: number;
  /** What the caller's API key may do; null for a token. */
  readonly keyAccess: ApiKeyAccess | null;
  /** The token is a browser's session (decisions.md §3, Sessions). */
  readonly isSession: boolean;
  /** False for a session whose password was not entered within the last 10 minutes; true for all others. */
  readonly isConfirmed: boolean;
  /** The account. */
  readonly userId: number;
  readonly scope: AccessScope;
  /**
   * All sites of the account; for a Customer token only its customer's site, for an API key only the key's. Statements
   * read which they are.
   */
  readonly reach: Reach;
  /** The customer that a Customer token is bound to. */
  readonly customerId: number | null;
}

/** The caller in sentences: `a Merchant token`, `API key 7`. */
export const callerName = ({ keyAccess, tokenId, scope }: Caller): string =>
  keyAccess === null ? `a ${scope} token` : `API key ${tokenId}`;
