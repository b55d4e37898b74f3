import { type EntityManager, IsNull } from 'typeorm';
import { AccessToken, Site, User } from '#libs/entities';
import { hashPassword } from '#libs/records';
import { Refusal } from '../refusal.js';

export interface NewSite {
  readonly name: string;
  readonly url: string;
  readonly type: string | undefined;
  readonly currencyIso: string;
}

async function insertSite(tx: EntityManager, user: Pick<User, 'id' | 'email'>, site: NewSite): Promise<number> {
  const { identifiers } = await tx.insert(Site, { ...site, userId: user.id, email: user.email });
  return Number(identifiers[0]!.id);
}

/** TypeORM's generated ids arrive as text. */
async function findAccount(tx: EntityManager, email: string) {
  const user = await tx.findOneBy(User, { email });
  return user === null ? undefined : { id: Number(user.id), email };
}

async function accountOf(tx: EntityManager, email: string) {
  const account = await findAccount(tx, email);
  if (account === undefined) throw new Refusal(`There is no account with the email ${email}.`);
  return account;
}

/** @throws Refusal when the email has an account already. */
export async function createMerchant(tx: EntityManager, email: string, password: string, site: NewSite) {
  const existing = await findAccount(tx, email);
  if (existing !== undefined) throw new Refusal(`The email ${email} has an account already: UserId ${existing.id}.`);
  const passwordHash = await hashPassword(password);
  const { identifiers } = await tx.insert(User, { email, passwordHash });
  const id = Number(identifiers[0]!.id);
  return { UserId: id, SiteId: await insertSite(tx, { id, email }, site) };
}

/** @throws Refusal when no account has the email. */
export async function createSite(tx: EntityManager, email: string, site: NewSite) {
  const user = await accountOf(tx, email);
  return { UserId: user.id, SiteId: await insertSite(tx, user, site) };
}

/** Sets a new password and ends every token of the account: all clients have to log in again. */
export async function changePassword(tx: EntityManager, email: string, password: string) {
  const user = await accountOf(tx, email);
  // A token that is being made locks the account's row. So it is stored before the others end and ends with them, or it cannot be made from them any
  // more.
  await tx.query(`SELECT 1 FROM users WHERE id = $1 FOR UPDATE`, [user.id]);
  await tx.update(User, { id: user.id }, { passwordHash: await hashPassword(password), updatedUtc: () => 'now()' });
  const { affected } = await tx.update(
    AccessToken,
    { userId: user.id, revokedUtc: IsNull() },
    { revokedUtc: () => 'now()', updatedUtc: () => 'now()' },
  );
  return { UserId: user.id, TokensEnded: affected ?? 0 };
}
