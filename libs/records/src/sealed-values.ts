import { isTableMissing } from '#libs/database';
import type { Vault } from '#libs/vault';

/** One stored credential for each key that encrypted any of them. */
const SAMPLES = `SELECT DISTINCT ON (split_part(value, '.', 2)) value
  FROM (SELECT unnest(ARRAY[api_account, api_key1, api_key2]) AS value FROM payment_integrations
        UNION ALL SELECT unnest(ARRAY[api_key1, api_key2, api_key3]) FROM sites) sealed
  WHERE value IS NOT NULL ORDER BY split_part(value, '.', 2)`;

interface Sample {
  readonly value: string;
}

/**
 * Checks at start that the given keys can decrypt the stored values. Before the migrations there are none.
 * @throws SealedValueError that names the missing keys.
 */
export async function assertKeysOpen(query: (sql: string) => Promise<Sample[]>, vault: Vault): Promise<void> {
  const rows = await query(SAMPLES).catch((error: unknown) => {
    if (isTableMissing(error)) return [];
    throw error;
  });
  vault.check(rows.map(({ value }) => value));
}
