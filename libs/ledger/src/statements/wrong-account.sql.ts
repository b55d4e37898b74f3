import { businessNowSql, type MissingCard } from '#libs/entities';
import { insertEventsSql } from '#libs/events';
import type { PaymentMethodType } from '#libs/gateways';
import { Batch, type BatchRow, type Transaction } from '#libs/platform';
import { FAILURE_CODES } from '#libs/rules';
import { insertRefusedSql, insertWaitingSql, WAKE_IF_PUBLISHED } from './published.js';
import { CLOCK_UTC, nextUpdatedUtcAt, worked } from './worked.js';

/** The row has nothing but the streak. */
const isNothingElse = (w: string) => `${w}.waiting_since_utc IS NULL AND ${w}.cleared_fingerprint IS NULL`;

const INTEGRATIONS = new Batch({ site_id: 'bigint', type: 'text' });
const CYCLE_KEY = { id: 'bigint', cycle: 'bigint' } as const;
const CYCLES = new Batch(CYCLE_KEY);
const TAKEN_BACK = new Batch(CYCLE_KEY, 4);

/** `id`: of the order. */
type CycleKey = BatchRow<typeof CYCLES>;

/** Other answers have come: so the credentials are right, and single cards are unknown. pk_integration_waits. */
export const END_STREAKS = `WITH b AS (SELECT * FROM ${INTEGRATIONS.sql}), over AS (
  DELETE FROM integration_waits w USING b
  WHERE w.site_id = b.site_id AND w.payment_method_type = b.type AND w.missing <> '[]' AND ${isNothingElse('w')}
)
UPDATE integration_waits w SET missing = '[]'
FROM b
WHERE w.site_id = b.site_id AND w.payment_method_type = b.type AND w.missing <> '[]' AND NOT (${isNothingElse('w')})`;

/** One worker counts at a time. $1 site, $2 type. */
export const LOCK_STREAK = `INSERT INTO integration_waits AS w (site_id, payment_method_type) VALUES ($1, $2)
ON CONFLICT (site_id, payment_method_type) DO UPDATE SET wrong_account = w.wrong_account
RETURNING w.wrong_account, w.missing, w.cleared_fingerprint`;

/** Customers, credentials and times of these charges. pk_processing_cycles. */
export const READ_MISSING = `SELECT c.scheduled_order_id::float8 AS "order", c.cycle::float8 AS cycle, o.customer_id::float8 AS customer,
  c.credentials_fingerprint AS fingerprint, c.started_utc AS "startedUtc"
FROM ${CYCLES.sql}
JOIN processing_cycles c ON c.scheduled_order_id = b.id AND c.cycle = b.cycle
JOIN scheduled_orders o ON o.id = b.id`;

/**
 * The last payment through the integration, by any worker, among the newest thousand Orders of the site. It runs only
 * after the third unknown card. ix_orders_site, pk_processing_cycles. $1 site, $2 type, $3 fingerprint, $4 since.
 */
export const LAST_PAID = `SELECT max(CASE WHEN c.simulated THEN c.started_utc ELSE o.date_paid END) AS paid_utc
FROM (SELECT o.scheduled_order_id, o.cycle, o.date_paid FROM orders o
  WHERE o.site_id = $1 AND o.deleted_utc IS NULL ORDER BY o.id DESC LIMIT 1000) o
JOIN processing_cycles c ON c.scheduled_order_id = o.scheduled_order_id AND c.cycle = o.cycle
WHERE CASE WHEN c.simulated THEN c.started_utc ELSE o.date_paid END >= $4 AND c.payment_method_type = $2 AND c.credentials_fingerprint = $3 AND c.amount > 0`;

/** $1 site, $2 type. */
export const DROP_STREAK = `DELETE FROM integration_waits w WHERE w.site_id = $1 AND w.payment_method_type = $2 AND ${isNothingElse('w')}`;

/** $1 site, $2 type, $3 the streak as JSON. */
export const KEEP_STREAK = `UPDATE integration_waits SET missing = $3 WHERE site_id = $1 AND payment_method_type = $2`;

/**
 * The probes begin after the orders with unknown cards. $1 site, $2 type, $3 time of the next probe, $4 the last of
 * these orders.
 */
export const TAKE_FOR_WRONG = `WITH refused AS (
  UPDATE integration_waits w
  SET wrong_account = true, missing = '[]', waiting_since_utc = ${worked(`coalesce(w.waiting_since_utc, ${businessNowSql('w')})`)},
    next_probe_utc = $3, last_probed_order = $4
  WHERE site_id = $1 AND payment_method_type = $2
  RETURNING site_id, payment_method_type, true AS is_wrong_account
), published AS (${insertRefusedSql('refused')}
)
SELECT ${WAKE_IF_PUBLISHED}`;

/**
 * Orders that became Pending because of an unknown card wait with the others, unless a request has changed them since.
 * Locked rows are left out, because a request is changing them. pk_scheduled_orders, pk_processing_cycles. $1 the end
 * of their wait, $2 message of the failure, $3 event description, then the cycles.
 */
export const TAKE_BACK = `WITH b AS (
  SELECT *, uuid_v7() AS event_log_id, ${CLOCK_UTC} FROM ${TAKEN_BACK.sql}
), taken AS (
  SELECT o.id, c.cycle, b.event_log_id, b.clock_utc
  FROM b
  JOIN scheduled_orders o ON o.id = b.id
  JOIN processing_cycles c ON c.scheduled_order_id = b.id AND c.cycle = b.cycle
  WHERE o.status = 'Pending' AND o.deleted_utc IS NULL AND o.frequency IS NOT NULL
    AND c.state = 'Failed' AND c.retries_exhausted AND c.failure_code = ${FAILURE_CODES.PaymentFailed.code} AND c.stopped_utc IS NULL
    AND NOT EXISTS (SELECT 1 FROM processing_cycles newer WHERE newer.scheduled_order_id = b.id AND newer.cycle > b.cycle)
  ORDER BY o.id
  FOR NO KEY UPDATE OF o, c SKIP LOCKED
), ledger AS (
  UPDATE processing_cycles c
  SET state = 'Waiting', open = true, retries_exhausted = false, waiting_since_utc = ${worked(businessNowSql('c'))}, next_attempt_utc = $1, missed_occurrences = 0, failure_code = ${FAILURE_CODES.PaymentIntegrationNotFound.code},
    failure_message = $2, ended_utc = NULL, updated_utc = now()
  FROM taken t
  WHERE c.scheduled_order_id = t.id AND c.cycle = t.cycle
), e AS (
  UPDATE scheduled_orders o
  SET status = 'Active', next_occurrence_utc = $1, replaced_occurrence_utc = NULL, updated_utc = ${nextUpdatedUtcAt('o', 't.clock_utc')}
  FROM taken t
  WHERE o.id = t.id
  RETURNING o.*, 'ScheduledOrderHeld' AS event_type, $3::text AS event_description, t.event_log_id, t.cycle
), events AS (${insertEventsSql('e')}
), published AS (${insertWaitingSql('e', FAILURE_CODES.PaymentIntegrationNotFound.code)}
)
SELECT ${WAKE_IF_PUBLISHED}`;

/** Of a site, and a payment method type. */
type StreakKey = readonly [siteId: number, type: PaymentMethodType];

/** The answers "unknown card" in a row, and what is known of the credentials. */
export interface Streak {
  readonly wrongAccount: boolean;
  readonly missing: MissingCard[];
  readonly clearedFingerprint: string | null;
}

export const endStreaks = (tx: Transaction, integrations: readonly BatchRow<typeof INTEGRATIONS>[]) =>
  tx.execute(END_STREAKS, INTEGRATIONS.values(integrations));

export async function lockStreak(tx: Transaction, key: StreakKey): Promise<Streak> {
  return (await tx.execute<Streak>(LOCK_STREAK, [...key]))[0]!;
}

export const readMissing = (tx: Transaction, cycles: readonly CycleKey[]) =>
  tx.execute<MissingCard>(READ_MISSING, CYCLES.values(cycles));

/** With these credentials, since then; null: nothing was paid. */
export async function lastPaidUtc(
  tx: Transaction,
  key: StreakKey,
  fingerprint: string | null,
  sinceUtc: string,
): Promise<Date | null> {
  const rows = await tx.execute<{ paidUtc: Date | null }>(LAST_PAID, [...key, fingerprint, sinceUtc]);
  return rows[0]!.paidUtc;
}

/** Without cards there is no streak. */
export const keepStreak = (tx: Transaction, key: StreakKey, missing: readonly MissingCard[]) =>
  missing.length === 0 ? tx.execute(DROP_STREAK, [...key]) : tx.execute(KEEP_STREAK, [...key, JSON.stringify(missing)]);

/** `last`: of the orders with unknown cards. */
export const takeForWrongAccount = (tx: Transaction, key: StreakKey, nextProbeUtc: Date, last: number) =>
  tx.execute(TAKE_FOR_WRONG, [...key, nextProbeUtc, last]);

/** How orders wait that had become Pending. */
export interface TakenBack {
  readonly untilUtc: Date;
  /** Of the failure. */
  readonly message: string;
  /** Of the event. */
  readonly description: string;
}

export const takeBack = (tx: Transaction, cycles: readonly CycleKey[], { untilUtc, message, description }: TakenBack) =>
  tx.execute(TAKE_BACK, [untilUtc, message, description, ...TAKEN_BACK.values(cycles)]);
