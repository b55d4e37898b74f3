import { livingPreviousSql, newWebhookSecret, type SigningSecrets } from '#libs/events';
import { Statement, type Transaction, type Vault } from '#libs/platform';
import {
  type Caller,
  Conflict,
  decryptCredentials,
  encryptCredentials,
  ENDPOINT_SECRETS,
  NEXT_UPDATED_UTC,
  SHOP_SECRETS,
} from '#libs/records';

const DEFAULT_OVERLAP_SECONDS = 86_400;

/** What a row signs with, as it is stored: encrypted. */
export interface StoredSecrets extends SigningSecrets {
  readonly previousUntilUtc: Date | null;
}

/** SQL: the columns of `StoredSecrets` but its id, of a row called `x`. */
export const STORED_SECRETS = `x.secret, ${livingPreviousSql('x')} AS previous_secret,
    CASE WHEN x.previous_until_utc > now() THEN x.previous_until_utc END AS previous_until_utc`;

/** A table whose rows sign with secrets of their own; `key`: the column of their ids; `name`: of a row, in messages. */
const signers = (credentials: typeof ENDPOINT_SECRETS | typeof SHOP_SECRETS, key: string, name: string) => ({
  credentials,
  name,
  /** $1 id. */
  lock: Statement.named(`SELECT x.${key} AS id, ${STORED_SECRETS}, now() AS now_utc
    FROM ${credentials.table} x WHERE x.${key} = $1 FOR NO KEY UPDATE`),
  /** $1 id, $2 secret, $3 previous secret, $4 its end. */
  write: Statement.named(`UPDATE ${credentials.table} x
    SET secret = $2, previous_secret = $3, previous_until_utc = $4, updated_utc = ${NEXT_UPDATED_UTC} WHERE x.${key} = $1`),
});
type Signers = ReturnType<typeof signers>;

/** pk_webhook_endpoints. */
export const ENDPOINTS = signers(ENDPOINT_SECRETS, 'id', 'WebhookEndpoint');
/** pk_site_shops. */
export const SHOPS = signers(SHOP_SECRETS, 'site_id', 'the Shop of Site');

/** As the caller may read them: an API key may not. */
export function secretsJson(vault: Vault, { credentials }: Signers, caller: Caller, stored: StoredSecrets): string {
  if (caller.keyAccess !== null) return json({ secret: null, previousSecret: null }, stored.previousUntilUtc);
  return json(decryptCredentials(vault, credentials, stored), stored.previousUntilUtc);
}

/**
 * Makes a new secret for a row. During the overlap the present one signs as well.
 * @returns both, as JSON.
 * @throws Conflict while the overlap of an earlier rotation lasts.
 */
export async function rotateSecret(
  tx: Transaction,
  vault: Vault,
  { credentials, name, lock, write }: Signers,
  id: number,
  overlapSeconds = DEFAULT_OVERLAP_SECONDS,
): Promise<string> {
  const [stored] = await tx.execute<StoredSecrets & { nowUtc: Date }>(lock, [id]);
  const { previousUntilUtc, nowUtc } = stored!;
  if (previousUntilUtc !== null) {
    const until = previousUntilUtc.toISOString();
    throw new Conflict(`The previous secret of ${name} ${id} signs until ${until}: rotate again after that.`);
  }
  const hasOverlap = overlapSeconds > 0;
  const present = decryptCredentials(vault, credentials, stored!);
  const texts = { secret: newWebhookSecret(), previousSecret: hasOverlap ? present.secret : null };
  const endUtc = hasOverlap ? new Date(nowUtc.getTime() + overlapSeconds * 1_000) : null;
  const { secret, previousSecret } = encryptCredentials(vault, credentials, id, texts);
  await tx.execute(write, [id, secret, previousSecret, endUtc]);
  return json(texts, endUtc);
}

const json = (
  { secret, previousSecret }: { readonly secret: string | null; readonly previousSecret: string | null },
  previousUntilUtc: Date | null,
): string => JSON.stringify({ Secret: secret, PreviousSecret: previousSecret, PreviousUntilUtc: previousUntilUtc });
