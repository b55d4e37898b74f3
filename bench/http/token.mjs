import { createHash, randomBytes } from 'node:crypto';

/** A Merchant token of the account that owns the bench's shops. @returns what goes behind `Authorization: Basic` */
export async function merchantToken(client) {
  const secret = randomBytes(32).toString('base64url');
  const { rows } = await client.query(
    `INSERT INTO access_tokens (user_id, secret_hash, access_scope, expires_utc) VALUES (1, $1, 'Merchant', now() + interval '1 day') RETURNING id`,
    [createHash('sha256').update(secret).digest()],
  );
  return Buffer.from(`${rows[0].id}:${secret}`).toString('base64');
}
