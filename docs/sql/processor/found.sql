-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- libs/cycles/src/statements/found.sql.ts

-- INSERT_FOUND
INSERT INTO processing_cycles (
  site_id,
  scheduled_order_id,
  cycle,
  state,
  open,
  attempt,
  amount,
  currency_iso,
  payment_method_type,
  payment_integration_id,
  started_utc,
  frozen,
  resolution,
  gateway_transaction_id,
  failure_code,
  failure_message,
  stopped_utc,
  due_utc,
  replaced_utc,
  next_attempt_utc,
  order_id,
  rates_version,
  order_cycles,
  fixed_totals,
  unit_prices,
  simulated,
  begun_utc
)
VALUES (
  $1,
  $2,
  $3,
  'Unknown',
  true,
  $4,
  $5,
  $6,
  $7,
  $8,
  $9,
  $10,
  $11::text,
  $12,
  CASE WHEN $11::text = 'Held' THEN 1009 ELSE 2001 END,
  $13,
  CASE WHEN $11::text IS DISTINCT FROM 'Found' THEN now() END,
  $14,
  $15,
  coalesce((SELECT k.now_utc FROM test_clocks k WHERE k.site_id = $1::bigint), now()),
  nextval('orders_id_seq'),
  $16::bigint,
  $17::bigint,
  $18::text,
  $19::text,
  (SELECT o.simulated FROM scheduled_orders o WHERE o.id = $2),
  (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = $1::bigint)
);

-- TAKE_OPEN
UPDATE processing_cycles c
SET state = 'Unknown',
  attempt = greatest(c.attempt, $4),
  amount = $5,
  currency_iso = $6,
  payment_method_type = $7,
  payment_integration_id = $8,
  started_utc = $9,
  frozen = CASE WHEN c.frozen IS NOT NULL AND c.attempt = $4 AND c.amount = $5 THEN c.frozen ELSE $10 END,
  rates_version = CASE
    WHEN c.frozen IS NOT NULL
    AND c.attempt = $4
    AND c.amount = $5 THEN c.rates_version
    ELSE $16::bigint
    END,
  order_cycles = CASE
    WHEN c.frozen IS NOT NULL
    AND c.attempt = $4
    AND c.amount = $5 THEN c.order_cycles
    ELSE $17::bigint
    END,
  fixed_totals = CASE
    WHEN c.frozen IS NOT NULL
    AND c.attempt = $4
    AND c.amount = $5 THEN c.fixed_totals
    ELSE $18::text
    END,
  unit_prices = CASE
    WHEN c.frozen IS NOT NULL
    AND c.attempt = $4
    AND c.amount = $5 THEN c.unit_prices
    ELSE $19::text
    END,
  resolution = $11::text,
  gateway_transaction_id = $12,
  failure_code = CASE WHEN $11::text = 'Held' THEN 1009 ELSE 2001 END,
  failure_message = $13,
  due_utc = $14,
  replaced_utc = $15,
  given_up = false,
  waiting_since_utc = NULL,
  held_for = NULL,
  claim = c.claim + 1,
  worker = NULL,
  lease_until_utc = NULL,
  next_attempt_utc = (
    SELECT CASE WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id) ELSE now() END
  ),
  updated_utc = now()
WHERE c.site_id = $1 AND c.scheduled_order_id = $2 AND c.cycle = $3 AND c.open;
