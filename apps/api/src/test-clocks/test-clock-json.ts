import { lockClock, type LockedClock } from '#libs/ledger';
import { Statement, type Transaction } from '#libs/platform';
import { assertSite, type Caller, isReached, NotFound, utcSql } from '#libs/records';

/** SQL: the JSON of the clock `k` and its site `s`. */
export const CLOCK_JSON = `(SELECT row_to_json(clock) FROM (SELECT k.site_id AS "SiteId", s.name AS "Name", ${utcSql('k.now_utc')} AS "NowUtc",
  k.state AS "State", ${utcSql('k.target_utc')} AS "TargetUtc", k.cycles AS "Cycles", ${utcSql('k.created_utc')} AS "CreatedUtc",
  ${utcSql('k.updated_utc')} AS "UpdatedUtc") clock)`;

/** pk_test_clocks, pk_sites. $1 site, $2 reach. */
export const READ_CLOCK = Statement.named(
  `SELECT ${CLOCK_JSON}::text AS json, ${isReached('k.site_id', '$2::bigint[]')} AS reached FROM test_clocks k JOIN sites s ON s.id = k.site_id WHERE k.site_id = $1`,
);

/** @throws NotFound when there is none. Forbidden when it is not the caller's. */
export async function lockReached(tx: Transaction, caller: Caller, siteId: number): Promise<LockedClock> {
  const clock = await lockClock(tx, siteId);
  if (clock === null) throw noClock(siteId);
  await assertSite(tx, caller, siteId);
  return clock;
}

export const noClock = (siteId: number) => new NotFound(`There is no TestClock ${siteId}.`);
