-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- apps/worker/src/processor/claim/leased-cycles.sql.ts

-- INACTIVE
SELECT o.id
FROM scheduled_orders o
LEFT JOIN processing_cycles c ON c.scheduled_order_id = o.id AND c.open
WHERE o.id = ANY ($1::bigint[])
  AND (o.status <> 'Active' OR o.deleted_utc IS NOT NULL)
  AND (c.state IS DISTINCT FROM 'Unknown' OR c.stopped_utc IS NOT NULL);
