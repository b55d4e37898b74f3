-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/pushes/push-requests.sql.ts

-- HURRY_PUSH
UPDATE order_pushes p
SET sends = least(p.sends, 1), next_attempt_utc = now(), updated_utc = now()
WHERE p.scheduled_order_id = $1 AND p.cycle = $2;

-- LOCK_REQUESTED_PUSH
SELECT p.site_id,
  p.scheduled_order_id,
  p.cycle,
  p.order_id,
  p.state,
  p.shop_order_id,
  coalesce(p.ended_in_shop IN ('Trashed', 'Deleted'), false) AS is_gone,
  coalesce(p.lease_until_utc > now(), false) AS is_leased
FROM order_pushes p
WHERE p.scheduled_order_id = $1 AND p.cycle = $2
FOR NO KEY UPDATE;

-- RETRY_PUSH
UPDATE order_pushes p
SET state = 'Waiting',
  attempts = 0,
  found_nothing = 0,
  sends = 0,
  looks_up_first = true,
  is_linked = false,
  shop_order_id = NULL,
  ended_in_shop = NULL,
  shop_order_number = NULL,
  shop_total = NULL,
  lines_that_differ = NULL,
  message = NULL,
  next_attempt_utc = now(),
  lease_until_utc = NULL,
  claim = p.claim + 1,
  updated_utc = now()
WHERE p.scheduled_order_id = $1 AND p.cycle = $2;

-- SETTLE_PUSH
UPDATE order_pushes p
SET state = 'Pushed',
  message = $3,
  lease_until_utc = NULL,
  is_linked = p.is_linked OR p.shop_order_id IS DISTINCT FROM $4,
  next_attempt_utc = CASE WHEN p.shop_order_id IS DISTINCT FROM $4 THEN now() END,
  shop_order_number = CASE WHEN p.shop_order_id = $4 THEN p.shop_order_number END,
  shop_total = CASE WHEN p.shop_order_id = $4 THEN p.shop_total END,
  lines_that_differ = CASE WHEN p.shop_order_id = $4 THEN p.lines_that_differ END,
  ended_in_shop = CASE WHEN p.shop_order_id = $4 THEN p.ended_in_shop END,
  shop_order_id = $4,
  claim = p.claim + 1,
  updated_utc = now()
WHERE p.scheduled_order_id = $1 AND p.cycle = $2;
