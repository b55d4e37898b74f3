import type { ApiKeyAccess } from '#libs/entities';
import type { Transaction } from '#libs/platform';
import { Conflict, type Fault, Forbidden, Rejected } from '../errors.js';
import { apiKeyView } from '../views/resources.js';
import { newSecret } from './token-secret.js';

/**
 * What every key begins with, so that people and secret scanners recognise one. It is the base64 of `CONSTANT`, whose
 * length is a multiple of three: so whatever follows does not change it.
 */
export const API_KEY_PREFIX = 'SChedkEy';
const CONSTANT = Buffer.from(API_KEY_PREFIX, 'base64').toString('latin1');

/**
 * The value after `Authorization: Basic`: RFC 7617's user is the constant and the key's id, the password its secret.
 */
export const apiKeyValue = (id: number, secret: string) => Buffer.from(`${CONSTANT}${id}:${secret}`).toString('base64');

/** The id of a key, as text, in the user of a Basic header; null when the user is not a key. */
export const apiKeyIdOf = (user: string) => (user.startsWith(CONSTANT) ? user.slice(CONSTANT.length) : null);

/** The most keys of an account. Expired ones count too: somebody should see that they have expired. */
export const MOST_API_KEYS = 100;

export interface NewApiKey {
  readonly name: string;
  readonly siteIds: readonly number[];
  readonly access: ApiKeyAccess;
  readonly expiresUtc?: Date | null | undefined;
}

interface CreatedApiKey {
  readonly id: number;
  /** The key's JSON, without its value. */
  readonly json: Record<string, unknown>;
  /** Nobody can read it again: only a hash is stored. */
  readonly value: string;
}

/**
 * Makes an API key of the account. Keys of one account are made one after the other, so that their number is exact.
 * @throws Rejected with every fault; Forbidden for a site of another account; Conflict when the account has too many
 * keys.
 */
export async function createApiKey(tx: Transaction, userId: number, key: NewApiKey): Promise<CreatedApiKey> {
  const [account] = await tx.execute<{ keys: number; now: Date }>(
    `SELECT (SELECT count(*)::int FROM api_keys k WHERE k.user_id = u.id AND k.revoked_utc IS NULL) AS keys, clock_timestamp() AS now
     FROM (SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE) u`,
    [userId],
  );
  const faults = [
    ...nameFaults(key.name),
    ...expiryFaults(key.expiresUtc ?? null, account!.now),
    ...(await siteFaults(tx, userId, key.siteIds)),
  ];
  if (faults.length > 0) throw new Rejected(faults);
  if (account!.keys >= MOST_API_KEYS) {
    const bound = `The account has ${account!.keys} API keys, expired ones included; at most ${MOST_API_KEYS} are possible`;
    throw new Conflict(`${bound}: delete one that is not used any more (DELETE /api/ApiKey/{id}).`);
  }
  return insertKey(tx, userId, key);
}

const nameFaults = (name: string): Fault[] =>
  name.trim() === '' ? [{ field: 'Name', message: 'must not be blank: it tells your keys apart.' }] : [];

function expiryFaults(expiresUtc: Date | null, now: Date): Fault[] {
  if (expiresUtc === null || expiresUtc > now) return [];
  const message = `"${expiresUtc.toISOString()}" must be in the future; it is ${now.toISOString()} now. Leave it out for a key that does not expire.`;
  return [{ field: 'ExpiresUtc', message }];
}

/** @throws Forbidden. */
async function siteFaults(tx: Transaction, userId: number, siteIds: readonly number[]): Promise<Fault[]> {
  const rows = await tx.execute<{ id: number; userId: number }>(
    `SELECT id, user_id FROM sites WHERE id = ANY ($1::bigint[])`,
    [siteIds],
  );
  const ownerOf = new Map(rows.map((row) => [row.id, row.userId]));
  return siteIds.flatMap((id, index): Fault[] => {
    const owner = ownerOf.get(id);
    if (owner === undefined) return [{ field: `SiteIds[${index}]`, message: `There is no Site ${id}.` }];
    if (owner !== userId) throw new Forbidden(`Site ${id} belongs to another account.`);
    return [];
  });
}

async function insertKey(tx: Transaction, userId: number, key: NewApiKey): Promise<CreatedApiKey> {
  const { secret, secretHash } = newSecret();
  const [made] = await tx.execute<{ id: number }>(
    `INSERT INTO api_keys (id, user_id, name, secret_hash, access, expires_utc)
     VALUES (nextval(pg_get_serial_sequence('access_tokens', 'id')), $1, $2, $3, $4, $5) RETURNING id`,
    [userId, key.name, secretHash, key.access, key.expiresUtc ?? null],
  );
  const { id } = made!;
  await tx.execute(
    `INSERT INTO api_key_sites (api_key_id, site_id) SELECT DISTINCT $1::bigint, site FROM unnest($2::bigint[]) site`,
    [id, key.siteIds],
  );
  const [shown] = await tx.execute<{ json: Record<string, unknown> }>(
    `SELECT ${apiKeyView.json('x')} AS json FROM api_keys x WHERE x.id = $1`,
    [id],
  );
  return { id, json: shown!.json, value: apiKeyValue(id, secret) };
}
