import { columnOf } from '#libs/entities';
import { type EncryptedTable, type Vault } from '#libs/platform';

/** Values by property, encrypted for a row as the service encrypts them. */
export function encryptedValues<Values extends Record<string, string | null>>(
  vault: Vault,
  table: EncryptedTable,
  id: number,
  values: Values,
): Values {
  const encrypted = Object.entries(values).map(([property, text]) => {
    const place = { table, column: columnOf(property), row: [id] };
    return [property, vault.encrypt(text, place)];
  });
  return Object.fromEntries(encrypted) as Values;
}
