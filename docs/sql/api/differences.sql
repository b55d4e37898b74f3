-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/payments/differences/differences.service.ts
-- for POST /api/Difference/{differenceId}/Settle
SELECT x.site_id,
  x.scheduled_order_id,
  x.state,
  differenceView.json(x)::text AS json,
  isReached(x.site_id, $2::bigint[]) AS reached
FROM payment_differences x
WHERE x.id = $1
FOR UPDATE OF x;

-- apps/api/src/payments/differences/differences.service.ts
-- for POST /api/Difference/{differenceId}/Settle
SELECT x.site_id,
  x.scheduled_order_id,
  x.state,
  differenceView.json(x)::text AS json,
  isReached(x.site_id, $2::bigint[]) AS reached
FROM payment_differences x
WHERE x.id = $1;
