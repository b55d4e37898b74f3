import type { ShopState } from '#libs/entities';
import { BREAKER_FAILURES, writeEvent } from '#libs/events';
import { Statement, type Transaction } from '#libs/platform';
import { nextUpdatedUtc } from '#libs/records';
import type { AuthMode } from '#libs/shops';
import { isReachedStillSql, REACHED_SHOP, type StoredShop } from './shop.js';

/** The time between two probes: half of the time for which the shop has not answered, within these bounds. */
const PROBE_AFTER = `greatest(interval '10 seconds', least(interval '30 minutes', (now() - coalesce(h.failing_since_utc, now())) / 2))`;

/** A shop that has not answered for so long is left alone until somebody verifies it. */
const LONGEST_FAILING = `interval '5 days'`;
const UNREACHABLE = 'It has not answered for 5 days.';

/** Closes the breaker. pk_site_shops. $1 site. One row when it had not answered before. */
export const SHOP_ANSWERS = `UPDATE site_shops h SET failures = 0, failing_since_utc = NULL, updated_utc = now(),
  not_before_utc = CASE WHEN h.failures < ${BREAKER_FAILURES} THEN h.not_before_utc END
FROM (SELECT b.failures FROM site_shops b WHERE b.site_id = $1) before
WHERE h.site_id = $1 AND h.failures > 0
RETURNING before.failures >= ${BREAKER_FAILURES} AS closed`;

const ENDS = `h.state = 'Ready' AND h.failing_since_utc <= now() - ${LONGEST_FAILING} AND h.failures + 1 >= ${BREAKER_FAILURES}`;

/**
 * Counts a failure: the breaker opens with the fifth in a row. Nothing shortens what the shop has asked for.
 * pk_site_shops. $1 site, $2 ms of its Retry-After or null.
 */
export const SHOP_FAILS = `UPDATE site_shops h SET failures = h.failures + 1, failing_since_utc = coalesce(h.failing_since_utc, now()), updated_utc = now(),
  not_before_utc = greatest(h.not_before_utc, now() + $2 * interval '1 millisecond', CASE WHEN h.failures + 1 >= ${BREAKER_FAILURES} THEN now() + ${PROBE_AFTER} END),
  state = CASE WHEN ${ENDS} THEN 'Unreachable' ELSE h.state END,
  state_because = CASE WHEN ${ENDS} THEN '${UNREACHABLE}' ELSE h.state_because END
FROM (SELECT b.state FROM site_shops b WHERE b.site_id = $1) before
WHERE h.site_id = $1
RETURNING h.failures = ${BREAKER_FAILURES} AS opened, before.state = 'Ready' AND h.state = 'Unreachable' AS ended`;

const REFUSAL = REACHED_SHOP.and({ authMode: 'text', because: 'text' });

/**
 * All its pushes wait for Verify, unless the shop is reached otherwise by now. pk_site_shops, pk_sites. One row for the
 * first push that it refuses.
 */
export const SHOP_REFUSES = `UPDATE site_shops h SET state = 'Refused', state_because = ${REFUSAL.$.because}, updated_utc = now()
FROM sites s WHERE ${isReachedStillSql('s', 'h')} AND h.auth_mode = ${REFUSAL.$.authMode} AND h.state = 'Ready'
RETURNING h.site_id`;

const LONGEST_BECAUSE = 1_000;

const VERIFIED = REACHED_SHOP.and({ state: 'text', because: 'text', authMode: 'text' });

/** SQL: a shop that is Ready may have a bad second: its pushes find out whether it lasts. */
const unlessPassing = (column: string, value: string): string =>
  `${column} = CASE WHEN h.state = 'Ready' AND ${VERIFIED.$.state}::varchar = 'Unreachable' THEN h.${column} ELSE ${value} END`;

/** What has failed before is forgotten. pk_site_shops, pk_sites. */
const RECORD_VERIFIED =
  Statement.named(`UPDATE site_shops h SET ${unlessPassing('state', VERIFIED.$.state)}, ${unlessPassing('state_because', `left(${VERIFIED.$.because}, ${LONGEST_BECAUSE})`)},
    ${unlessPassing('failures', '0')}, ${unlessPassing('failing_since_utc', 'NULL')}, ${unlessPassing('not_before_utc', 'NULL')},
    auth_mode = coalesce(${VERIFIED.$.authMode}, h.auth_mode), updated_utc = ${nextUpdatedUtc('h')}
  FROM sites s WHERE ${isReachedStillSql('s', 'h')}
  RETURNING 1`);

/** What Verify has found. `authMode` null: none works. */
export interface VerifiedShop {
  readonly state: ShopState;
  readonly because: string | null;
  readonly authMode: AuthMode | null;
}

/** Before its shop, as whoever changes both: else its keys could be others than those compared. pk_sites. $1 site. */
const LOCK_SITE = Statement.named(`SELECT 1 FROM sites s WHERE s.id = $1 FOR NO KEY UPDATE`);

/**
 * What waits for a shop that works again is tried or looked up at once; where a person says that it does, what waits
 * longer after each request waits as after the first. ix_order_pushes_state. $1 site, $2 whether a person does.
 */
const HURRY_PUSHES =
  Statement.named(`UPDATE order_pushes p SET sends = CASE WHEN $2::boolean THEN least(p.sends, 1) ELSE p.sends END, next_attempt_utc = now(), updated_utc = now()
WHERE (p.scheduled_order_id, p.cycle) IN (SELECT w.scheduled_order_id, w.cycle FROM order_pushes w
  WHERE w.site_id = $1 AND w.state IN ('Waiting', 'Unknown') AND w.next_attempt_utc > now() AND (w.lease_until_utc IS NULL OR w.lease_until_utc <= now())
  FOR NO KEY UPDATE SKIP LOCKED)`);

/** `shop`: as it was called. False: it is another one by now, or is reached otherwise. */
export async function recordVerified(tx: Transaction, shop: StoredShop, verified: VerifiedShop): Promise<boolean> {
  await tx.execute(LOCK_SITE, [shop.siteId]);
  const recorded = await tx.execute(RECORD_VERIFIED, VERIFIED.values({ ...shop, ...verified }));
  if (recorded.length > 0 && verified.state === 'Ready') await tx.execute(HURRY_PUSHES, [shop.siteId, true]);
  return recorded.length > 0;
}

/** What a try has shown of the shop itself. `null`: nothing. */
export type ShopAnswer =
  | { readonly kind: 'answers' }
  | { readonly kind: 'fails'; readonly retryAfterMs: number | null }
  | { readonly kind: 'refuses'; readonly because: string }
  | null;

/** For log and metrics. */
export type ShopChange = 'opened' | 'closed' | 'refused' | 'unreachable' | null;

/** `shop`: as it was called. Tells once that its pushes wait from now on. */
export async function recordShop(tx: Transaction, shop: StoredShop, answer: ShopAnswer): Promise<ShopChange> {
  if (answer === null) return null;
  const { siteId } = shop;
  if (answer.kind === 'answers') {
    const [before] = await tx.execute<{ closed: boolean }>(SHOP_ANSWERS, [siteId]);
    if (before?.closed !== true) return null;
    await tx.execute(HURRY_PUSHES, [siteId, false]);
    return 'closed';
  }
  if (answer.kind === 'refuses') {
    const because = answer.because.slice(0, LONGEST_BECAUSE);
    const [refused] = await tx.execute(SHOP_REFUSES, REFUSAL.values({ ...shop, because }));
    if (refused === undefined) return null;
    await writeEvent(tx, { siteId, type: 'shop.refused', facts: { Reason: 'Refused' } });
    return 'refused';
  }
  const [failed] = await tx.execute<{ opened: boolean; ended: boolean }>(SHOP_FAILS, [siteId, answer.retryAfterMs]);
  if (failed?.ended !== true) return failed?.opened === true ? 'opened' : null;
  await writeEvent(tx, { siteId, type: 'shop.refused', facts: { Reason: 'Unreachable' } });
  return 'unreachable';
}
