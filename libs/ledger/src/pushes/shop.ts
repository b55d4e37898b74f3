import { livingPreviousSql } from '#libs/events';
import { NamedValues, type Vault } from '#libs/platform';
import { decryptCredentials, SHOP_SECRETS, SITE_CREDENTIALS } from '#libs/records';
import type { AuthMode, Receiver, Shop } from '#libs/shops';

/** Where the shop of a site is, as it is stored: with encrypted credentials. */
export interface StoredShop {
  readonly siteId: number;
  readonly receiver: Receiver;
  readonly url: string | null;
  readonly path: string | null;
  readonly authMode: AuthMode;
  readonly apiKey1: string | null;
  readonly apiKey2: string | null;
  readonly secret: string;
  readonly previousSecret: string | null;
}

/** SQL: the columns of a `StoredShop`, of a row of `sites` and its row of `site_shops`. */
export const storedShopSql = (site: string, shop: string): string =>
  `${shop}.site_id, ${shop}.receiver, ${site}.url, ${shop}.path, ${shop}.auth_mode, ${site}.api_key1, ${site}.api_key2,
    ${shop}.secret, ${livingPreviousSql(shop)} AS previous_secret`;

/** A shop, and how it is reached. */
export const REACHED_SHOP = new NamedValues({
  siteId: 'bigint',
  receiver: 'text',
  url: 'text',
  path: 'text',
  apiKey1: 'text',
  apiKey2: 'text',
  secret: 'text',
});
const { $ } = REACHED_SHOP;

/** SQL: it is reached still as it was: what a request has shown is not of another shop, or of other keys. */
export const isReachedStillSql = (site: string, shop: string): string =>
  `${shop}.site_id = ${$.siteId} AND ${site}.id = ${shop}.site_id AND ${shop}.receiver = ${$.receiver} AND ${shop}.secret = ${$.secret}
    AND (${site}.url, ${site}.api_key1, ${site}.api_key2, ${shop}.path) IS NOT DISTINCT FROM (${$.url}::varchar, ${$.apiKey1}::text, ${$.apiKey2}::text, ${$.path}::varchar)`;

/** SQL: the push went to the shop that the site has now. */
export const isOfThisShopSql = (push: string, shop: string): string =>
  `coalesce(${push}.sent_utc, ${push}.created_utc) >= coalesce(${shop}.moved_utc, '-infinity')`;

/** For the adapters of libs/shops. @throws DecryptionError. */
export function decryptShop(vault: Vault, stored: StoredShop): Shop {
  const { siteId: id, receiver, url, path, authMode, apiKey1, apiKey2, secret, previousSecret } = stored;
  const keys = decryptCredentials(vault, SITE_CREDENTIALS, { id, apiKey1, apiKey2, apiKey3: null });
  const secrets = decryptCredentials(vault, SHOP_SECRETS, { id, secret, previousSecret });
  return {
    receiver,
    url: url ?? '',
    path,
    authMode,
    apiKey1: keys.apiKey1,
    apiKey2: keys.apiKey2,
    secrets: [secrets.secret, secrets.previousSecret].filter((one) => one !== null),
  };
}
