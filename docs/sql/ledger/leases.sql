-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/statements/leases.sql.ts

-- END_LEASES
UPDATE processing_cycles c
SET lease_until_utc = now()
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS b (id, cycle, worker, claim)
WHERE c.scheduled_order_id = b.id AND c.cycle = b.cycle AND c.worker = b.worker AND c.claim = b.claim AND c.open;

-- INACTIVE
SELECT o.id
FROM scheduled_orders o
LEFT JOIN processing_cycles c ON c.scheduled_order_id = o.id AND c.open
WHERE o.id = ANY ($1::bigint[])
  AND (o.status <> 'Active' OR o.deleted_utc IS NOT NULL)
  AND (c.state IS DISTINCT FROM 'Unknown' OR c.stopped_utc IS NOT NULL);

-- RELEASE
UPDATE processing_cycles c
SET state = CASE WHEN c.waiting_since_utc IS NULL AND c.held_for IS NULL THEN 'Retrying' ELSE 'Waiting' END,
  next_attempt_utc = (
    SELECT CASE WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id) ELSE now() END
  ),
  worker = NULL,
  lease_until_utc = NULL,
  updated_utc = now()
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS b (id, cycle, worker, claim)
WHERE c.scheduled_order_id = b.id
  AND c.cycle = b.cycle
  AND c.worker = b.worker
  AND c.claim = b.claim
  AND c.state = 'Claimed';

-- RENEW
WITH leased AS (
  SELECT c.scheduled_order_id, c.cycle
  FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[]) AS b (id, cycle, worker, claim)
  JOIN processing_cycles c ON c.scheduled_order_id = b.id
    AND c.cycle = b.cycle
    AND c.worker = b.worker
    AND c.claim = b.claim
    AND c.open
  FOR NO KEY UPDATE OF c SKIP LOCKED
)
UPDATE processing_cycles c
SET lease_until_utc = $1
FROM leased h
WHERE c.scheduled_order_id = h.scheduled_order_id AND c.cycle = h.cycle
RETURNING c.scheduled_order_id, c.cycle;
