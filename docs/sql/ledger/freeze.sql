-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/statements/freeze.sql.ts

-- FREEZE
UPDATE processing_cycles c
SET state = 'Charging',
  attempt = b.attempt,
  payment_method_type = b.type,
  gateway_customer_id = b.gateway_customer_id,
  gateway_payment_id = b.gateway_payment_id,
  credentials_fingerprint = b.credentials_fingerprint,
  idempotency_key = b.idempotency_key,
  amount = b.amount,
  currency_iso = b.currency_iso,
  payment_integration_id = b.payment_integration_id,
  frozen = b.frozen,
  rates_version = b.rates_version,
  prices_mixed = b.prices_mixed,
  order_cycles = b.order_cycles,
  fixed_totals = b.fixed_totals,
  unit_prices = b.unit_prices,
  started_utc = now(),
  updated_utc = now(),
  gateway_transaction_id = NULL,
  known_to_gateway = false,
  replayed_utc = NULL,
  failure_code = NULL,
  failure_message = NULL,
  past_attempts = (
    SELECT CASE
      WHEN c.idempotency_key IS NULL
      OR c.attempt = b.attempt THEN c.past_attempts
      ELSE coalesce(c.past_attempts, '[]') || jsonb_build_object(
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
      END
  )
FROM unnest(
  $3::bigint[],
  $4::bigint[],
  $5::text[],
  $6::bigint[],
  $7::bigint[],
  $8::text[],
  $9::text[],
  $10::text[],
  $11::text[],
  $12::text[],
  $13::bigint[],
  $14::text[],
  $15::bigint[],
  $16::jsonb[],
  $17::bigint[],
  $18::boolean[],
  $19::bigint[],
  $20::text[],
  $21::text[]
)
AS b (
  id,
  cycle,
  worker,
  claim,
  attempt,
  type,
  gateway_customer_id,
  gateway_payment_id,
  credentials_fingerprint,
  idempotency_key,
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
WHERE assert_same_database($1, $2, 1)
  AND c.scheduled_order_id = b.id
  AND c.cycle = b.cycle
  AND c.worker = b.worker
  AND c.claim = b.claim
  AND (
    c.state = 'Claimed' AND c.attempt = b.attempt - 1 OR c.state = 'Charging' AND c.idempotency_key = b.idempotency_key
  )
RETURNING c.scheduled_order_id;
