import type { Transaction } from '#libs/database';
import { NEXT_UPDATED_UTC } from '#libs/records';

/** Living tokens at most, of one customer and of an account's own (decisions.md §3). */
const MOST_OF_CUSTOMER = 20;
const MOST_OF_ACCOUNT = 1_000;

/** Whose token is made, and from which one. */
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
 * Makes room for one token more: of its own kind and customer, those unused longest end, but not the one that it is made from, and not what was
 * made from them. They expire, rather than being revoked, so that their families can still be revoked by their id. Tokens of one owner are made
 * one after the other, so that their number is exact.
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
