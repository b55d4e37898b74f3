-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/statements/send-gate.sql.ts

-- READ_STOPS
SELECT c.scheduled_order_id,
  c.stopped_utc IS NOT NULL AS stopped,
  (
    SELECT string_agg(DISTINCT d.kind, ', ')
    FROM payment_differences d
    WHERE d.holds AND d.site_id = c.site_id AND d.scheduled_order_id = c.scheduled_order_id
  ) AS held_by
FROM unnest($3::bigint[], $4::bigint[], $5::text[], $6::bigint[]) AS b (id, cycle, worker, claim)
JOIN processing_cycles c ON c.scheduled_order_id = b.id
  AND c.cycle = b.cycle
  AND c.worker = b.worker
  AND c.claim = b.claim
  AND c.open
WHERE assert_same_database($1, $2) AND c.lease_until_utc > now();
