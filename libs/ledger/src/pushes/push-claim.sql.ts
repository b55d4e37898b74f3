import { aheadSql, backSql, here, type KnownDatabase, type PushState, type ShopState } from '#libs/entities';
import { BREAKER_FAILURES } from '#libs/events';
import { Batch, type BatchRow, type SqlExecutor, Statement, type Transaction } from '#libs/platform';
import { type StoredShop, storedShopSql } from './shop.js';

/** One step of a push, of which each request takes at most 15 seconds, is over before: each renews it. */
export const PUSH_LEASE_MS = 180_000;
export const PUSH_LEASE = `interval '${PUSH_LEASE_MS} milliseconds'`;

/** The most pushes of all workers together that are under way at one shop; one, while it does not answer. */
const MOST_AT_A_SHOP = 2;
const roomSql = (
  shop: string,
): string => `CASE WHEN ${shop}.failures >= ${BREAKER_FAILURES} THEN 1 ELSE ${MOST_AT_A_SHOP} END
    - (SELECT count(*) FROM order_pushes l WHERE l.site_id = ${shop}.site_id AND l.lease_until_utc > now())`;

/** SQL: whether anything may be sent to the shop now. */
const isOpenSql = (shop: string): string =>
  `${shop}.push AND ${shop}.state = 'Ready' AND (${shop}.not_before_utc IS NULL OR ${shop}.not_before_utc <= now())`;

/** SQL: the shop has the order, and perhaps it can still be paid there. The condition of ix_order_pushes_unpaid. */
const UNPAID = `p.shop_order_id IS NOT NULL AND p.state IN ('Waiting', 'Sending', 'Unknown')`;
const OTHER = `(p.shop_order_id IS NULL OR p.state NOT IN ('Waiting', 'Sending', 'Unknown'))`;

/**
 * Locks shops that something is due for, so that one worker at a time serves each; those that have waited longest
 * first. A statement of its own: what counts and reads their pushes must have its snapshot after the locks.
 * ix_order_pushes_due, ix_order_pushes_leased. $1 generation, $2 log position, $3 shops at most, $4 accounts that have
 * their share.
 */
export const LOCK_DUE_SHOPS = `SELECT h.site_id, s.user_id AS account
FROM site_shops h JOIN sites s ON s.id = h.site_id CROSS JOIN LATERAL (
  SELECT p.next_attempt_utc FROM order_pushes p WHERE p.site_id = h.site_id AND p.next_attempt_utc <= now()
  ORDER BY p.next_attempt_utc LIMIT 1) due
WHERE ${here('$1', '$2')} AND ${isOpenSql('h')} AND s.user_id <> ALL ($4::bigint[]) AND ${roomSql('h')} > 0
ORDER BY due.next_attempt_utc LIMIT $3
FOR NO KEY UPDATE OF h SKIP LOCKED`;

const ROOMS = new Batch({ site_id: 'bigint', most: 'bigint' });

const someSql = (condition: string, isUnpaid: boolean): string => `(
      SELECT p.scheduled_order_id, p.cycle, ${isUnpaid ? 'NOT r.is_probed' : 'false'} AS goes_first, p.next_attempt_utc FROM order_pushes p
      WHERE p.site_id = r.site_id AND p.next_attempt_utc <= now() AND ${condition}
      ORDER BY p.next_attempt_utc LIMIT r.most)`;

/** After so many requests of which nothing came a person decides, if the shop took other Orders meanwhile. */
export const MOST_SENDS = 3;
/** SQL: whether the shop took other Orders then. The newest tell. ix_order_pushes_state. */
const tookOthersSql = (then: string): string => `EXISTS (SELECT FROM (
    SELECT o.sent_utc FROM order_pushes o WHERE o.site_id = c.site_id AND o.state = 'Pushed' AND NOT o.is_linked ORDER BY o.order_id DESC LIMIT 1000) o
  WHERE ${then})`;
/** SQL: until the last of those requests. */
const TOOK_OTHERS = `c.sends >= ${MOST_SENDS} AND ${tookOthersSql('o.sent_utc BETWEEN c.created_utc AND c.sent_utc')}`;
/** SQL: since the last request, of which nothing came. */
const WORKS_AGAIN = `c.sends > 1 AND ${tookOthersSql('o.sent_utc > c.sent_utc')}`;

/**
 * Leases due pushes of locked shops: first those that can still be paid in the shop, also after a takeover; but a shop
 * that fails is probed by each in turn. ix_order_pushes_unpaid, ix_order_pushes_due, pk_order_pushes. The batch: how
 * many of each shop at most.
 */
export const CLAIM_PUSHES = `WITH room AS MATERIALIZED (
  SELECT b.site_id, h.failures >= ${BREAKER_FAILURES} AS is_probed, greatest(0, least(b.most, ${roomSql('h')})) AS most FROM ${ROOMS.sql} JOIN site_shops h ON h.site_id = b.site_id
), picked AS MATERIALIZED (
  SELECT d.scheduled_order_id, d.cycle FROM room r CROSS JOIN LATERAL (${someSql(UNPAID, true)}
    UNION ALL ${someSql(OTHER, false)}
    ORDER BY goes_first DESC, next_attempt_utc LIMIT r.most) d
), claimed AS (
  UPDATE order_pushes p SET claim = p.claim + 1, lease_until_utc = now() + ${PUSH_LEASE}, next_attempt_utc = now() + ${PUSH_LEASE}, updated_utc = now()
  FROM picked k WHERE p.scheduled_order_id = k.scheduled_order_id AND p.cycle = k.cycle AND p.next_attempt_utc <= now()
  RETURNING p.*
)
SELECT c.scheduled_order_id, c.cycle, c.order_id, c.push_name, c.state, c.attempts, c.claim, c.message, c.found_nothing, c.sends, ${TOOK_OTHERS} AS took_others, ${WORKS_AGAIN} AS works_again, c.looks_up_first, c.is_linked,
  c.sent_utc, c.shop_order_id, c.removing_twins, c.created_utc, now() AS now_utc, (SELECT max(r.began_utc) FROM required_reconciliations r) AS restored_utc,
  h.tax_difference, h.push_anyway, h.failures AS shop_failures, ${storedShopSql('s', 'h')}
FROM claimed c JOIN site_shops h ON h.site_id = c.site_id JOIN sites s ON s.id = c.site_id`;

/**
 * When the next one is due that there is room for: all that is asked while nothing is to be pushed.
 * ix_order_pushes_due. $1 accounts that have their share.
 */
export const LOOK_FOR_PUSHES =
  Statement.named(`SELECT (extract(epoch FROM min(l.due_utc) - clock_timestamp()) * 1000)::float8 AS in_ms
FROM (
  SELECT (
    SELECT greatest(p.next_attempt_utc, h.not_before_utc) FROM order_pushes p
    WHERE p.site_id = h.site_id AND p.next_attempt_utc IS NOT NULL AND ${roomSql('h')} > 0
      AND (SELECT s.user_id FROM sites s WHERE s.id = h.site_id) <> ALL ($1::bigint[])
    ORDER BY p.next_attempt_utc LIMIT 1) AS due_utc
  FROM site_shops h WHERE h.push AND h.state = 'Ready') l`);

/** A shop that something is due for. */
export interface DueShop {
  readonly siteId: number;
  /** The account of its site. */
  readonly account: number;
}

/** A push that a worker has leased, with the shop that it goes to. */
export interface ClaimedPush extends StoredShop {
  readonly scheduledOrderId: number;
  readonly cycle: number;
  readonly orderId: number;
  readonly pushName: string;
  readonly state: PushState;
  readonly attempts: number;
  /** The fence. */
  readonly claim: number;
  readonly message: string | null;
  readonly foundNothing: number;
  readonly sends: number;
  /** It was sent `MOST_SENDS` times, and the shop took other Orders meanwhile. */
  readonly tookOthers: boolean;
  /** It was sent more than once, and the shop has taken another Order since. */
  readonly worksAgain: boolean;
  readonly looksUpFirst: boolean;
  /** A person has named the order in the shop. */
  readonly isLinked: boolean;
  readonly sentUtc: Date | null;
  readonly shopOrderId: string | null;
  readonly removingTwins: readonly string[];
  readonly createdUtc: Date;
  /** When it was claimed, by the database's clock, as all times here. */
  readonly nowUtc: Date;
  /** When this database was last found to lack commits: what it says of earlier pushes may be of before. */
  readonly restoredUtc: Date | null;
  readonly taxDifference: 'Accept' | 'Refuse';
  readonly pushAnyway: boolean;
  /** Pushes in a row that the shop did not answer. */
  readonly shopFailures: number;
}

/** `most`: shops at most. `full`: accounts that get nothing now. */
export const lockDueShops = (
  tx: Transaction,
  { generation, lsn }: KnownDatabase,
  most: number,
  full: readonly number[],
): Promise<DueShop[]> => tx.execute<DueShop>(LOCK_DUE_SHOPS, [generation, lsn, most, full]);

/** Call `lockDueShops` before. */
export const claimPushes = (tx: Transaction, rooms: readonly BatchRow<typeof ROOMS>[]): Promise<ClaimedPush[]> =>
  tx.execute<ClaimedPush>(CLAIM_PUSHES, ROOMS.values(rooms));

/** @returns the milliseconds until something is due that there is room for; null: nothing is. */
export async function lookForPushes(executor: SqlExecutor, full: readonly number[]): Promise<number | null> {
  const [found] = await executor.execute<{ inMs: number | null }>(LOOK_FOR_PUSHES, [full]);
  return found!.inMs;
}

/** Of shops that push. ix_order_pushes_state, ix_order_pushes_due. */
export const PUSH_BACKLOG = `WITH open AS (
  SELECT h.state, (SELECT count(*) FROM order_pushes p WHERE p.site_id = h.site_id AND p.state IN ('Waiting', 'Sending', 'Unknown')) AS waiting,
    (SELECT count(*) FROM order_pushes p WHERE p.site_id = h.site_id AND p.state IN ('Sending', 'Unknown')) AS unknown,
    CASE WHEN h.state = 'Ready' THEN (SELECT min(p.sent_utc) FROM order_pushes p WHERE p.site_id = h.site_id AND p.state IN ('Sending', 'Unknown')) END AS unknown_utc,
    CASE WHEN ${isOpenSql('h')} THEN (SELECT min(p.next_attempt_utc) FROM order_pushes p WHERE p.site_id = h.site_id AND p.next_attempt_utc <= now()) END AS due_utc
  FROM site_shops h WHERE h.push
)
SELECT coalesce(sum(o.waiting), 0)::float8 AS waiting, coalesce(sum(o.unknown), 0)::float8 AS unknown,
  coalesce(extract(epoch FROM now() - min(o.unknown_utc)), 0)::float8 AS unknown_age,
  coalesce(extract(epoch FROM now() - min(o.due_utc)), 0)::float8 AS due_age,
  (SELECT jsonb_object_agg(s.state, s.count) FROM (SELECT state, count(*) AS count FROM open GROUP BY 1) s) AS shops
FROM open o`;

/** What has not arrived yet. */
export interface PushBacklog {
  readonly waiting: number;
  readonly unknown: number;
  /** Seconds, as the next one: since the oldest of these was sent into a shop that is Ready. */
  readonly unknownAge: number;
  readonly dueAge: number;
  /** How many shops are in each state; a state without any is left out. */
  readonly shops: Readonly<Partial<Record<ShopState, number>>> | null;
}

export async function readPushBacklog(executor: SqlExecutor): Promise<PushBacklog> {
  const [row] = await executor.execute<PushBacklog>(PUSH_BACKLOG);
  return row!;
}

/**
 * What was put off while the database's clock was ahead, and what was sent then, as if it were now: it is looked up.
 * ix_order_pushes_due. $1 limit.
 */
export const PUT_BACK_PUSHES = `UPDATE order_pushes p SET next_attempt_utc = now(), lease_until_utc = NULL, sent_utc = ${backSql('p.sent_utc')}, updated_utc = now()
WHERE (p.scheduled_order_id, p.cycle) IN (SELECT a.scheduled_order_id, a.cycle FROM order_pushes a
  WHERE a.next_attempt_utc > now() AND ${aheadSql('a.updated_utc')} ORDER BY a.scheduled_order_id, a.cycle LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
RETURNING 1`;

/** The same of the breakers. pk_site_shops. $1 limit. */
export const PUT_BACK_SHOPS = `UPDATE site_shops h SET not_before_utc = ${backSql('h.not_before_utc')}, failing_since_utc = ${backSql('h.failing_since_utc')}, updated_utc = now()
WHERE h.site_id IN (SELECT a.site_id FROM site_shops a WHERE ${aheadSql('a.updated_utc')} ORDER BY a.site_id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
RETURNING 1`;

/** Shops first, as everybody locks. @returns how many rows were changed. */
export async function putBackPushes(pool: SqlExecutor, most: number): Promise<number> {
  const shops = await pool.execute(PUT_BACK_SHOPS, [most]);
  const pushes = await pool.execute(PUT_BACK_PUSHES, [most]);
  return shops.length + pushes.length;
}
