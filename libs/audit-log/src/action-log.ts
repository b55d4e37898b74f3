import { prepared, type Transaction } from '#libs/database';
import { insertOutboxSql, type OutwardType } from '#libs/outbox';
import { accessTokenView, LargeRecord, type RecordJson, recordJson, scheduledOrderView } from '#libs/records';
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
const TOLD_AS: Readonly<Record<ActionType, OutwardType>> = {
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
  /** The token of the request. Its snapshot has no secret. */
  readonly tokenId: number;
  /** The order before the change, as `snapshot` read it under the order's lock; null when it was created. */
  readonly previous: RecordJson | null;
  readonly description: string;
  /** The item that was changed by itself. */
  readonly itemId?: number;
}

const TOKEN = `(SELECT ${accessTokenView.json('t')} FROM access_tokens t WHERE t.id = $1)`;

/**
 * Writes the entry of a change, and its event where the site listens, in the transaction of the change. @returns the order's JSON as it is now.
 * @param tx must have the order's row locked, so that New really replaces Previous.
 */
export async function logAction(tx: Transaction, action: Action): Promise<RecordJson> {
  const statement = prepared(
    'ActionLog.write',
    () => `WITH changed AS MATERIALIZED (
       SELECT x.site_id, ${scheduledOrderView.json('x')} AS json, ${scheduledOrderView.fits('x')} AS fits
       FROM scheduled_orders x WHERE x.id = $2),
     logged AS (
       INSERT INTO action_logs (site_id, scheduled_order_id, action_type, description, access_token, previous_scheduled_order,
         new_scheduled_order)
       SELECT site_id, $2, $3, $4, ${TOKEN}, CASE WHEN $6 THEN current_setting('${KEPT_PREVIOUS}')::json ELSE $5::json END, json
       FROM changed
       RETURNING id, site_id),
     event AS (
       SELECT site_id, $2::bigint AS scheduled_order_id, $7::varchar AS type, id AS log_id,
         jsonb_strip_nulls(jsonb_build_object('ScheduledOrderItemId', $8::bigint)) AS facts
       FROM logged),
     told AS (${insertOutboxSql('event')})
     SELECT CASE WHEN fits THEN json::text END AS json FROM changed`,
  );
  const { tokenId, scheduledOrderId, actionType, description, previous } = action;
  const isKept = previous instanceof LargeRecord;
  const entry = [tokenId, scheduledOrderId, actionType, description, isKept ? null : previous, isKept];
  const values = [...entry, TOLD_AS[actionType], action.itemId ?? null];
  const [row] = await tx.execute<{ json: string | null }>(statement, values);
  return recordJson(scheduledOrderView, scheduledOrderId, row!.json);
}

/** Writes the entries and events of any number of locked orders that are about to be deleted: Previous is the order, New is null. */
export async function logDeletions(
  tx: Transaction,
  scheduledOrderIds: readonly number[],
  tokenId: number,
  description: string,
): Promise<void> {
  await tx.execute(
    `WITH logged AS (
       INSERT INTO action_logs (site_id, scheduled_order_id, action_type, description, access_token, previous_scheduled_order)
       SELECT x.site_id, x.id, 'DeleteScheduledOrder', $3, ${TOKEN}, ${scheduledOrderView.json('x')}
       FROM scheduled_orders x WHERE x.id = ANY ($2::bigint[])
       RETURNING id, site_id, scheduled_order_id),
     event AS (
       SELECT site_id, scheduled_order_id, '${TOLD_AS.DeleteScheduledOrder}' AS type, id AS log_id, '{}'::jsonb AS facts FROM logged)
     ${insertOutboxSql('event')}`,
    [tokenId, scheduledOrderIds, description],
  );
}
