import type { ENDS_IN_SHOP } from '#libs/entities';
import { insertOutboxSql } from '#libs/events';
import { Batch, type SqlExecutor, Statement } from '#libs/platform';
import { nextUpdatedUtc } from '#libs/records';
import { WAKE_IF_PUBLISHED } from '../statements/published.js';
import { isOfThisShopSql } from './shop.js';

/** An order with a push name, as the shop has it now. */
export interface SeenInShop {
  readonly shopOrderId: string;
  readonly pushName: string;
  /** Null: the shop does not say. */
  readonly number: string | null;
  readonly completedUtc: Date | null;
  /** Somebody may pack it, or pay it. */
  readonly isLiving: boolean;
  readonly ended: (typeof ENDS_IN_SHOP)[number] | null;
}

/** What nobody here has made, as it seems: push names, each with the id of the order in the shop. */
export interface Unexpected {
  /** `Twin`: of an Order that is pushed, under another id or none yet. `Unknown`: nothing is pushed under this name. */
  readonly kind: 'Twin' | 'Unknown';
  readonly pushName: string;
  readonly shopOrderId: string;
}

const SEEN = new Batch(
  {
    shop_order_id: 'text',
    push_name: 'text',
    number: 'text',
    completed_utc: 'timestamptz',
    is_living: 'boolean',
    ended: 'text',
  },
  2,
);

/**
 * Writes what has changed of Orders that have arrived, and events of those that were ended, once, also where two
 * workers have read the shop. A number that the merchant has written here stays until the shop's own changes. The
 * scheduled orders are locked first, as whoever pushes does: the events of an order are numbered in the order of the
 * commits.
 * uq_order_pushes_name, pk_order_pushes, pk_orders, pk_scheduled_orders. $1 site.
 */
const RECORD_SEEN = Statement.named(`WITH b AS MATERIALIZED (
  SELECT * FROM ${SEEN.sql}
), found AS MATERIALIZED (
  SELECT b.*, p.site_id, p.scheduled_order_id, p.cycle, p.order_id, p.state, p.shop_order_id AS known_id, p.shop_order_number AS known_number,
    p.ended_in_shop AS known_end
  FROM b JOIN order_pushes p ON p.site_id = $1 AND p.push_name = b.push_name
), echo AS MATERIALIZED (
  SELECT f.*, f.ended IS DISTINCT FROM f.known_end AS is_otherwise, f.number IS NOT NULL AND f.number IS DISTINCT FROM f.known_number AS is_renumbered
  FROM found f WHERE f.known_id = f.shop_order_id AND f.state IN ('Pushed', 'Differs')
), locked AS MATERIALIZED (
  SELECT o.id FROM scheduled_orders o WHERE o.id IN (SELECT e.scheduled_order_id FROM echo e WHERE e.is_otherwise OR e.is_renumbered) ORDER BY o.id FOR NO KEY UPDATE
), pushes AS (
  UPDATE order_pushes p SET shop_order_number = coalesce(e.number, p.shop_order_number), ended_in_shop = e.ended, updated_utc = now()
  FROM echo e
  WHERE p.scheduled_order_id = e.scheduled_order_id AND p.cycle = e.cycle AND p.site_id = $1 AND (e.is_otherwise OR e.is_renumbered)
    AND (p.ended_in_shop, p.shop_order_number) IS NOT DISTINCT FROM (e.known_end, e.known_number) AND (SELECT count(*) FROM locked) >= 0
  RETURNING p.site_id, p.scheduled_order_id, p.cycle, p.order_id, p.shop_order_id, e.ended, e.is_otherwise
), written AS (
  UPDATE orders o SET order_number = CASE WHEN e.is_renumbered THEN e.number ELSE o.order_number END,
    date_completed = coalesce(o.date_completed, e.completed_utc), updated_utc = ${nextUpdatedUtc('o')}
  FROM echo e
  WHERE o.id = e.order_id AND o.site_id = $1 AND o.deleted_utc IS NULL AND (SELECT count(*) FROM locked) >= 0
    AND (e.is_renumbered OR o.date_completed IS NULL AND e.completed_utc IS NOT NULL)
), event AS (
  SELECT p.site_id, p.scheduled_order_id, (CASE p.ended WHEN 'Refunded' THEN 'order.refunded_in_shop' ELSE 'order.cancelled_in_shop' END)::varchar AS type,
    NULL::uuid AS log_id,
    jsonb_build_object('Cycle', p.cycle, 'OrderId', p.order_id, 'ShopOrderId', p.shop_order_id)
      || CASE p.ended WHEN 'Refunded' THEN '{}' ELSE jsonb_build_object('Reason', p.ended) END AS facts
  FROM pushes p WHERE p.is_otherwise AND p.ended IS NOT NULL
), published AS (${insertOutboxSql('event', 'site_id')}
)
SELECT (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', CASE WHEN f.push_name IS NULL THEN 'Unknown' ELSE 'Twin' END,
    'pushName', b.push_name, 'shopOrderId', b.shop_order_id)), '[]')
  FROM b LEFT JOIN found f ON f.push_name = b.push_name AND f.shop_order_id = b.shop_order_id
  WHERE b.is_living AND (f.push_name IS NULL OR f.known_id IS DISTINCT FROM f.shop_order_id)) AS unexpected, ${WAKE_IF_PUBLISHED}`);

/**
 * Under whose names orders were pushed into the shop. One that a person has linked has its name here alone.
 * uq_orders_external_id, uq_order_pushes_order, pk_site_shops. $1 site, $2 ids in the shop.
 */
const NAMES = Statement.named(`SELECT p.push_name, p.shop_order_id, p.is_linked
FROM orders o JOIN order_pushes p ON p.site_id = $1 AND p.order_id = o.id JOIN site_shops h ON h.site_id = $1 AND ${isOfThisShopSql('p', 'h')}
WHERE o.site_id = $1 AND o.external_id = ANY ($2::text[]) AND o.deleted_utc IS NULL AND p.shop_order_id = o.external_id`);

/** uq_order_pushes_name. $1 site, $2 push name. */
const IS_PUSHED = Statement.named(`SELECT 1 FROM order_pushes p WHERE p.site_id = $1 AND p.push_name = $2`);

/**
 * The pushes worker looks it up again: it judges twins, also of what is a person's. What waits for a look-up has it
 * anyway. uq_order_pushes_name. $1 site, $2 push names.
 */
const LOOK_UP_AGAIN = Statement.named(`UPDATE order_pushes p SET next_attempt_utc = now(), updated_utc = now()
WHERE p.site_id = $1 AND p.push_name = ANY ($2::text[]) AND p.state IN ('Pushed', 'Differs', 'Failed') AND (p.next_attempt_utc IS NULL OR p.next_attempt_utc > now())`);

/** Of each name and id once. @returns what is unexpected; of twins the ledger looks them up again. */
export async function recordSeenInShop(
  executor: SqlExecutor,
  siteId: number,
  seen: readonly SeenInShop[],
): Promise<Unexpected[]> {
  if (seen.length === 0) return [];
  const rows = seen.map((one) => ({
    shop_order_id: one.shopOrderId,
    push_name: one.pushName,
    number: one.number,
    completed_utc: one.completedUtc,
    is_living: one.isLiving,
    ended: one.ended,
  }));
  const [found] = await executor.execute<{ unexpected: Unexpected[] }>(RECORD_SEEN, [siteId, ...SEEN.values(rows)]);
  const { unexpected } = found!;
  const twins = unexpected.filter(({ kind }) => kind === 'Twin').map(({ pushName }) => pushName);
  if (twins.length > 0) await executor.execute(LOOK_UP_AGAIN, [siteId, twins]);
  return unexpected;
}

/** Whether an Order is pushed under this name. */
export const isPushed = async (executor: SqlExecutor, siteId: number, pushName: string): Promise<boolean> =>
  (await executor.execute(IS_PUSHED, [siteId, pushName])).length > 0;

/** The push names of orders in a shop; those that were not pushed are left out. */
export const pushNamesOf = (
  executor: SqlExecutor,
  siteId: number,
  shopOrderIds: readonly string[],
): Promise<{ pushName: string; shopOrderId: string; isLinked: boolean }[]> =>
  executor.execute(NAMES, [siteId, shopOrderIds]);
