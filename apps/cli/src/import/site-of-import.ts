import type { SqlExecutor } from '#libs/platform';
import { Refusal } from '../refusal.js';

/** @throws Refusal when there is no such site. */
export async function checkSite(tx: SqlExecutor, siteId: number): Promise<void> {
  const [site] = await tx.execute(`SELECT FROM sites WHERE id = $1`, [siteId]);
  if (site === undefined) throw new Refusal(`There is no site with the id ${siteId}.`);
}

/**
 * Subscriptions of a real shop belong to a real site: a test clock would charge none of them. @throws Refusal when
 * there is no such site, or it is simulated.
 */
export async function checkRealSite(tx: SqlExecutor, siteId: number): Promise<void> {
  await checkSite(tx, siteId);
  const [site] = await tx.execute(`SELECT FROM sites WHERE id = $1 AND simulated`, [siteId]);
  if (site === undefined) return;
  throw new Refusal(
    `Site ${siteId} is simulated: subscriptions move to a real site only. Name another one with --site.`,
  );
}
