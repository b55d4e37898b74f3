import { columnOf } from '#libs/entities';
import { type Binding, type SealedTable, type Vault } from '#libs/vault';
import type { TestDatabase } from './database.js';

/** Values by property, sealed for a row as the service would seal them in this database. */
export async function sealedValues<Values extends Record<string, string | null>>(
  database: TestDatabase,
  vault: Vault,
  table: SealedTable,
  id: number,
  values: Values,
): Promise<Values> {
  const [sealing] = await database.query<{ binding: Binding }>(`SELECT binding FROM sealing`);
  const sealed = Object.entries(values).map(([property, text]) => {
    const place = { table, column: columnOf(property), row: [id] };
    return [property, vault.seal(text, place, sealing!.binding)];
  });
  return Object.fromEntries(sealed) as Values;
}
