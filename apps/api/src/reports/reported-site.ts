import { siteClockSql } from '#libs/entities';
import { Statement } from '#libs/platform';
import { assertReach, type Caller, type Database, isReached, NotFound } from '#libs/records';

/** pk_sites, pk_test_clocks. $1 site id, $2 reach. */
const NOW = Statement.named(
  `SELECT coalesce(${siteClockSql('s.id')}, clock_timestamp())::timestamptz(3) AS now, ${isReached('s.id', '$2::bigint[]')} AS reached
    FROM sites s WHERE s.id = $1`,
);

/**
 * The present of a site that a report is about: the database's clock, or its own test clock.
 * @throws NotFound when there is none. Forbidden when it is not the caller's.
 */
export async function nowOfSite(database: Database, caller: Caller, siteId: number): Promise<Date> {
  const [row] = await database.read<{ now: Date; reached: boolean }>(NOW, [siteId, caller.reach]);
  if (row === undefined) throw new NotFound(`There is no Site ${siteId}.`);
  await assertReach(database, caller, row, `Site ${siteId}`);
  return row.now;
}
