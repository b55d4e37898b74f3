import type { ConnectionPool } from '#libs/platform';
import { SIMULATED_SHOP } from '../demo-shop.js';
import { FIRST_CUSTOMER, yearAfter } from './dates.js';

/** The year of the simulated demo shop. */
export interface Year {
  readonly siteId: number;
  /** Whether the clock has reached its end. */
  readonly isOver: boolean;
}

interface Found {
  readonly siteId: number;
  readonly now: Date;
  readonly hasCustomers: boolean;
  readonly beginning: Date | null;
}

/** @returns undefined when the account has no such shop, or none any more. */
export async function findYear(database: ConnectionPool, userId: number): Promise<Year | undefined> {
  const [found] = await database.execute<Found>(
    `SELECT s.id::integer AS "siteId", k.now_utc AS now,
       EXISTS (SELECT FROM customers c WHERE c.site_id = s.id AND c.deleted_utc IS NULL) AS "hasCustomers",
       (SELECT c.created FROM customers c WHERE c.site_id = s.id AND c.deleted_utc IS NULL AND c.external_id = $3) AS beginning
     FROM sites s JOIN test_clocks k ON k.site_id = s.id WHERE s.user_id = $1 AND s.name = $2 AND k.state <> 'Deleting' ORDER BY s.id LIMIT 1`,
    [userId, SIMULATED_SHOP, FIRST_CUSTOMER],
  );
  if (found === undefined) return undefined;
  const { siteId, now, hasCustomers, beginning } = found;
  return { siteId, isOver: beginning === null ? hasCustomers : now >= yearAfter(beginning) };
}
