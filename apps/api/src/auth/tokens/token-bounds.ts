import type { Transaction } from '#libs/platform';
import { NEXT_UPDATED_UTC } from '#libs/records';

/** The most active tokens of one customer, and of an account itself (decisions.md §3). */
const MOST_OF_CUSTOMER = 20;
const MOST_OF_ACCOUNT = 1_000;

/** The owner of the new token, and the token that it is made from. */
export interface NewToken {
  readonly userId: number;
  readonly customerId: number | null;
  readonly parentId: number | null;
}

/** By `ix_access_tokens_customer`, or `ix_access_tokens_merchant`. */
const endUnused = (own: string) => `UPDATE access_tokens AS x SET expires_utc = now(), updated_utc = ${NEXT_UPDATED_UTC}
  WHERE x.id IN (SELECT t.id FROM access_tokens t WHERE ${own} AND t.revoked_utc IS NULL AND t.expires_utc > now()
    ORDER BY t.id IS NOT DISTINCT FROM $2::bigint DESC, coalesce(t.last_used_utc, t.created_utc) DESC, t.id DESC OFFSET $3)`;

/**
 * Makes room for one more token: the tokens of the same kind and customer whose last use is the oldest end, but not the
 * new token's parent, and not tokens that were made from the ended ones. They expire and are not revoked, so that their
 * families can still be revoked by id. Tokens of one owner are made one after the other, so that their number is exact.
 */
export async function makeRoom(tx: Transaction, { userId, customerId, parentId }: NewToken): Promise<void> {
  const owner = customerId === null ? `account:${userId}` : `customer:${customerId}`;
  await tx.execute(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`tokens of ${owner}`]);
  if (customerId === null) {
    await tx.execute(endUnused('t.user_id = $1 AND t.customer_id IS NULL'), [userId, parentId, MOST_OF_ACCOUNT - 1]);
  } else {
    await tx.execute(endUnused('t.customer_id = $1'), [customerId, parentId, MOST_OF_CUSTOMER - 1]);
  }
}
