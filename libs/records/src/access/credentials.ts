import { columnOf } from '#libs/entities';
import { type EncryptedTable, Statement, type Transaction, type Vault } from '#libs/platform';
import { encryptedTexts } from '../views/encrypted.js';
import { type View, wireName } from '../views/view.js';
import type { Caller } from './caller.js';

/** A resource's table and, as properties of its entity, those of its columns that are encrypted. */
export interface Credentials<Property extends string = string> {
  readonly table: Extract<EncryptedTable, 'payment_integrations' | 'sites' | 'site_shops' | 'webhook_endpoints'>;
  readonly properties: readonly Property[];
}

export const INTEGRATION_CREDENTIALS = {
  table: 'payment_integrations',
  properties: ['apiAccount', 'apiKey1', 'apiKey2'],
} as const satisfies Credentials;

export const SITE_CREDENTIALS = {
  table: 'sites',
  properties: ['apiKey1', 'apiKey2', 'apiKey3'],
} as const satisfies Credentials;

/** The id of a row is its site's. */
export const SHOP_SECRETS = {
  table: 'site_shops',
  properties: ['secret', 'previousSecret'],
} as const satisfies Credentials;

export const ENDPOINT_SECRETS = {
  table: 'webhook_endpoints',
  properties: ['secret', 'previousSecret'],
} as const satisfies Credentials;

/**
 * The view of a resource with credentials, which PostgreSQL gives encrypted. They are decrypted for callers who may
 * read them: in answers, pages and streams.
 * @param shown `WithoutKeys`: null in place of `ApiKey1` to `ApiKey3`, for an API key that may only read and a session
 * that is not confirmed.
 */
function decryptingView(
  vault: Vault,
  { table, properties }: Credentials,
  view: View,
  shown: 'Whole' | 'WithoutKeys' = 'Whole',
): View {
  const texts = encryptedTexts(properties);
  const columns = new Map(properties.map((property) => [wireName(property), columnOf(property)]));
  const decrypted = (_: string, key: string, name: string, id: string, text: string) =>
    shown === 'WithoutKeys' && name.startsWith('ApiKey')
      ? `${key}null`
      : key + JSON.stringify(vault.decrypt(text, { table, column: columns.get(name)!, row: [id] }));
  return { ...view, encrypted: true, decrypt: (json) => json.replace(texts, decrypted) };
}

/** The views of a resource with credentials: whole, and as a caller may read them. */
export interface CredentialViews {
  readonly whole: View;
  readonly viewFor: (caller: Caller) => View;
}

/** An API key that may only read, and a session that is not confirmed, do not get the resource's keys. */
export function viewsFor(vault: Vault, credentials: Credentials, view: View): CredentialViews {
  const whole = decryptingView(vault, credentials, view);
  const withoutKeys = decryptingView(vault, credentials, view, 'WithoutKeys');
  return {
    whole,
    viewFor: ({ keyAccess, isConfirmed }) => (keyAccess === 'Read' || !isConfirmed ? withoutKeys : whole),
  };
}

/** Values to write, their credentials encrypted for that row; those that are left out stay so. */
export function encryptCredentials<Values extends object>(
  vault: Vault,
  { table, properties }: Credentials<keyof Values & string>,
  id: number,
  values: Values,
): Values {
  const encrypted = { ...values };
  for (const property of properties) {
    const text = values[property] as string | null | undefined;
    if (text === undefined) continue;
    Object.assign(encrypted, {
      [property]: vault.encrypt(text, { table, column: columnOf(property), row: [id] }),
    });
  }
  return encrypted;
}

/** The counterpart of `encryptCredentials`: what was read of a row, its credentials decrypted. They stay in memory. */
export function decryptCredentials<Values extends { readonly id: number }>(
  vault: Vault,
  { table, properties }: Credentials<keyof Values & string>,
  values: Values,
): Values {
  const decrypted = { ...values };
  for (const property of properties) {
    const place = { table, column: columnOf(property), row: [values.id] };
    Object.assign(decrypted, { [property]: vault.decrypt(values[property] as string | null, place) });
  }
  return decrypted;
}

const NEXT_ID = Statement.named(`SELECT nextval(pg_get_serial_sequence($1, 'id')) AS id`);

/** The id of a row that will be inserted: its credentials are encrypted for it. */
export async function takeId(tx: Transaction, { table }: Credentials): Promise<number> {
  const [row] = await tx.execute<{ id: number }>(NEXT_ID, [table]);
  return row!.id;
}
