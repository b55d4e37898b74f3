import { Statement, type Transaction } from '#libs/platform';

/** pk_sites. $1 site. */
const LOCK_SITE = Statement.named(`SELECT 1 FROM sites WHERE id = $1 FOR NO KEY UPDATE`);

/** pk_sites; `site_listens` is a function of the database. $1 site. One row when it changed. */
const SET_LISTENING =
  Statement.named(`UPDATE sites s SET listens_since_utc = CASE WHEN now_is.listens THEN clock_timestamp() END
FROM (SELECT site_listens($1::bigint) AS listens) now_is
WHERE s.id = $1 AND (s.listens_since_utc IS NOT NULL) <> now_is.listens
RETURNING now_is.listens`);

/** pk_upcoming_look. */
const LOOK_AT_ALL = Statement.named(`UPDATE upcoming_look SET full_requests = full_requests + 1`);

/**
 * Call it in the transaction that changes a site's notice, or makes it listen: what is within its notice already is
 * announced by the next look.
 */
export async function noticeChanged(tx: Transaction): Promise<void> {
  await tx.execute(LOOK_AT_ALL);
}

/**
 * Call it in the transaction that adds or removes a listener of the site (an endpoint, `KeepEvents`), after that
 * change: from the commit on, the site's events are written, or are no longer. The site's row is locked, so that two
 * such changes at once count each other.
 */
export async function setListening(tx: Transaction, siteId: number): Promise<void> {
  await tx.execute(LOCK_SITE, [siteId]);
  const [changed] = await tx.execute<{ listens: boolean }>(SET_LISTENING, [siteId]);
  if (changed?.listens === true) await noticeChanged(tx);
}
