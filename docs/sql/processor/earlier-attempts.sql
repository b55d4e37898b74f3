-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- apps/worker/src/processor/charge/earlier-attempts.sql.ts

-- READ_PAST_ATTEMPTS
SELECT c.past_attempts FROM processing_cycles c WHERE c.scheduled_order_id = $1 AND c.cycle = $2;
