import type { SqlExecutor } from '#libs/database';
import { Refusal } from '../refusal.js';

/** @throws Refusal when there is no such site. */
export async function checkSite(tx: SqlExecutor, siteId: number): Promise<void> {
  const [site] = await tx.execute(`SELECT FROM sites WHERE id = $1`, [siteId]);
  if (site === undefined) throw new Refusal(`There is no site with the id ${siteId}.`);
}
