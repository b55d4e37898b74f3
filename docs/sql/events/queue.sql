-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/events/src/webhooks/queue.sql.ts

-- LOCK_ENDPOINT
SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE;

-- LOOK_AGAIN
UPDATE webhook_endpoints e
SET next_due_utc = CASE
  WHEN e.status = 'Enabled'
  AND e.deleted_utc IS NULL THEN (
    SELECT greatest(e.not_before_utc, d.next_attempt_utc)
    FROM webhook_deliveries d
    WHERE d.webhook_endpoint_id = e.id AND d.next_attempt_utc IS NOT NULL
    ORDER BY d.next_attempt_utc, d.id
    LIMIT 1
  )
  END
WHERE e.id = $1;

-- RELEASE_HEADS
UPDATE webhook_deliveries d
SET next_attempt_utc = now(), ordered = e.ordered
FROM webhook_endpoints e
WHERE e.id = $1
  AND d.webhook_endpoint_id = e.id
  AND d.ordered
  AND d.state = 'Waiting'
  AND d.next_attempt_utc IS NULL
  AND (
    NOT e.ordered
      OR NOT EXISTS (
        SELECT
        FROM webhook_deliveries b
        WHERE b.webhook_endpoint_id = e.id
          AND b.scheduled_order_id = d.scheduled_order_id
          AND b.ordered
          AND b.state = 'Waiting'
          AND b.sequence < d.sequence
      )
  );
