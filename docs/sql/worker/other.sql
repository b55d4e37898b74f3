-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/worker/src/database/clock.ts
-- for a worker
SELECT now() AS now;

-- apps/worker/src/guards/row-chore.ts
-- for a worker
UPDATE integration_audits a
SET checked_until_utc = least(a.checked_until_utc, now() - interval '24 hours'),
  sent_utc = (SELECT CASE WHEN a.sent_utc > now() THEN now() ELSE a.sent_utc END),
  audited_utc = (SELECT CASE WHEN a.audited_utc > now() THEN now() ELSE a.audited_utc END),
  lease_until_utc = (SELECT CASE WHEN a.lease_until_utc > now() THEN now() ELSE a.lease_until_utc END),
  next_audit_utc = CASE WHEN a.next_audit_utc < 'infinity' THEN least(a.next_audit_utc, now()) ELSE 'infinity' END
WHERE a.payment_integration_id IN (
  SELECT p.payment_integration_id
  FROM integration_audits p
  WHERE p.written_utc > now() + interval '1 minute'
  ORDER BY p.payment_integration_id
  LIMIT $1
  FOR UPDATE SKIP LOCKED
)
RETURNING 1;

-- apps/worker/src/guards/row-chore.ts
-- for a worker
WITH ahead AS MATERIALIZED (
  SELECT e.id
  FROM webhook_endpoints e
  WHERE e.written_utc > now() + interval '1 minute'
  ORDER BY e.id
  LIMIT $1
  FOR NO KEY UPDATE SKIP LOCKED
),
deliveries AS (
  UPDATE webhook_deliveries d
  SET next_attempt_utc = now()
  FROM ahead a
  WHERE d.webhook_endpoint_id = a.id AND d.next_attempt_utc > now()
)
UPDATE webhook_endpoints e
SET failing_since_utc = (SELECT CASE WHEN e.failing_since_utc > now() THEN now() ELSE e.failing_since_utc END),
  not_before_utc = (SELECT CASE WHEN e.not_before_utc > now() THEN now() ELSE e.not_before_utc END),
  next_due_utc = (SELECT CASE WHEN e.next_due_utc > now() THEN now() ELSE e.next_due_utc END)
FROM ahead a
WHERE e.id = a.id
RETURNING 1;

-- apps/worker/src/guards/work-guard.ts
-- for a worker
SELECT schema_version AS minimum FROM minimum_version;
