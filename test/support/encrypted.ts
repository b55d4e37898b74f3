import { columnOf } from '#libs/entities';
import { type Binding, type EncryptedTable, type Vault } from '#libs/vault';
import type { TestDatabase } from './database.js';

/** Values by property, encrypted for a row as the service would encrypt them in this database. */
export async function encryptedValues<Values extends Record<string, string | null>>(
  database: TestDatabase,
  vault: Vault,
  table: EncryptedTable,
  id: number,
  values: Values,
): Promise<Values> {
  const [row] = await database.query<{ binding: Binding }>(`SELECT binding FROM sealing`);
  const encrypted = Object.entries(values).map(([property, text]) => {
    const place = { table, column: columnOf(property), row: [id] };
    return [property, vault.encrypt(text, place, row!.binding)];
  });
  return Object.fromEntries(encrypted) as Values;
}
