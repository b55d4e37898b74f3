import { isTableMissing, type SqlExecutor, type Vault } from '#libs/platform';

/** One stored credential per key that any of them was encrypted with. */
const SAMPLES = `SELECT DISTINCT ON (split_part(value, '.', 2)) value
  FROM (SELECT unnest(ARRAY[api_account, api_key1, api_key2]) AS value FROM payment_integrations
        UNION ALL SELECT unnest(ARRAY[api_key1, api_key2, api_key3]) FROM sites
        UNION ALL SELECT unnest(ARRAY[secret, previous_secret]) FROM site_shops
        UNION ALL SELECT unnest(ARRAY[secret, previous_secret]) FROM webhook_endpoints) encrypted
  WHERE value IS NOT NULL ORDER BY split_part(value, '.', 2)`;

interface Sample {
  readonly value: string;
}

/**
 * At start: whether the keys at hand decrypt what is stored. Before the migrations there is nothing to decrypt.
 * @throws DecryptionError naming the keys that are missing.
 */
export async function assertEncryptionKeys(database: SqlExecutor, vault: Vault): Promise<void> {
  const rows = await database.execute<Sample>(SAMPLES).catch((error: unknown) => {
    if (isTableMissing(error)) return [];
    throw error;
  });
  vault.check(rows.map(({ value }) => value));
}
