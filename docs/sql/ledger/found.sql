-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/statements/found.sql.ts

-- INSERT_FOUND
INSERT INTO processing_cycles (
  site_id,
  scheduled_order_id,
  cycle,
  state,
  open,
  attempt,
  payment_method_type,
  started_utc,
  resolution,
  gateway_transaction_id,
  failure_code,
  failure_message,
  stopped_utc,
  due_utc,
  replaced_utc,
  next_attempt_utc,
  order_id,
  amount,
  currency_iso,
  payment_integration_id,
  frozen,
  rates_version,
  prices_mixed,
  order_cycles,
  fixed_totals,
  unit_prices,
  simulated,
  begun_utc
)
SELECT b.site_id,
  b.id,
  b.cycle,
  'Unknown',
  true,
  b.attempt,
  b.type,
  b.charged_utc,
  b.resolution,
  b.transaction_id,
  CASE WHEN b.resolution = 'NeedsReview' THEN 1009 ELSE 2001 END,
  b.reason,
  CASE WHEN b.resolution IS DISTINCT FROM 'Found' THEN now() END,
  b.due_utc,
  b.replaced_utc,
  coalesce((SELECT k.now_utc FROM test_clocks k WHERE k.site_id = b.site_id), now()),
  nextval('orders_id_seq'),
  b.amount,
  b.currency_iso,
  b.payment_integration_id,
  b.frozen,
  b.rates_version,
  b.prices_mixed,
  b.order_cycles,
  b.fixed_totals,
  b.unit_prices,
  (SELECT o.simulated FROM scheduled_orders o WHERE o.id = b.id),
  (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = b.site_id)
FROM unnest(
  $1::bigint[],
  $2::bigint[],
  $3::bigint[],
  $4::bigint[],
  $5::text[],
  $6::timestamptz[],
  $7::text[],
  $8::text[],
  $9::text[],
  $10::timestamptz[],
  $11::timestamptz[],
  $12::bigint[],
  $13::text[],
  $14::bigint[],
  $15::jsonb[],
  $16::bigint[],
  $17::boolean[],
  $18::bigint[],
  $19::text[],
  $20::text[]
)
AS b (
  site_id,
  id,
  cycle,
  attempt,
  type,
  charged_utc,
  resolution,
  transaction_id,
  reason,
  due_utc,
  replaced_utc,
  amount,
  currency_iso,
  payment_integration_id,
  frozen,
  rates_version,
  prices_mixed,
  order_cycles,
  fixed_totals,
  unit_prices
);

-- TAKE_OPEN
UPDATE processing_cycles c
SET state = 'Unknown',
  attempt = greatest(c.attempt, b.attempt),
  payment_method_type = b.type,
  started_utc = b.charged_utc,
  amount = b.amount,
  currency_iso = b.currency_iso,
  payment_integration_id = b.payment_integration_id,
  frozen = CASE
    WHEN c.frozen IS NOT NULL
    AND c.attempt = b.attempt
    AND c.amount = b.amount THEN c.frozen
    ELSE b.frozen
    END,
  rates_version = CASE
    WHEN c.frozen IS NOT NULL
    AND c.attempt = b.attempt
    AND c.amount = b.amount THEN c.rates_version
    ELSE b.rates_version
    END,
  prices_mixed = CASE
    WHEN c.frozen IS NOT NULL
    AND c.attempt = b.attempt
    AND c.amount = b.amount THEN c.prices_mixed
    ELSE b.prices_mixed
    END,
  order_cycles = CASE
    WHEN c.frozen IS NOT NULL
    AND c.attempt = b.attempt
    AND c.amount = b.amount THEN c.order_cycles
    ELSE b.order_cycles
    END,
  fixed_totals = CASE
    WHEN c.frozen IS NOT NULL
    AND c.attempt = b.attempt
    AND c.amount = b.amount THEN c.fixed_totals
    ELSE b.fixed_totals
    END,
  unit_prices = CASE
    WHEN c.frozen IS NOT NULL
    AND c.attempt = b.attempt
    AND c.amount = b.amount THEN c.unit_prices
    ELSE b.unit_prices
    END,
  resolution = b.resolution,
  gateway_transaction_id = b.transaction_id,
  failure_code = CASE WHEN b.resolution = 'NeedsReview' THEN 1009 ELSE 2001 END,
  failure_message = b.reason,
  due_utc = b.due_utc,
  past_attempts = (
    SELECT CASE
      WHEN b.resolution = 'NeedsReview'
      AND c.idempotency_key IS NOT NULL THEN coalesce(c.past_attempts, '[]') || jsonb_build_object(
        'Attempt', c.attempt,
        'StartedUtc', c.started_utc,
        'Amount', c.amount,
        'CurrencyIso', c.currency_iso,
        'PaymentMethodType', c.payment_method_type,
        'GatewayCustomerId', c.gateway_customer_id,
        'GatewayPaymentId', c.gateway_payment_id,
        'PaymentIntegrationId', c.payment_integration_id,
        'CredentialsFingerprint', c.credentials_fingerprint,
        'IdempotencyKey', c.idempotency_key,
        'LookUps', c.look_ups,
        'GatewayTransactionId', c.gateway_transaction_id,
        'FailureCode', c.failure_code,
        'FailureMessage', c.failure_message
      )
      ELSE c.past_attempts
      END
  ),
  idempotency_key = CASE WHEN b.resolution IS DISTINCT FROM 'NeedsReview' THEN c.idempotency_key END,
  replaced_utc = b.replaced_utc,
  retries_exhausted = false,
  waiting_since_utc = NULL,
  held_for = NULL,
  claim = c.claim + 1,
  worker = NULL,
  lease_until_utc = NULL,
  next_attempt_utc = (
    SELECT CASE WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id) ELSE now() END
  ),
  updated_utc = now()
FROM unnest(
  $1::bigint[],
  $2::bigint[],
  $3::bigint[],
  $4::bigint[],
  $5::text[],
  $6::timestamptz[],
  $7::text[],
  $8::text[],
  $9::text[],
  $10::timestamptz[],
  $11::timestamptz[],
  $12::bigint[],
  $13::text[],
  $14::bigint[],
  $15::jsonb[],
  $16::bigint[],
  $17::boolean[],
  $18::bigint[],
  $19::text[],
  $20::text[]
)
AS b (
  site_id,
  id,
  cycle,
  attempt,
  type,
  charged_utc,
  resolution,
  transaction_id,
  reason,
  due_utc,
  replaced_utc,
  amount,
  currency_iso,
  payment_integration_id,
  frozen,
  rates_version,
  prices_mixed,
  order_cycles,
  fixed_totals,
  unit_prices
)
WHERE c.site_id = b.site_id AND c.scheduled_order_id = b.id AND c.cycle = b.cycle AND c.open;
