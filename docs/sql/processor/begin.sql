-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- libs/cycles/src/statements/begin.sql.ts

-- BEGIN_CYCLES
INSERT INTO processing_cycles AS c (
  site_id,
  scheduled_order_id,
  cycle,
  state,
  open,
  due_utc,
  replaced_utc,
  payment_method_type,
  order_id,
  worker,
  lease_until_utc,
  claim,
  attempt,
  amount,
  currency_iso,
  gateway_customer_id,
  gateway_payment_id,
  payment_integration_id,
  credentials_fingerprint,
  idempotency_key,
  frozen,
  started_utc
)
SELECT b.site_id,
  b.id,
  b.cycle,
  CASE WHEN b.key IS NULL THEN 'Claimed' ELSE 'Charging' END,
  true,
  b.due_utc,
  b.replaced_utc,
  b.type,
  b.order_id,
  $1,
  now() + $2 * interval '1 millisecond',
  1,
  CASE WHEN b.key IS NULL THEN 0 ELSE 1 END,
  b.amount,
  b.currency_iso,
  b.gateway_customer_id,
  b.gateway_payment_id,
  b.integration_id,
  b.fingerprint,
  b.key,
  b.frozen,
  CASE WHEN b.key IS NOT NULL THEN now() END
FROM unnest(
  $5::bigint[],
  $6::bigint[],
  $7::bigint[],
  $8::timestamptz[],
  $9::timestamptz[],
  $10::text[],
  $11::bigint[],
  $12::bigint[],
  $13::text[],
  $14::text[],
  $15::text[],
  $16::bigint[],
  $17::text[],
  $18::text[],
  $19::jsonb[]
)
AS b (
  site_id,
  id,
  cycle,
  due_utc,
  replaced_utc,
  type,
  order_id,
  amount,
  currency_iso,
  gateway_customer_id,
  gateway_payment_id,
  integration_id,
  fingerprint,
  key,
  frozen
)
WHERE assert_same_database($3, $4, 33)
  AND NOT EXISTS (SELECT FROM processing_cycles p WHERE p.scheduled_order_id = b.id AND p.cycle = b.cycle)
  AND NOT EXISTS (SELECT FROM processing_cycles p WHERE p.scheduled_order_id = b.id AND p.open)
RETURNING c.scheduled_order_id;
