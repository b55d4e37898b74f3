import type { User } from '#libs/entities';
import type { Transaction } from '#libs/platform';
import { hashPassword, insertRow } from '#libs/records';
import { Refusal } from '../refusal.js';

export interface NewSite {
  readonly name: string;
  readonly url: string;
  readonly type: string | undefined;
  readonly currencyIso: string;
}

async function insertSite(tx: Transaction, user: Pick<User, 'id' | 'email'>, site: NewSite): Promise<number> {
  const { id } = await insertRow<{ id: number }>(
    tx,
    'sites',
    { ...site, type: site.type ?? null, userId: user.id, email: user.email },
    'x.id',
  );
  return id;
}

async function findAccount(tx: Transaction, email: string) {
  const [user] = await tx.execute<{ id: number }>(`SELECT id FROM users WHERE email = $1`, [email]);
  return user && { email, ...user };
}

/** @throws Refusal when no account has the email. */
export async function accountOf(tx: Transaction, email: string) {
  const account = await findAccount(tx, email);
  if (account === undefined) throw new Refusal(`There is no account with the email ${email}.`);
  return account;
}

/** @throws Refusal when the email has an account already. */
export async function createMerchant(tx: Transaction, email: string, password: string, site: NewSite) {
  const existing = await findAccount(tx, email);
  if (existing !== undefined) throw new Refusal(`The email ${email} has an account already: UserId ${existing.id}.`);
  const passwordHash = await hashPassword(password);
  const user = await insertRow<{ id: number }>(tx, 'users', { email, passwordHash }, 'x.id');
  const { id } = user;
  return { UserId: id, SiteId: await insertSite(tx, { id, email }, site) };
}

/** @throws Refusal when no account has the email. */
export async function createSite(tx: Transaction, email: string, site: NewSite) {
  const user = await accountOf(tx, email);
  return { UserId: user.id, SiteId: await insertSite(tx, user, site) };
}

/**
 * Sets a new password and ends every token of the account: all clients have to log in again. API keys stay: they are
 * not made of the password.
 */
export async function changePassword(tx: Transaction, email: string, password: string) {
  const user = await accountOf(tx, email);
  // A token that is being made locks the account's row. So it is stored before the others end and ends with them, or it
  // cannot be made from them any more.
  await tx.execute(`SELECT 1 FROM users WHERE id = $1 FOR UPDATE`, [user.id]);
  const passwordHash = await hashPassword(password);
  await tx.execute(`UPDATE users SET password_hash = $2, updated_utc = now() WHERE id = $1`, [user.id, passwordHash]);
  const ended = await tx.execute(
    `UPDATE access_tokens SET revoked_utc = now(), updated_utc = now() WHERE user_id = $1 AND revoked_utc IS NULL RETURNING 1`,
    [user.id],
  );
  const [keys] = await tx.execute<{ left: number }>(
    `SELECT count(*)::int AS left FROM api_keys WHERE user_id = $1 AND revoked_utc IS NULL AND (expires_utc IS NULL OR expires_utc > now())`,
    [user.id],
  );
  return { result: { UserId: user.id, TokensEnded: ended.length }, keysLeft: keys!.left };
}
