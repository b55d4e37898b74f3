import type { Transaction } from '#libs/platform';
import { createApiKey, type NewApiKey, Rejected } from '#libs/records';
import { Refusal } from '../refusal.js';
import { accountOf } from './accounts.js';

interface SentKey extends Omit<NewApiKey, 'siteIds'> {
  /** Absent: the only site of the account. */
  readonly siteIds: readonly number[] | undefined;
}

/** The options of the fields that the service may refuse. */
const OPTIONS: Readonly<Record<string, string>> = { Name: '--name', SiteIds: '--site', ExpiresUtc: '--expires' };

/** @throws Refusal when no account has the email, and for a key that the service refuses. */
export async function createKey(tx: Transaction, email: string, sent: SentKey) {
  const { id: userId } = await accountOf(tx, email);
  const siteIds = sent.siteIds ?? [await onlySite(tx, userId, email)];
  try {
    const { id, value } = await createApiKey(tx, userId, { ...sent, siteIds });
    return { Id: id, Value: value };
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const lines = error.faults.map(({ field, message }) => `${OPTIONS[field.replace(/\[.*/, '')]!}: ${message}`);
    throw new Refusal(lines.join('\n'));
  }
}

async function onlySite(tx: Transaction, userId: number, email: string): Promise<number> {
  const sites = await tx.execute<{ id: number }>(`SELECT id FROM sites WHERE user_id = $1 ORDER BY id`, [userId]);
  const [site] = sites;
  if (site === undefined) throw new Refusal(`The account ${email} has no site yet: create one with site:create.`);
  if (sites.length === 1) return site.id;
  const named = sites.map(({ id }) => id).join(', ');
  throw new Refusal(`The account ${email} has several sites: name those that the key reaches with --site (${named}).`);
}
