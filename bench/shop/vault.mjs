import { lib } from '../harness/product.mjs';

/** The key of every process of the run. */
export const ENCRYPTION_KEY = 'be'.repeat(32);

/** A credential of each of these integrations, encrypted for its place in a new database. */
export async function encrypted(text, column, ids) {
  const { Vault } = await lib('platform');
  const vault = Vault.fromSetting(ENCRYPTION_KEY);
  return ids.map((id) => vault.encrypt(text, { table: 'payment_integrations', column, row: [id] }));
}
