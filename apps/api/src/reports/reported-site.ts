import { Statement } from '#libs/database';
import { siteClockSql } from '#libs/entities';
import { assertReach, type Caller, type Database, NotFound } from '#libs/records';

/** pk_sites, pk_test_clocks. $1 site id. */
const NOW = Statement.of(
  `SELECT coalesce(${siteClockSql('s.id')}, clock_timestamp())::timestamptz(3) AS now FROM sites s WHERE s.id = $1`,
);

/**
 * The present of a site that a report is about: the database's clock, or its own test clock.
 * @throws NotFound when there is none. Forbidden when it is not the caller's.
 */
export async function nowOfSite(database: Database, caller: Caller, siteId: number): Promise<Date> {
  const [row] = await database.read<{ now: Date }>(NOW, [siteId]);
  if (row === undefined) throw new NotFound(`There is no Site ${siteId}.`);
  assertReach(caller, { siteId, own: true }, 'Site', siteId);
  return row.now;
}
