import { here, type KnownDatabase, type PushState } from '#libs/entities';
import { writeEvent } from '#libs/events';
import {
  type ConnectionPool,
  constraintOf,
  isUniqueViolation,
  NamedValues,
  type SqlExecutor,
  type Transaction,
} from '#libs/platform';
import { nextUpdatedUtc } from '#libs/records';
import type { LineDifference, Sellable, ShopOrder } from '#libs/shops';
import { type ClaimedPush, PUSH_LEASE } from './push-claim.sql.js';
import { recordShop, type ShopAnswer, type ShopChange } from './push-shops.sql.js';

const OF_PUSH = new NamedValues({ scheduledOrderId: 'bigint', cycle: 'bigint', claim: 'bigint' });
const OF_ORDER_IN_SHOP = OF_PUSH.and({ shopOrderId: 'text', shopOrderNumber: 'text', shopTotal: 'text' });

/** SQL: the push is still this claim's. */
const FENCE = `p.scheduled_order_id = ${OF_PUSH.$.scheduledOrderId} AND p.cycle = ${OF_PUSH.$.cycle} AND p.claim = ${OF_PUSH.$.claim}`;

/** SQL: what the shop says of the order; what it does not say stays, where `stays`. */
const shopOrderSql = (stays: string): string => {
  const { shopOrderId, shopOrderNumber, shopTotal } = OF_ORDER_IN_SHOP.$;
  const known = (column: string, value: string) =>
    `${column} = coalesce(${value}, CASE WHEN ${stays} THEN p.${column} END)`;
  return `${known('shop_order_id', shopOrderId)}, ${known('shop_order_number', shopOrderNumber)}, ${known('shop_total', `${shopTotal}::numeric`)}`;
};

const BEGIN = OF_ORDER_IN_SHOP.and({ generation: 'bigint', lsn: 'text' });

/** Before a create or a payment is sent; of both the tries are counted anew. pk_order_pushes. */
export const BEGIN_SENDING = `UPDATE order_pushes p SET state = 'Sending', message = NULL, sent_utc = now(), found_nothing = 0,
  sends = CASE WHEN p.shop_order_id IS NOT DISTINCT FROM ${BEGIN.$.shopOrderId} THEN p.sends ELSE 0 END + 1, lease_until_utc = now() + ${PUSH_LEASE},
  next_attempt_utc = now() + ${PUSH_LEASE}, updated_utc = now(), ${shopOrderSql('true')}
WHERE ${FENCE} AND ${here(BEGIN.$.generation, BEGIN.$.lsn)}
RETURNING p.cycle`;

const RESULT = OF_ORDER_IN_SHOP.and({
  state: 'text',
  attempts: 'bigint',
  foundNothing: 'bigint',
  sentUtc: 'timestamptz',
  isReported: 'boolean',
  message: 'text',
  lines: 'jsonb',
  nextMs: 'float8',
  isGone: 'boolean',
});

/** The claim rises, so that a result counts once, also when its transaction is repeated. pk_order_pushes. */
export const RECORD_PUSH = `UPDATE order_pushes p SET state = ${RESULT.$.state}, attempts = ${RESULT.$.attempts}, found_nothing = ${RESULT.$.foundNothing},
  sends = CASE WHEN ${RESULT.$.state}::varchar = 'Unknown' AND p.shop_order_id IS NOT DISTINCT FROM coalesce(${RESULT.$.shopOrderId}, p.shop_order_id) THEN p.sends ELSE 0 END,
  sent_utc = coalesce(p.sent_utc, ${RESULT.$.sentUtc}), message = CASE WHEN ${RESULT.$.isReported} THEN ${RESULT.$.message} ELSE p.message END,
  lines_that_differ = CASE WHEN ${RESULT.$.isReported} THEN ${RESULT.$.lines}::jsonb ELSE p.lines_that_differ END,
  next_attempt_utc = now() + ${RESULT.$.nextMs} * interval '1 millisecond', lease_until_utc = NULL, claim = p.claim + 1, updated_utc = now(),
  ${shopOrderSql(`NOT ${RESULT.$.isGone}`)}
WHERE ${FENCE}
RETURNING p.cycle`;

const TWINS = OF_PUSH.and({ twins: 'jsonb' });

/** Before they are deleted. pk_order_pushes. */
export const BEGIN_REMOVING = `UPDATE order_pushes p SET removing_twins = ${TWINS.$.twins}::jsonb, updated_utc = now() WHERE ${FENCE} RETURNING p.cycle`;

const TWIN = OF_PUSH.and({ twin: 'text' });

/** Once, whoever has deleted it. pk_order_pushes. */
export const TWIN_REMOVED = `UPDATE order_pushes p SET removing_twins = p.removing_twins - ${TWIN.$.twin}::text, updated_utc = now()
WHERE ${FENCE} AND p.removing_twins @> to_jsonb(${TWIN.$.twin}::text)
RETURNING p.cycle`;

/** Events of an order are numbered in the order of their commits. pk_scheduled_orders. $1 order. */
export const LOCK_ORDER_OF_PUSH = `SELECT 1 FROM scheduled_orders WHERE id = $1 FOR NO KEY UPDATE`;

const IDS = new NamedValues({
  siteId: 'bigint',
  orderId: 'bigint',
  externalId: 'text',
  orderNumber: 'text',
  previousId: 'text',
});

/**
 * Gives an Order the shop's id and number, unless another living Order has the id, or it has one of its own that no
 * push gave it. pk_orders, uq_orders_external_id.
 */
export const GIVE_EXTERNAL_ID = `WITH other AS (
  SELECT o.id FROM orders o WHERE o.site_id = ${IDS.$.siteId} AND o.external_id = ${IDS.$.externalId} AND o.deleted_utc IS NULL AND o.id <> ${IDS.$.orderId}
), given AS (
  UPDATE orders o SET external_id = ${IDS.$.externalId}, order_number = coalesce(${IDS.$.orderNumber}, o.order_number), updated_utc = ${nextUpdatedUtc('o')}
  WHERE o.id = ${IDS.$.orderId} AND NOT EXISTS (SELECT FROM other) AND (o.external_id IS NULL OR o.external_id IN (${IDS.$.externalId}, ${IDS.$.previousId}))
  RETURNING o.id
)
SELECT (SELECT id FROM other) AS other_id, (SELECT o.external_id FROM orders o WHERE o.id = ${IDS.$.orderId}) AS own, EXISTS (SELECT FROM given) AS given`;

/** What a push gave to its Order is taken back. pk_orders. $1 Order, $2 the shop's id. */
export const TAKE_EXTERNAL_ID = `UPDATE orders o SET external_id = NULL, order_number = NULL, updated_utc = ${nextUpdatedUtc('o')}
WHERE o.id = $1 AND o.external_id = $2`;

/** What the shop says of an order that it has. */
type InShop = Pick<ShopOrder, 'id' | 'number' | 'total'>;

/** What one try has shown, and what is to be written of it. */
export interface PushResult {
  readonly state: PushState;
  /** Tries that are used up now. */
  readonly attempts: number;
  readonly foundNothing: number;
  /** Where the row has no time of a sending, but something may be under way since then; else null. */
  readonly sentUtc: Date | null;
  /** What merchants read; null: as before. */
  readonly report: { readonly message: string | null; readonly lines: readonly LineDifference[] } | null;
  /** Until the next try or look-up; null: there is none. */
  readonly nextMs: number | null;
  /** Null: nothing new is known. */
  readonly shopOrder: InShop | null;
  /** The shop has none of its orders any more. */
  readonly isGone: boolean;
  /** What was charged, where the shop's total is another; else null. */
  readonly chargedTotal: string | null;
  readonly shop: ShopAnswer;
  /** What it has said of its products: `recordSellable` writes it, when all else is written. */
  readonly products: readonly Sellable[];
}

/** What was written; null: another worker has the push, or has recorded it. */
export interface RecordedPush {
  readonly state: PushState;
  readonly message: string | null;
  readonly shop: ShopChange;
}

/** Longer ones are of no shop. */
const AMOUNT = /^\d{1,16}(\.\d+)?$/;
const LONGEST_MESSAGE = 1_000;
/** Facts of an event are small. */
const LONGEST_REASON = 200;

const keyOf = ({ scheduledOrderId, cycle, claim }: ClaimedPush) => ({ scheduledOrderId, cycle, claim });

/** PostgreSQL stores no NUL, which a shop may send. */
const stored = (text: string, longest: number): string => text.replaceAll('\0', '').slice(0, longest);

const inShop = (order: InShop | null) => ({
  shopOrderId: order === null || order.id === '' ? null : stored(order.id, 255),
  shopOrderNumber: order?.number == null ? null : stored(order.number, 255),
  shopTotal: order !== null && AMOUNT.test(order.total) ? order.total : null,
});

/**
 * Writes that something is about to be sent, and what the shop has said of the order until now. False: nothing may be
 * sent, because another worker has the push.
 * @throws an error with code SO001 in another database than the one that is known.
 */
export async function beginSending(
  executor: SqlExecutor,
  { generation, lsn }: KnownDatabase,
  row: ClaimedPush,
  order: InShop | null,
): Promise<boolean> {
  const values = BEGIN.values({ generation, lsn, ...inShop(order), ...keyOf(row) });
  return (await executor.execute(BEGIN_SENDING, values)).length > 0;
}

/**
 * Writes which orders of the push are about to be deleted in the shop, so that whoever finds one of them gone tells of
 * it (`recordTwinRemoved`). False: another worker has the push.
 */
export async function beginRemoving(
  executor: SqlExecutor,
  row: ClaimedPush,
  twins: readonly string[],
): Promise<boolean> {
  const values = TWINS.values({ twins: JSON.stringify(twins), ...keyOf(row) });
  return (await executor.execute(BEGIN_REMOVING, values)).length > 0;
}

/** An order of the push that nobody had paid was deleted in the shop, beside the one that stays. It may be repeated. */
export function recordTwinRemoved(pool: ConnectionPool, row: ClaimedPush, twin: string): Promise<void> {
  return pool.transaction(async (tx) => {
    await tx.execute(LOCK_ORDER_OF_PUSH, [row.scheduledOrderId]);
    const removed = await tx.execute(TWIN_REMOVED, TWIN.values({ twin, ...keyOf(row) }));
    if (removed.length > 0) await publish(tx, row, 'order.twin_removed', { ShopOrderId: twin });
  });
}

/** Another worker has the push, or has recorded it. */
class PushLost extends Error {
  override readonly name = 'PushLost';
}

/** Writes what a try has shown, of the push and of the shop, with its events. It may be repeated. */
export async function recordPush(
  pool: ConnectionPool,
  row: ClaimedPush,
  result: PushResult,
): Promise<RecordedPush | null> {
  for (let again = true; ; again = false) {
    try {
      return await pool.transaction((tx) => recordIn(tx, row, result));
    } catch (error) {
      if (error instanceof PushLost) return null;
      // Another Order has got the id in this moment: now it is seen.
      const isTaken = isUniqueViolation(error) && constraintOf(error)?.startsWith('uq_orders_external_id') === true;
      if (!isTaken || !again) throw error;
    }
  }
}

/** @throws PushLost: nothing of it may stay, nor what it says of the shop and of the Order. */
async function recordIn(tx: Transaction, row: ClaimedPush, result: PushResult): Promise<RecordedPush> {
  await tx.execute(LOCK_ORDER_OF_PUSH, [row.scheduledOrderId]);
  const shop = await recordShop(tx, row, result.shop);
  const refusal = await giveId(tx, row, result);
  if (result.isGone && row.shopOrderId !== null) await tx.execute(TAKE_EXTERNAL_ID, [row.orderId, row.shopOrderId]);
  const state = refusal === null ? result.state : 'Differs';
  const words = refusal ?? result.report?.message ?? null;
  const message = words === null ? null : stored(words, LONGEST_MESSAGE);
  const differing = result.report?.lines ?? [];
  const { attempts, foundNothing, sentUtc, nextMs, shopOrder, isGone } = result;
  const lines = differing.length === 0 ? null : JSON.stringify(differing.map(wireLine));
  const shown = { state, isReported: result.report !== null, message, lines };
  const values = { attempts, foundNothing, sentUtc, nextMs, isGone, ...shown, ...inShop(shopOrder), ...keyOf(row) };
  const [recorded] = await tx.execute(RECORD_PUSH, RESULT.values(values));
  if (recorded === undefined) throw new PushLost();
  await publishResult(tx, row, result, { state, message });
  return { state, message, shop };
}

const wireLine = ({ productExternalId, ours, theirs }: LineDifference) => ({
  ProductExternalId: productExternalId === null ? null : stored(productExternalId, 255),
  Ours: ours,
  Theirs: theirs,
});

/** @returns why a push that has arrived differs all the same: its Order cannot have the shop's id. */
async function giveId(tx: Transaction, row: ClaimedPush, { state, shopOrder }: PushResult): Promise<string | null> {
  const { shopOrderId: externalId, shopOrderNumber: orderNumber } = inShop(shopOrder);
  if ((state !== 'Pushed' && state !== 'Differs') || externalId === null) return null;
  const fault = await giveExternalId(tx, row, { externalId, orderNumber });
  return state === 'Pushed' ? fault : null;
}

/** @returns a sentence where the Order cannot have it; null: it has it. */
export async function giveExternalId(
  tx: Transaction,
  { siteId, orderId, shopOrderId: previousId }: Pick<ClaimedPush, 'siteId' | 'orderId' | 'shopOrderId'>,
  { externalId, orderNumber }: { readonly externalId: string; readonly orderNumber: string | null },
): Promise<string | null> {
  const [row] = await tx.execute<{ otherId: number | null; own: string | null; given: boolean }>(
    GIVE_EXTERNAL_ID,
    IDS.values({ siteId, orderId, externalId, orderNumber, previousId }),
  );
  const { otherId, own, given } = row!;
  if (given) return null;
  if (otherId !== null) return `The shop's order ${externalId} is Order ${otherId} already.`;
  return `The shop has it as ${externalId}, but the Order has another ExternalId: ${own}.`;
}

async function publishResult(
  tx: Transaction,
  row: ClaimedPush,
  { shopOrder, chargedTotal }: PushResult,
  { state, message }: Pick<RecordedPush, 'state' | 'message'>,
): Promise<void> {
  const ShopOrderId = inShop(shopOrder).shopOrderId ?? row.shopOrderId;
  if (chargedTotal !== null && shopOrder !== null)
    await publish(tx, row, 'order.total_differs', {
      ShopOrderId,
      Total: chargedTotal,
      ShopTotal: shopOrder.total.slice(0, 32),
    });
  const isNews = state !== row.state || (state === 'Differs' && message !== null && message !== row.message);
  if (!isNews) return;
  if (state === 'Pushed') await publish(tx, row, 'order.pushed', { ShopOrderId });
  if (state === 'Differs' || state === 'Failed')
    await publish(tx, row, 'order.push_failed', {
      State: state,
      ShopOrderId,
      Reason: message?.slice(0, LONGEST_REASON) ?? '',
    });
}

/** With the scheduled order locked. */
export async function publish(
  tx: Transaction,
  { siteId, scheduledOrderId, cycle, orderId }: Pick<ClaimedPush, 'siteId' | 'scheduledOrderId' | 'cycle' | 'orderId'>,
  type: 'order.pushed' | 'order.push_failed' | 'order.total_differs' | 'order.twin_removed',
  facts: Readonly<Record<string, string | null>>,
): Promise<void> {
  await writeEvent(tx, { siteId, scheduledOrderId, type, facts: { Cycle: cycle, OrderId: orderId, ...facts } });
}
