-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/statements/put-back.sql.ts

-- PUT_BACK_CYCLES
WITH ahead AS (
  SELECT c.scheduled_order_id, c.cycle
  FROM processing_cycles c
  WHERE c.open AND c.updated_utc > now() + interval '1 minute'
  ORDER BY c.scheduled_order_id
  LIMIT $1
  FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE processing_cycles c
SET updated_utc = now(),
  started_utc = (SELECT CASE WHEN c.started_utc > now() THEN now() ELSE c.started_utc END),
  replayed_utc = (SELECT CASE WHEN c.replayed_utc > now() THEN now() ELSE c.replayed_utc END),
  lease_until_utc = (SELECT CASE WHEN c.lease_until_utc IS NOT NULL THEN now() + $2 * interval '1 millisecond' END),
  next_attempt_utc = (
    SELECT CASE WHEN NOT c.simulated AND c.next_attempt_utc > now() THEN now() ELSE c.next_attempt_utc END
  ),
  waiting_since_utc = (
    SELECT CASE WHEN NOT c.simulated AND c.waiting_since_utc > now() THEN now() ELSE c.waiting_since_utc END
  )
FROM ahead a
WHERE c.scheduled_order_id = a.scheduled_order_id AND c.cycle = a.cycle
RETURNING 1;

-- PUT_BACK_PROBES
UPDATE integration_waits w
SET next_probe_utc = (
  SELECT CASE WHEN NOT w.simulated AND w.next_probe_utc > now() THEN now() ELSE w.next_probe_utc END
),
  waiting_since_utc = (
    SELECT CASE WHEN NOT w.simulated AND w.waiting_since_utc > now() THEN now() ELSE w.waiting_since_utc END
  )
WHERE (w.site_id, w.payment_method_type) IN (
  SELECT a.site_id, a.payment_method_type
  FROM integration_waits a
  WHERE a.written_utc > now() + interval '1 minute'
  ORDER BY a.site_id, a.payment_method_type
  LIMIT $1
  FOR UPDATE SKIP LOCKED
)
RETURNING 1;
