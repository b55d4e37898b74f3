import { businessNowSql } from '#libs/entities';
import { Batch, type SqlExecutor, Statement, type Transaction } from '#libs/platform';
import { FAILURE_CODES } from '#libs/rules';
import type { Receiver, Sellable } from '#libs/shops';
import { notifySql } from '../notify.js';

const { code } = FAILURE_CODES.NotPushable;

/** SQL: whether what the shop `alias` cannot take is held before it is charged. */
const HOLDS = (alias: string) => `${alias}.push AND NOT ${alias}.push_anyway`;

/**
 * SQL: what must be able to take the Orders of a site of a batch; null: nothing is pushed there, or all is charged
 * anyway. Those of the batch are read once a statement. `siteIds`: SQL, an array. pk_site_shops.
 */
export const receiverInBatchSql = (siteIds: string, siteId: string): string =>
  `(SELECT jsonb_object_agg(h.site_id, h.receiver) FROM site_shops h WHERE h.site_id = ANY (${siteIds}) AND ${HOLDS('h')}) ->> ${siteId}::text`;

/** pk_site_shops. $1 site. */
const RECEIVER = Statement.named(`SELECT h.receiver FROM site_shops h WHERE h.site_id = $1 AND ${HOLDS('h')}`);

/** The same for one site. */
export async function readReceiver(executor: SqlExecutor, siteId: number): Promise<Receiver | null> {
  const [shop] = await executor.execute<{ receiver: Receiver }>(RECEIVER, [siteId]);
  return shop?.receiver ?? null;
}

/**
 * Nothing waits for what another transaction has: who has a cycle judges it. ix_processing_cycles_failure,
 * pk_processing_cycles. $1 site, $2 order or null.
 */
const JUDGE_ANEW = Statement.named(`WITH held AS MATERIALIZED (
  SELECT c.scheduled_order_id, c.cycle FROM processing_cycles c
  WHERE c.site_id = $1 AND c.open AND c.failure_code = ${code} AND c.held_for = ${code} AND c.worker IS NULL AND (c.next_attempt_utc <= now()) IS NOT TRUE
    AND ($2::bigint IS NULL OR c.scheduled_order_id = $2)
  FOR NO KEY UPDATE SKIP LOCKED
), lifted AS (
  UPDATE processing_cycles c SET next_attempt_utc = (SELECT ${businessNowSql('c')}), updated_utc = now()
  FROM held h WHERE c.scheduled_order_id = h.scheduled_order_id AND c.cycle = h.cycle
  RETURNING c.simulated
)
SELECT ${notifySql('lifted.simulated')} FROM lifted`);

/**
 * After a change of what an order consists of, or (order null) of a site's products or shop: the cycles that were held
 * because the shop could not take their Orders (decisions.md §9, 1010) are looked at at once.
 */
export async function judgePushableAnew(tx: Transaction, siteId: number, orderId: number | null): Promise<void> {
  await tx.execute(JUDGE_ANEW, [siteId, orderId]);
}

const SELLABLE = new Batch({ external_id: 'text', unsellable: 'text' }, 2);

/** Locked in the order of their ids, as whoever writes several products does. uq_products_external_id. $1 site. */
const RECORD_SELLABLE = Statement.named(`WITH b AS MATERIALIZED (
  SELECT p.id, left(b.unsellable, 500) AS unsellable FROM ${SELLABLE.sql} JOIN products p ON p.site_id = $1 AND p.external_id = b.external_id
  WHERE p.deleted_utc IS NULL AND p.unsellable IS DISTINCT FROM left(b.unsellable, 500)
  ORDER BY p.id FOR NO KEY UPDATE OF p
)
UPDATE products p SET unsellable = b.unsellable FROM b WHERE p.id = b.id RETURNING p.unsellable`);

/**
 * What a shop has said of its products: an Order with one that it does not sell is not charged from now on. Nothing of
 * an Order may be locked: other Orders are judged anew.
 */
export async function recordSellable(tx: Transaction, siteId: number, products: readonly Sellable[]): Promise<void> {
  if (products.length === 0) return;
  const rows = products.map(({ productExternalId: external_id, unsellable }) => ({ external_id, unsellable }));
  const changed = await tx.execute<{ unsellable: string | null }>(RECORD_SELLABLE, [siteId, ...SELLABLE.values(rows)]);
  if (changed.some(({ unsellable }) => unsellable === null)) await judgePushableAnew(tx, siteId, null);
}
