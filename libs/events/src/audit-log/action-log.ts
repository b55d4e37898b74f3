import { occurredSql } from '#libs/entities';
import { NamedValues, prepared, type Transaction } from '#libs/platform';
import {
  accessTokenView,
  apiKeyTokenView,
  type Caller,
  commandTokenSql,
  LargeRecord,
  type RecordJson,
  recordJson,
  scheduledOrderView,
} from '#libs/records';
import { insertOutboxSql, type OutwardType } from '../outbox/index.js';
import { KEPT_PREVIOUS } from './order-snapshot.js';

/** The kinds of change that a request makes to a scheduled order (decisions.md §10). */
export const ACTION_TYPES = [
  'CreateScheduledOrder',
  'UpdateScheduledOrder',
  'PauseScheduledOrder',
  'ActivateScheduledOrder',
  'DeleteScheduledOrder',
  'CreateScheduledOrderItem',
  'UpdateScheduledOrderItem',
  'DeleteScheduledOrderItem',
  'RescheduleScheduledOrder',
  'SkipScheduledOrder',
  'RetryScheduledOrder',
] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

/** The event that tells a change to the outside. */
const PUBLISHED_AS: Readonly<Record<ActionType, OutwardType>> = {
  CreateScheduledOrder: 'scheduled_order.created',
  UpdateScheduledOrder: 'scheduled_order.updated',
  PauseScheduledOrder: 'scheduled_order.paused',
  ActivateScheduledOrder: 'scheduled_order.activated',
  DeleteScheduledOrder: 'scheduled_order.deleted',
  CreateScheduledOrderItem: 'scheduled_order.item_created',
  UpdateScheduledOrderItem: 'scheduled_order.item_updated',
  DeleteScheduledOrderItem: 'scheduled_order.item_deleted',
  RescheduleScheduledOrder: 'scheduled_order.rescheduled',
  SkipScheduledOrder: 'scheduled_order.skipped',
  RetryScheduledOrder: 'scheduled_order.retry_requested',
};

export interface Action {
  readonly actionType: ActionType;
  readonly scheduledOrderId: number;
  /** Who sent the request. The snapshot of its token, or API key, has no secret. Null: a command. */
  readonly caller: Caller | null;
  /** The order before the change, as `snapshot` read it under the order's lock; null when it was created. */
  readonly previous: RecordJson | null;
  readonly description: string;
  /** The item that was changed by itself. */
  readonly itemId?: number;
  /** The event that tells it, where that is another one than of its type. */
  readonly publishedAs?: OutwardType;
}

/** SQL: the token with this id; or, where `isKey` holds, the API key in a token's form. Both are SQL. */
const tokenSql = (
  id: string,
  isKey: string,
) => `CASE WHEN ${isKey} THEN (SELECT ${apiKeyTokenView.json('k')} FROM api_keys k WHERE k.id = ${id})
  ELSE (SELECT ${accessTokenView.json('t')} FROM access_tokens t WHERE t.id = ${id}) END`;

/** SQL: the same; or, without an id, what stands for a command. */
const askerSql = (siteId: string, id: string, isKey: string) =>
  `CASE WHEN ${id}::bigint IS NULL THEN ${commandTokenSql(siteId)} ELSE ${tokenSql(id, isKey)} END`;

const ENTRY = new NamedValues({
  tokenId: 'bigint',
  scheduledOrderId: 'bigint',
  actionType: 'text',
  description: 'text',
  previous: 'json',
  isKept: 'boolean',
  publishedAs: 'text',
  itemId: 'bigint',
  isKey: 'boolean',
});
const { $ } = ENTRY;

const entryStatement = () =>
  prepared(
    'ActionLog.write',
    () => `WITH changed AS MATERIALIZED (
       SELECT x.site_id, ${scheduledOrderView.json('x')} AS json, ${scheduledOrderView.fits('x')} AS fits, ${occurredSql('x')} AS occurred
       FROM scheduled_orders x WHERE x.id = ${$.scheduledOrderId}),
     logged AS (
       INSERT INTO action_logs (site_id, scheduled_order_id, action_type, description, access_token, previous_scheduled_order,
         new_scheduled_order, occurred_utc)
       SELECT site_id, ${$.scheduledOrderId}, ${$.actionType}, ${$.description}, ${askerSql('site_id', $.tokenId, $.isKey)}, CASE WHEN ${$.isKept} THEN current_setting('${KEPT_PREVIOUS}')::json ELSE ${$.previous}::json END, json, occurred
       FROM changed
       RETURNING id, site_id),
     event AS (
       SELECT site_id, ${$.scheduledOrderId}::bigint AS scheduled_order_id, ${$.publishedAs}::varchar AS type, id AS log_id,
         jsonb_strip_nulls(jsonb_build_object('ScheduledOrderItemId', ${$.itemId}::bigint)) AS facts
       FROM logged),
     published AS (${insertOutboxSql('event')})
     SELECT CASE WHEN fits THEN json::text END AS json FROM changed`,
  );

/**
 * Writes the entry of a change, and its event where the site listens, in the transaction of the change. @returns the
 * order's JSON as it is now.
 * @param tx must have the order's row locked, so that New really replaces Previous.
 */
export async function logAction(tx: Transaction, action: Action): Promise<RecordJson> {
  const { caller, scheduledOrderId, actionType, description, previous } = action;
  const isKept = previous instanceof LargeRecord;
  const values = ENTRY.values({
    tokenId: caller?.tokenId ?? null,
    scheduledOrderId,
    actionType,
    description,
    previous: isKept ? null : previous,
    isKept,
    publishedAs: action.publishedAs ?? PUBLISHED_AS[actionType],
    itemId: action.itemId ?? null,
    isKey: caller !== null && caller.keyAccess !== null,
  });
  const [row] = await tx.execute<{ json: string | null }>(entryStatement(), values);
  return recordJson(scheduledOrderView, scheduledOrderId, row!.json);
}

/** SQL behind `WITH logged`: the events of its entries, all of one type. */
const tell = (actionType: ActionType) => `, event AS (
       SELECT site_id, scheduled_order_id, '${PUBLISHED_AS[actionType]}' AS type, id AS log_id, '{}'::jsonb AS facts FROM logged)
     ${insertOutboxSql('event')}`;

/**
 * Writes the entries and events of any number of locked orders that are about to be deleted: Previous is the order, New
 * is null.
 */
export async function logDeletions(
  tx: Transaction,
  scheduledOrderIds: readonly number[],
  { tokenId, keyAccess }: Caller,
  description: string,
): Promise<void> {
  await tx.execute(
    `WITH logged AS (
       INSERT INTO action_logs (site_id, scheduled_order_id, action_type, description, access_token, previous_scheduled_order, occurred_utc)
       SELECT x.site_id, x.id, 'DeleteScheduledOrder', $3, ${tokenSql('$1', '$4')}, ${scheduledOrderView.json('x')}, ${occurredSql('x')}
       FROM scheduled_orders x WHERE x.id = ANY ($2::bigint[])
       RETURNING id, site_id, scheduled_order_id)${tell('DeleteScheduledOrder')}`,
    [tokenId, scheduledOrderIds, description, keyAccess !== null],
  );
}

/** Writes the entries and events of orders that were moved in by a command, which has no token: New is the order. */
export async function logMovedIn(
  tx: Transaction,
  moved: readonly { readonly id: number; readonly description: string }[],
): Promise<void> {
  await tx.execute(
    `WITH logged AS (
       INSERT INTO action_logs (site_id, scheduled_order_id, action_type, description, access_token, new_scheduled_order, occurred_utc)
       SELECT x.site_id, x.id, 'CreateScheduledOrder', m.description, ${commandTokenSql('x.site_id')}, ${scheduledOrderView.json('x')}, ${occurredSql('x')}
       FROM unnest($1::bigint[], $2::text[]) AS m (id, description) JOIN scheduled_orders x ON x.id = m.id
       RETURNING id, site_id, scheduled_order_id)${tell('CreateScheduledOrder')}`,
    [moved.map(({ id }) => id), moved.map(({ description }) => description)],
  );
}
