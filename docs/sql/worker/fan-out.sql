-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/worker/src/dispatcher/fan-out.sql.ts

-- FAN_OUT
WITH made AS (
  INSERT INTO webhook_deliveries (
    site_id, webhook_endpoint_id, sequence, event_id, event_type, scheduled_order_id, ordered, next_attempt_utc
  )
  SELECT o.site_id,
    e.id,
    o.sequence,
    o.event_id,
    o.type,
    o.scheduled_order_id,
    e.ordered AND o.scheduled_order_id IS NOT NULL,
    CASE
      WHEN e.ordered
      AND o.scheduled_order_id IS NOT NULL
      AND (
        row_number() OVER (PARTITION BY e.id, o.scheduled_order_id ORDER BY o.sequence) > 1
          OR EXISTS (
            SELECT
            FROM webhook_deliveries w
            WHERE w.webhook_endpoint_id = e.id
              AND w.scheduled_order_id = o.scheduled_order_id
              AND w.ordered
              AND w.state = 'Waiting'
          )
      ) THEN NULL
      ELSE now()
      END
  FROM outbox o
  JOIN webhook_endpoints e ON e.site_id = o.site_id AND e.created_utc <= o.occurred_utc
  WHERE o.sequence > $1
    AND o.sequence <= $2
    AND e.id = ANY ($3::bigint[])
    AND (
      e.event_types = '[]'
        OR EXISTS (
          SELECT
          FROM jsonb_array_elements_text(e.event_types) p
          WHERE o.type = p OR right(p, 2) = '.*' AND starts_with(o.type, left(p, -1))
        )
    )
  ON CONFLICT DO NOTHING RETURNING webhook_endpoint_id
)
UPDATE webhook_endpoints e
SET next_due_utc = least(e.next_due_utc, greatest(now(), e.not_before_utc))
WHERE e.id IN (SELECT m.webhook_endpoint_id FROM made m)
  AND (
    e.next_due_utc IS NULL
      OR e.next_due_utc > greatest(now(), e.not_before_utc)
      OR e.written_utc < now() - interval '1 minute'
  );

-- LOCK_ENDPOINTS_OF_SITES
SELECT e.id
FROM webhook_endpoints e
WHERE e.site_id = ANY ($1::bigint[]) AND e.deleted_utc IS NULL AND e.status = 'Enabled'
ORDER BY e.id
FOR NO KEY UPDATE;

-- MOVE_POSITION
UPDATE webhook_fan_out SET sequence = $1;

-- NEXT_EVENTS
SELECT max(n.sequence) AS last, array_agg(DISTINCT n.site_id)::text AS sites, count(*)::int AS count
FROM (SELECT o.sequence, o.site_id FROM outbox o WHERE o.sequence > $1 ORDER BY o.sequence LIMIT $2) n;

-- TAKE_POSITION
SELECT sequence FROM webhook_fan_out FOR UPDATE SKIP LOCKED;
