import { type OrderPush, PUSH_STATES, type PushState } from '#libs/entities';
import { type SqlExecutor, Statement } from '#libs/platform';
import { MOST_COUNTED } from '#libs/records';
import { type PushKey, pushView } from './push-requests.sql.js';

/** What an Order is named by, as SQL. */
interface PushedSql {
  readonly siteId: string;
  readonly scheduledOrderId: string;
  readonly cycle: string;
  readonly orderId: string;
  /** In decimals, as charged. */
  readonly total: string;
}

/** SQL: what is pushed of an Order, as JSON; without a row it is `Off`. uq_order_pushes_order. */
export const pushOrOffSql = ({ siteId, scheduledOrderId, cycle, orderId, total }: PushedSql): string => `coalesce(
    (SELECT ${pushView.json('p')} FROM order_pushes p WHERE p.site_id = ${siteId} AND p.order_id = ${orderId}),
    json_build_object('SiteId', ${siteId}, 'ScheduledOrderId', ${scheduledOrderId}, 'Cycle', ${cycle}, 'OrderId', ${orderId}, 'State', 'Off',
      'ShopOrderId', NULL, 'ShopOrderNumber', NULL, 'ShopTotal', NULL, 'ChargedTotal', trim_scale(${total}), 'LinesThatDiffer', '[]'::jsonb,
      'EndedInShop', NULL, 'Attempts', 0, 'Message', NULL, 'NextAttemptUtc', NULL, 'CreatedUtc', NULL, 'UpdatedUtc', NULL))::text`;

/**
 * SQL: the pushes of a scheduled order, a row each, with when its cycle was recorded by a test clock (null for a real
 * site). `orderId`: SQL. pk_order_pushes, pk_processing_cycles.
 */
export const pushesOfOrderSql = (
  orderId: string,
): string => `(SELECT p.*, (SELECT c.occurred_utc FROM processing_cycles c WHERE c.scheduled_order_id = p.scheduled_order_id AND c.cycle = p.cycle) AS occurred_utc
    FROM order_pushes p WHERE p.scheduled_order_id = ${orderId})`;

/** pk_order_pushes. $1 order, $2 cycle. */
const ONE = Statement.named(
  `SELECT ${pushView.json('p')}::text AS json FROM order_pushes p WHERE p.scheduled_order_id = $1 AND p.cycle = $2`,
);

/** A push that there is, as JSON. */
export async function readPush(executor: SqlExecutor, { scheduledOrderId, cycle }: PushKey): Promise<string> {
  const [push] = await executor.execute<{ json: string }>(ONE, [scheduledOrderId, cycle]);
  return push!.json;
}

/** pk_order_pushes. $1 order, $2 cycle. */
const STANDING =
  Statement.named(`SELECT p.state, p.order_id, p.shop_order_id, p.shop_order_number, p.message, p.next_attempt_utc
  FROM order_pushes p WHERE p.scheduled_order_id = $1 AND p.cycle = $2`);

/** How an Order stands in the shop. */
export type PushStanding = Pick<
  OrderPush,
  'state' | 'orderId' | 'shopOrderId' | 'shopOrderNumber' | 'message' | 'nextAttemptUtc'
>;

/** Null: nothing is pushed. */
export async function readPushStanding(executor: SqlExecutor, key: PushKey): Promise<PushStanding | null> {
  const [row] = await executor.execute<PushStanding>(STANDING, [key.scheduledOrderId, key.cycle]);
  return row ?? null;
}

/** Of each state by ix_order_pushes_state. $1 site, $2 states, $3 below this Order, $4 how many. */
const page = (columns: string): Statement =>
  Statement.named(`SELECT x.order_id, ${columns}
FROM unnest($2::varchar[]) AS s (state) CROSS JOIN LATERAL (
  SELECT p.* FROM order_pushes p WHERE p.site_id = $1 AND p.state = s.state AND p.order_id < $3
  ORDER BY p.order_id DESC LIMIT $4) x
ORDER BY x.order_id DESC LIMIT $4`);
const PAGE = page(`${pushView.json('x')}::text AS json`);
const PAGE_OF_CELLS = page(`${pushView.cells('x')} AS cells`);

/** Counted as far as counts go. ix_order_pushes_state. $1 site, $2 states. */
const COUNT = Statement.named(`SELECT count(*)::int AS count FROM (
  SELECT FROM order_pushes p WHERE p.site_id = $1 AND p.state = ANY ($2::varchar[]) LIMIT ${MOST_COUNTED + 1}) n`);

/** Which pushes of a site. */
export interface WantedPushes {
  readonly siteId: number;
  /** Null: in any. */
  readonly state: PushState | null;
  /** Those of Orders with a lower id; null: from the newest on. */
  readonly before: number | null;
}

const valuesOf = ({ siteId, state, before }: WantedPushes, most: number) => [
  ...[siteId, state === null ? PUSH_STATES : [state]],
  ...[before ?? Number.MAX_SAFE_INTEGER, most],
];

/** The newest ones, as JSON. */
export const readPushes = (executor: SqlExecutor, wanted: WantedPushes, most: number) =>
  executor.execute<{ orderId: number; json: string }>(PAGE, valuesOf(wanted, most));

/** The same as rows of a table, each value as JSON, in the order of `pushView.columns`. */
export const readPushCells = (executor: SqlExecutor, wanted: WantedPushes, most: number) =>
  executor.execute<{ orderId: number; cells: string[] }>(PAGE_OF_CELLS, valuesOf(wanted, most));

/** How many there are; one more than `MOST_COUNTED` stands for more. */
export async function countPushes(
  executor: SqlExecutor,
  { siteId, state }: Omit<WantedPushes, 'before'>,
): Promise<number> {
  const [row] = await executor.execute<{ count: number }>(COUNT, [siteId, state === null ? PUSH_STATES : [state]]);
  return row!.count;
}
