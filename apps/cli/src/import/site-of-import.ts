import type { EntityManager } from 'typeorm';
import { Site } from '#libs/entities';
import { Refusal } from '../refusal.js';

/** @throws Refusal when there is no such site. */
export async function checkSite(tx: EntityManager, siteId: number): Promise<void> {
  if (!(await tx.existsBy(Site, { id: siteId }))) throw new Refusal(`There is no site with the id ${siteId}.`);
}
