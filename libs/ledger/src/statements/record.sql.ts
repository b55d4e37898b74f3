import { businessNowSql, columnOf, occurredSql } from '#libs/entities';
import { insertErrorsSql, insertEventsSql } from '#libs/events';
import { Batch, type BatchRow, type SqlExecutor, type Transaction } from '#libs/platform';
import { BILLING_ADDRESS, SHIPPING_ADDRESS } from '#libs/records';
import type { FrequencyType, Status } from '#libs/rules';
import { chargedAmountsSql, frozenAmountSql, type FrozenItem, frozenItemSql, pricedItemSql } from '../frozen-json.js';
import { insertPushesSql, mayBePushedSql } from '../pushes/push-recording.js';
import { LEASED, LEASED_CYCLES, type LeasedRow, OF_LEASED } from './fence.js';
import { insertCompletedSql, insertPublishedSql, WAKE_IF_PUBLISHED } from './published.js';
import { CLOCK_UTC, nextUpdatedUtcAt, worked } from './worked.js';

const addresses = [...SHIPPING_ADDRESS, ...BILLING_ADDRESS].map(columnOf);
const frozenAddress = ['shipping', 'billing'].flatMap((kind) =>
  SHIPPING_ADDRESS.map((_, index) => `f.${kind} ->> ${index}`),
);

const item = (name: keyof FrozenItem): string => frozenItemSql('item', name);
const priced = (name: keyof FrozenItem): string => pricedItemSql('item', name, 'e.charged');

const COMPLETED_CYCLES = new Batch({
  ...OF_LEASED,
  version: 'text',
  rescheduled_meanwhile: 'boolean',
  next_utc: 'timestamptz',
  missed_occurrences: 'bigint',
  new_shipping_total: 'bigint',
  new_tax_total: 'bigint',
  new_total: 'bigint',
  transaction_id: 'text',
  charged: 'text',
  event_description: 'text',
  reactivates: 'boolean',
  charged_amount: 'bigint',
  found_at: 'bigint',
  found_type: 'text',
  push_name: 'text',
});

/**
 * A cycle that was charged. `version`: the order's, which the dates were calculated from. `next_utc`: null where there
 * is none, and the order cannot stay Active. The order's new totals: null where they stay. `charged`: the amounts, as
 * JSON, and `charged_amount`, in minor units: null where they are as frozen. `found_at` and `found_type`: the
 * integration that it was found at, and its type; null: as frozen. `push_name`: of its Order in the site's shop
 * (`pushName`).
 */
export type CompletedRow = BatchRow<typeof COMPLETED_CYCLES>;

/**
 * Completes the cycles of a batch: dates and count of the scheduled order, the Order with its items as they were
 * frozen, its push where the site pushes, the event, the ledger. A row is left out when the order is no longer the one
 * that its new dates were calculated from (its version differs, or a request moved the next occurrence), or when
 * another worker owns the cycle; the counts show it. Orders are locked before cycles, as requests do.
 * pk_scheduled_orders, pk_processing_cycles.
 */
export const RECORD_COMPLETED = `WITH b AS (
  SELECT *, uuid_v7() AS event_log_id, ${CLOCK_UTC} FROM ${COMPLETED_CYCLES.sql}
), e AS (
  UPDATE scheduled_orders o
  SET status = CASE WHEN o.status = 'Active' AND NOT b.rescheduled_meanwhile AND b.next_utc IS NULL THEN 'Pending' WHEN b.reactivates THEN 'Active' ELSE o.status END,
    cycles = least(o.cycles + 1, ${Number.MAX_SAFE_INTEGER}), last_occurrence_utc = ${worked(businessNowSql('o'))},
    updated_utc = ${nextUpdatedUtcAt('o', 'b.clock_utc')},
    next_occurrence_utc = CASE WHEN b.rescheduled_meanwhile THEN o.next_occurrence_utc ELSE b.next_utc END,
    replaced_occurrence_utc = CASE WHEN b.rescheduled_meanwhile OR c.resolution IS NOT NULL AND b.next_utc = o.next_occurrence_utc
      THEN o.replaced_occurrence_utc END,
    shipping_total = coalesce(b.new_shipping_total, o.shipping_total), tax_total = coalesce(b.new_tax_total, o.tax_total),
    total = coalesce(b.new_total, o.total)
  FROM b JOIN processing_cycles c ON ${LEASED} AND c.rescheduled_meanwhile = b.rescheduled_meanwhile AND c.state IN ('Charging', 'Unknown')
  WHERE o.id = b.id AND o.xmin = b.version::xid
  RETURNING o.*, c.cycle, c.order_id, b.worker, b.claim, b.attempt, b.missed_occurrences, b.transaction_id, b.charged, c.frozen,
    'ScheduledOrderProcessed' AS event_type, b.event_description, b.event_log_id,
    c.state = 'Unknown' AS was_unknown, coalesce(b.charged_amount, c.amount) AS paid_amount, c.currency_iso AS paid_currency,
    coalesce(b.found_type, c.payment_method_type) AS paid_by, coalesce(b.found_at, c.payment_integration_id) AS paid_at,
    b.push_name, (${mayBePushedSql}) AS may_be_pushed
), ledger AS (
  UPDATE processing_cycles c
  SET state = 'Completed', open = false, missed_occurrences = e.missed_occurrences, gateway_transaction_id = e.transaction_id, payment_method_type = e.paid_by,
    payment_integration_id = e.paid_at, frozen = NULL,
    next_attempt_utc = NULL, worker = NULL, lease_until_utc = NULL, waiting_since_utc = NULL, held_for = NULL, rescheduled_meanwhile = false, retries_exhausted = false, made_pending = false, stopped_utc = NULL, resolution = NULL,
    failure_code = NULL, failure_message = NULL, updated_utc = now(), occurred_utc = CASE WHEN e.simulated THEN e.last_occurrence_utc END
  FROM e
  WHERE c.scheduled_order_id = e.id AND c.cycle = e.cycle AND c.worker = e.worker AND c.claim = e.claim AND c.attempt = e.attempt
  RETURNING c.scheduled_order_id
), written AS (
  INSERT INTO orders (id, site_id, customer_id, scheduled_order_id, cycle, is_recurring, date_created, date_paid, currency_iso, subtotal, shipping_total,
    tax_total, total, gateway_transaction_id, payment_method_type, ${addresses.join(', ')})
  SELECT e.order_id, e.site_id, e.customer_id, e.id, e.cycle, true, e.last_occurrence_utc, e.last_occurrence_utc, e.paid_currency, ${frozenAmountSql('f.amounts', 'subtotal')},
    ${frozenAmountSql('f.amounts', 'shippingTotal')}, ${frozenAmountSql('f.amounts', 'taxTotal')}, ${frozenAmountSql('f.amounts', 'total')},
    e.transaction_id, e.paid_by, ${frozenAddress.join(', ')}
  FROM e CROSS JOIN LATERAL (SELECT ${chargedAmountsSql('e.frozen', 'e.charged')} AS amounts, e.frozen -> 'shipping' AS shipping,
    coalesce(e.frozen -> 'billing', e.frozen -> 'shipping') AS billing OFFSET 0) f
), items AS (
  INSERT INTO order_items (site_id, order_id, product_id, name, quantity, subtotal, total, tax_total, is_recurring)
  SELECT e.site_id, e.order_id, (${item('productId')})::bigint, ${item('name')}, (${item('quantity')})::bigint, (${priced('amount')})::numeric,
    (${priced('amount')})::numeric, (${priced('taxTotal')})::numeric, true
  FROM e CROSS JOIN LATERAL jsonb_array_elements(e.frozen -> 'items') item
), events AS (${insertEventsSql('e')}
), pushes AS (${insertPushesSql('e')}
), published AS (${insertCompletedSql('e')}
)
SELECT ARRAY (SELECT e.id FROM e) AS updated_ids, ARRAY (SELECT scheduled_order_id FROM ledger) AS recorded_ids, EXISTS (SELECT FROM pushes) AS has_pushes, ${WAKE_IF_PUBLISHED}`;

/**
 * The orders and cycles of a batch as they are now, locked: orders first, as requests do. Cycles that another worker
 * owns are left out. pk_scheduled_orders, pk_processing_cycles.
 */
export const LOCK_LEASED = `SELECT o.id, o.xmin::text AS version, o.status, o.deleted_utc IS NOT NULL AS deleted, o.frequency_type, o.frequency,
  o.schedule_anchor_utc, o.next_occurrence_utc, c.rescheduled_meanwhile, c.stopped_utc IS NOT NULL AS stopped, c.made_pending, c.amount, c.currency_iso, c.frozen -> 'left_out' AS left_out
FROM ${LEASED_CYCLES.sql}
JOIN scheduled_orders o ON o.id = b.id
JOIN processing_cycles c ON ${LEASED} AND c.open
ORDER BY o.id
FOR NO KEY UPDATE OF o, c`;

/** Another id for the future Order. pk_processing_cycles. */
export const RENUMBER = `WITH b AS (
  SELECT *, nextval('orders_id_seq') AS new_order_id
  FROM ${LEASED_CYCLES.sql}
), renumbered AS (
  UPDATE processing_cycles c SET order_id = b.new_order_id FROM b WHERE ${LEASED} AND c.open
  RETURNING c.order_id
)
SELECT order_id FROM renumbered`;

const CYCLES = new Batch({ id: 'bigint', cycle: 'bigint' });

/** Which of these cycles are completed. It is needed when the answer to a COMMIT was lost. pk_processing_cycles. */
export const READ_COMPLETED = `SELECT c.scheduled_order_id
FROM ${CYCLES.sql}
JOIN processing_cycles c ON c.scheduled_order_id = b.id AND c.cycle = b.cycle AND c.state = 'Completed'`;

const FAILED_ATTEMPTS = new Batch({
  ...OF_LEASED,
  new_attempt: 'bigint',
  state: 'text',
  next_attempt_utc: 'timestamptz',
  payment_failures: 'bigint',
  technical_failures: 'bigint',
  retries_exhausted: 'boolean',
  waiting_since_utc: 'timestamptz',
  missed_occurrences: 'bigint',
  failure_code: 'integer',
  failure_message: 'text',
  transaction_id: 'text',
  new_status: 'text',
  sets_dates: 'boolean',
  next_utc: 'timestamptz',
  event_type: 'text',
  event_description: 'text',
  error_description: 'text',
  exception_info: 'json',
  unsent: 'boolean',
  is_look_up: 'boolean',
  is_known: 'boolean',
  is_replayed: 'boolean',
  made_pending: 'boolean',
  published: 'json',
  held_for: 'integer',
  begins_review: 'boolean',
});

/**
 * An attempt that did not complete its cycle. `new_status`: null where the order keeps its own. `next_utc`: the order's
 * next date, written where `sets_dates`. `event_type` and `exception_info`: null where nothing is logged. `is_look_up`:
 * its outcome was looked up. `is_known`: the gateway called it a duplicate. `is_replayed`: it repeated a stored answer.
 * `made_pending`: the order becomes Pending only because the outcome is unknown. `published`: events, a list of type,
 * whether the event of the log belongs to it, and facts. `held_for`: the failure code of what holds the cycle.
 * `begins_review`: its transaction has paid another Order: a person must decide before anything else happens to it.
 */
export type FailedRow = BatchRow<typeof FAILED_ATTEMPTS>;

/**
 * Records cycles that did not succeed: the ledger, the order's status and dates, event and error. Run LOCK_LEASED
 * before.
 */
export const RECORD_FAILED_ATTEMPTS = `WITH b AS (
  SELECT *, CASE WHEN b.event_type IS NOT NULL THEN uuid_v7() END AS event_log_id, ${CLOCK_UTC} FROM ${FAILED_ATTEMPTS.sql}
), ledger AS (
  UPDATE processing_cycles c
  SET state = b.state, open = b.state <> 'Failed', attempt = b.new_attempt, next_attempt_utc = b.next_attempt_utc,
    payment_failures = b.payment_failures, technical_failures = b.technical_failures, retries_exhausted = b.retries_exhausted,
    waiting_since_utc = b.waiting_since_utc, held_for = b.held_for, missed_occurrences = b.missed_occurrences, failure_code = b.failure_code,
    failure_message = b.failure_message,
    gateway_transaction_id = CASE WHEN NOT b.begins_review THEN coalesce(b.transaction_id, c.gateway_transaction_id) END, rescheduled_meanwhile = c.rescheduled_meanwhile AND b.state = 'Unknown', worker = NULL,
    lease_until_utc = NULL, resolution = CASE WHEN b.begins_review THEN 'NeedsReview' WHEN b.state = 'Unknown' THEN c.resolution END, updated_utc = now(),
    ended_utc = ${worked(`CASE WHEN b.state = 'Failed' THEN ${businessNowSql('c')} END`)}, look_ups = c.look_ups + b.is_look_up::int,
    known_to_gateway = c.known_to_gateway OR b.is_known, replayed_utc = ${worked('CASE WHEN b.is_replayed THEN least(c.replayed_utc, now()) ELSE c.replayed_utc END')}, made_pending = b.state = 'Unknown' AND (c.made_pending OR b.made_pending),
    idempotency_key = CASE WHEN NOT b.unsent THEN c.idempotency_key END,
    frozen = CASE WHEN b.state = 'Unknown' THEN c.frozen END, rates_version = CASE WHEN b.state = 'Unknown' THEN c.rates_version END,
    payment_method_type = CASE WHEN b.state = 'Waiting' THEN o.payment_method_type ELSE c.payment_method_type END, occurred_utc = ${occurredSql('c')}
  FROM b JOIN scheduled_orders o ON o.id = b.id
  WHERE ${LEASED}
  RETURNING c.scheduled_order_id
), e AS (
  UPDATE scheduled_orders o
  SET status = coalesce(b.new_status, o.status), updated_utc = ${nextUpdatedUtcAt('o', 'b.clock_utc')},
    next_occurrence_utc = CASE WHEN b.sets_dates THEN b.next_utc ELSE o.next_occurrence_utc END,
    replaced_occurrence_utc = CASE WHEN b.sets_dates AND b.state = 'Failed' THEN NULL ELSE o.replaced_occurrence_utc END
  FROM b
  WHERE o.id = b.id
  RETURNING o.*, b.event_type, b.event_description, b.error_description, b.exception_info,
    b.event_log_id, b.published
), events AS (${insertEventsSql('e')}
), errors AS (${insertErrorsSql('e')}
), published AS (${insertPublishedSql('e')}
)
SELECT ARRAY (SELECT scheduled_order_id FROM ledger) AS recorded_ids, ${WAKE_IF_PUBLISHED}`;

/** An order as it is, locked, when the outcome of an attempt is recorded. */
export interface LockedOrder {
  readonly version: string;
  readonly status: Status;
  readonly deleted: boolean;
  readonly frequencyType: FrequencyType | null;
  readonly frequency: number | null;
  readonly scheduleAnchorUtc: Date;
  readonly nextOccurrenceUtc: Date | null;
  /** A request set the next occurrence while the cycle was in progress. */
  readonly rescheduledMeanwhile: boolean;
  /** A request wrote a stop into the cycle's row. */
  readonly stopped: boolean;
  /** The processor made the order Pending while the outcome was unknown. */
  readonly madePending: boolean;
}

/** An order, and what is frozen of its cycle. */
export interface LockedRow extends LockedOrder {
  readonly id: number;
  readonly amount: number | null;
  readonly currencyIso: string | null;
  readonly leftOut: string[] | null;
}

export const lockLeased = (tx: Transaction, cycles: readonly LeasedRow[]): Promise<LockedRow[]> =>
  tx.execute<LockedRow>(LOCK_LEASED, LEASED_CYCLES.values(cycles));

/**
 * `updatedIds`: orders that have their new dates. `recordedIds`: orders whose cycles are completed now. `hasPushes`:
 * Orders of them are to arrive in a shop.
 */
export interface RecordedCompletions {
  readonly updatedIds: readonly number[];
  readonly recordedIds: readonly number[];
  readonly hasPushes: boolean;
}

/** Where an id is missing in one of the two lists, the transaction must not be committed. */
export async function recordCompleted(tx: Transaction, cycles: readonly CompletedRow[]): Promise<RecordedCompletions> {
  const rows = await tx.execute<RecordedCompletions>(RECORD_COMPLETED, COMPLETED_CYCLES.values(cycles));
  return rows[0]!;
}

/** @returns the orders of those that are completed, by any worker. */
export async function readCompleted(
  tx: Transaction,
  cycles: readonly Pick<LeasedRow, 'id' | 'cycle'>[],
): Promise<ReadonlySet<number>> {
  const rows = await tx.execute<{ scheduledOrderId: number }>(READ_COMPLETED, CYCLES.values(cycles));
  return new Set(rows.map((row) => row.scheduledOrderId));
}

/** Call `lockLeased` before. @returns how many cycles were written. */
export async function recordFailed(tx: Transaction, attempts: readonly FailedRow[]): Promise<number> {
  const rows = await tx.execute<{ recordedIds: number[] }>(RECORD_FAILED_ATTEMPTS, FAILED_ATTEMPTS.values(attempts));
  return rows[0]!.recordedIds.length;
}

/** @returns the other id; null: another worker owns the cycle. */
export async function renumber(pool: SqlExecutor, cycle: LeasedRow): Promise<number | null> {
  const rows = await pool.execute<{ orderId: number }>(RENUMBER, LEASED_CYCLES.values([cycle]));
  return rows[0]?.orderId ?? null;
}
