import { lib } from '../harness/product.mjs';

/** The key of every process of the run. */
export const ENCRYPTION_KEY = 'be'.repeat(32);

export async function sealed(text) {
  const { Vault } = await lib('vault');
  return Vault.fromSetting(ENCRYPTION_KEY).seal(text);
}
