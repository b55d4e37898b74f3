import { here, type KnownDatabase } from '#libs/entities';
import type { PaymentMethodType } from '#libs/gateways';
import { Batch, type BatchRow, type SqlExecutor } from '#libs/platform';
import { FENCE, OF_LEASED } from './fence.js';
import { worked } from './worked.js';

/** What a charge has, also one that was found at the gateway. `amount`: in minor units. */
export const CHARGED = { amount: 'bigint', currency_iso: 'text', payment_integration_id: 'bigint' } as const;

/** The future Order, and what it was priced with (`PricedWith`). */
export const PRICED = {
  frozen: 'jsonb',
  rates_version: 'bigint',
  prices_mixed: 'boolean',
  order_cycles: 'bigint',
  fixed_totals: 'text',
  unit_prices: 'text',
} as const;

/** All that is frozen of an attempt: columns of `processing_cycles`, for every statement that writes them. */
export const SENT = {
  gateway_customer_id: 'text',
  gateway_payment_id: 'text',
  credentials_fingerprint: 'text',
  idempotency_key: 'text',
  ...CHARGED,
  ...PRICED,
} as const;

/** All that is about to be sent. */
export type SentRow = BatchRow<Batch<typeof SENT>>;

/** The same of a cycle that is only claimed. */
export const UNSENT: SentRow = {
  gateway_customer_id: null,
  gateway_payment_id: null,
  credentials_fingerprint: null,
  idempotency_key: null,
  amount: null,
  currency_iso: null,
  payment_integration_id: null,
  frozen: null,
  rates_version: null,
  prices_mixed: false,
  order_cycles: null,
  fixed_totals: null,
  unit_prices: null,
};

/** SQL: these columns, for INSERT and, as those of batch `b`, for SELECT. */
export const columnsSql = (columns: object, prefix: '' | 'b.' = ''): string =>
  Object.keys(columns)
    .map((name) => prefix + name)
    .join(', ');

/** SQL, for SET: each of these columns becomes what it is in batch `b`. */
export const assignedSql = (columns: object, valueSql = (name: string) => `b.${name}`): string =>
  Object.keys(columns)
    .map((name) => `${name} = ${valueSql(name)}`)
    .join(', ');

const FROZEN_ATTEMPTS = new Batch({ ...OF_LEASED, type: 'text', ...SENT }, 3);

/** An attempt. `type`: the payment method's. */
type FrozenRow = BatchRow<typeof FROZEN_ATTEMPTS>;

/** SQL: the history of cycle `c` with its present attempt. */
export const WITH_PRESENT_ATTEMPT = `coalesce(c.past_attempts, '[]') || jsonb_build_object(
    'Attempt', c.attempt, 'StartedUtc', c.started_utc, 'Amount', c.amount, 'CurrencyIso', c.currency_iso,
    'PaymentMethodType', c.payment_method_type, 'GatewayCustomerId', c.gateway_customer_id, 'GatewayPaymentId', c.gateway_payment_id,
    'PaymentIntegrationId', c.payment_integration_id, 'CredentialsFingerprint', c.credentials_fingerprint, 'IdempotencyKey', c.idempotency_key,
    'LookUps', c.look_ups, 'GatewayTransactionId', c.gateway_transaction_id, 'FailureCode', c.failure_code, 'FailureMessage', c.failure_message)`;

/**
 * Writes the charge before the gateway is called, so that after a crash the gateway can be asked about it. Rows that a
 * request has ended, or that another worker owns, are not returned. The previous attempt moves to the history. A freeze
 * whose answer was lost is repeated: nothing is sent before the freeze is known to be committed. pk_processing_cycles.
 * $1 generation and $2 log position of the database that the worker knows, then the attempts.
 */
export const FREEZE = `UPDATE processing_cycles c
SET state = 'Charging', attempt = b.attempt, payment_method_type = b.type, ${assignedSql(SENT)}, started_utc = now(), updated_utc = now(),
  gateway_transaction_id = NULL, known_to_gateway = false, replayed_utc = NULL, failure_code = NULL, failure_message = NULL,
  past_attempts = ${worked(`CASE WHEN c.idempotency_key IS NULL OR c.attempt = b.attempt THEN c.past_attempts ELSE ${WITH_PRESENT_ATTEMPT} END`)}
FROM ${FROZEN_ATTEMPTS.sql}
WHERE ${here('$1', '$2')} AND ${FENCE}
  AND (c.state = 'Claimed' AND c.attempt = b.attempt - 1 OR c.state = 'Charging' AND c.idempotency_key = b.idempotency_key)
RETURNING c.scheduled_order_id`;

/** What is kept of an attempt when the next one is frozen, or a found charge is held in its place. */
export interface PastAttempt {
  readonly Attempt: number;
  readonly StartedUtc: string;
  readonly Amount: number;
  readonly CurrencyIso: string;
  readonly PaymentMethodType: PaymentMethodType | null;
  readonly GatewayCustomerId: string | null;
  readonly GatewayPaymentId: string | null;
  readonly PaymentIntegrationId: number;
  readonly CredentialsFingerprint: string | null;
  readonly IdempotencyKey: string;
  /** How often outcomes had been looked up in its cycle by then. */
  readonly LookUps: number;
  readonly GatewayTransactionId: string | null;
}

/** @returns the orders of those that may be charged now. */
export async function freezeAttempts(
  pool: SqlExecutor,
  { generation, lsn }: KnownDatabase,
  attempts: readonly FrozenRow[],
): Promise<ReadonlySet<number>> {
  const rows = await pool.execute<{ scheduledOrderId: number }>(FREEZE, [
    generation,
    lsn,
    ...FROZEN_ATTEMPTS.values(attempts),
  ]);
  return new Set(rows.map((row) => row.scheduledOrderId));
}
