import type { Transaction } from '#libs/platform';
import { type Caller, Forbidden, NEXT_UPDATED_UTC } from '#libs/records';

const REVOKED = `revoked_utc = now(), updated_utc = ${NEXT_UPDATED_UTC}`;

/** The token, and all that were made from it, directly or indirectly: `ix_access_tokens_parent`. */
const REVOKE_TOKEN = `WITH RECURSIVE family AS (
    SELECT t.id FROM access_tokens t WHERE t.id = $1
    UNION
    SELECT t.id FROM access_tokens t JOIN family f ON t.parent_id = f.id)
  UPDATE access_tokens AS x SET ${REVOKED} FROM family WHERE x.id = family.id AND x.revoked_utc IS NULL`;
/** `ix_access_tokens_api_key`. Tokens that are made with such a token note the key, too (`assertTokenLives`). */
const REVOKE_OF_KEY = `UPDATE access_tokens AS x SET ${REVOKED} WHERE x.api_key_id = $1 AND x.revoked_utc IS NULL`;
/** `ix_access_tokens_customer`. Tokens that a Customer token makes belong to the same customer. */
const REVOKE_OF_CUSTOMER = `UPDATE access_tokens AS x SET ${REVOKED} WHERE x.customer_id = $1 AND x.revoked_utc IS NULL`;

/**
 * Prevents new tokens and keys in the meantime: a token that is being made is stored before its family is searched, or
 * finds that what it is made from was revoked. To be called before revoking.
 */
export async function lockAccount(tx: Transaction, { userId }: Caller): Promise<void> {
  await tx.execute(`SELECT 1 FROM users WHERE id = $1 FOR UPDATE`, [userId]);
}

/**
 * What a token or key is made with still lives. To be called when the account's row is locked.
 * @returns the API key that a new token belongs to, if there is one. @throws Forbidden.
 */
export async function assertTokenLives(tx: Transaction, { tokenId, keyAccess }: Caller): Promise<number | null> {
  const [living] = await tx.execute<{ apiKeyId: number | null }>(
    keyAccess === null
      ? `SELECT api_key_id FROM access_tokens WHERE id = $1 AND revoked_utc IS NULL AND expires_utc > now()`
      : `SELECT id AS api_key_id FROM api_keys WHERE id = $1 AND revoked_utc IS NULL AND (expires_utc IS NULL OR expires_utc > now())`,
    [tokenId],
  );
  if (living === undefined) {
    throw new Forbidden(
      keyAccess === null ? 'The presented token was revoked: log in again.' : 'The presented API key was revoked.',
    );
  }
  return living.apiKeyId;
}

export async function revokeToken(tx: Transaction, id: number): Promise<void> {
  await tx.execute(REVOKE_TOKEN, [id]);
}

export async function revokeTokensOfKey(tx: Transaction, keyId: number): Promise<void> {
  await tx.execute(REVOKE_OF_KEY, [keyId]);
}

export async function revokeTokensOfCustomer(tx: Transaction, customerId: number): Promise<void> {
  await tx.execute(REVOKE_OF_CUSTOMER, [customerId]);
}
