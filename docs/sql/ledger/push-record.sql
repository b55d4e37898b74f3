-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/pushes/push-record.sql.ts

-- BEGIN_REMOVING
UPDATE order_pushes p
SET removing_twins = $4::jsonb, updated_utc = now()
WHERE p.scheduled_order_id = $1 AND p.cycle = $2 AND p.claim = $3 AND assert_same_database($5, $6, 1)
RETURNING p.cycle;

-- BEGIN_SENDING
UPDATE order_pushes p
SET state = 'Sending',
  message = NULL,
  sent_utc = now(),
  found_nothing = 0,
  sends = CASE WHEN p.shop_order_id IS NOT DISTINCT FROM $4 THEN p.sends ELSE 0 END + 1,
  lease_until_utc = now() + interval '180000 milliseconds',
  next_attempt_utc = now() + interval '180000 milliseconds',
  updated_utc = now(),
  shop_order_id = coalesce($4, CASE WHEN true THEN p.shop_order_id END),
  shop_order_number = coalesce($5, CASE WHEN true THEN p.shop_order_number END),
  shop_total = coalesce($6::numeric, CASE WHEN true THEN p.shop_total END)
WHERE p.scheduled_order_id = $1 AND p.cycle = $2 AND p.claim = $3 AND assert_same_database($7, $8, 1)
RETURNING p.cycle;

-- GIVE_EXTERNAL_ID
WITH other AS (
  SELECT o.id FROM orders o WHERE o.site_id = $1 AND o.external_id = $3 AND o.deleted_utc IS NULL AND o.id <> $2
),
given AS (
  UPDATE orders o
  SET external_id = $3,
    order_number = coalesce($4, o.order_number),
    updated_utc = greatest(clock_timestamp()::timestamptz(3), o.updated_utc + interval '1 millisecond')
  WHERE o.id = $2 AND NOT EXISTS (SELECT FROM other) AND (o.external_id IS NULL OR o.external_id IN ($3, $5))
  RETURNING o.id
)
SELECT (SELECT id FROM other) AS other_id,
  (SELECT o.external_id FROM orders o WHERE o.id = $2) AS own,
  EXISTS (SELECT FROM given) AS given;

-- LOCK_ORDER_OF_PUSH
SELECT 1 FROM scheduled_orders WHERE id = $1 FOR NO KEY UPDATE;

-- RECORD_PUSH
UPDATE order_pushes p
SET state = $7,
  attempts = $8,
  found_nothing = $9,
  sends = CASE
    WHEN $7::varchar = 'Unknown'
    AND p.shop_order_id IS NOT DISTINCT FROM coalesce($4, p.shop_order_id) THEN p.sends
    ELSE 0
    END,
  sent_utc = coalesce(p.sent_utc, $10),
  message = CASE WHEN $11 THEN $12 ELSE p.message END,
  lines_that_differ = CASE WHEN $11 THEN $13::jsonb ELSE p.lines_that_differ END,
  told_orders = coalesce($14::jsonb, p.told_orders),
  next_attempt_utc = now() + $15 * interval '1 millisecond',
  lease_until_utc = NULL,
  claim = p.claim + 1,
  updated_utc = now(),
  shop_order_id = coalesce($4, CASE WHEN NOT $16 THEN p.shop_order_id END),
  shop_order_number = coalesce($5, CASE WHEN NOT $16 THEN p.shop_order_number END),
  shop_total = coalesce($6::numeric, CASE WHEN NOT $16 THEN p.shop_total END)
WHERE p.scheduled_order_id = $1 AND p.cycle = $2 AND p.claim = $3
RETURNING p.cycle;

-- TAKE_EXTERNAL_ID
UPDATE orders o
SET external_id = NULL,
  order_number = NULL,
  updated_utc = greatest(clock_timestamp()::timestamptz(3), o.updated_utc + interval '1 millisecond')
WHERE o.id = $1 AND o.external_id = $2;

-- TWIN_REMOVED
UPDATE order_pushes p
SET removing_twins = p.removing_twins - $4::text, updated_utc = now()
WHERE p.scheduled_order_id = $1 AND p.cycle = $2 AND p.claim = $3 AND p.removing_twins @> to_jsonb($4::text)
RETURNING p.cycle;
