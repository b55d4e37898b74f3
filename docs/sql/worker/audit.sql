-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/worker/src/processor/audit/audit.sql.ts

-- BEGIN_AUDIT
WITH due AS (
  SELECT a.payment_integration_id AS id, i.site_id, i.payment_method_type
  FROM integration_audits a
  JOIN payment_integrations i ON i.id = a.payment_integration_id
  WHERE a.next_audit_utc <= now() - $3 * interval '1 millisecond'
    AND (a.lease_until_utc IS NULL OR a.lease_until_utc <= now())
    AND NOT EXISTS (
      SELECT 1
      FROM required_reconciliations d
      WHERE i.created_utc < d.began_utc + interval '7 days'
        AND d.began_utc > now() - interval '60 days'
        AND NOT (SELECT s.simulated FROM sites s WHERE s.id = i.site_id)
        AND d.generation > coalesce(
          (SELECT r.generation FROM integration_reconciliations r WHERE r.payment_integration_id = i.id), 0
        )
    )
  ORDER BY a.next_audit_utc
  LIMIT 1
  FOR UPDATE OF a SKIP LOCKED
)
UPDATE integration_audits a
SET worker = $1, lease_until_utc = now() + $2 * interval '1 millisecond'
FROM due d
WHERE a.payment_integration_id = d.id
RETURNING d.id, d.site_id, d.payment_method_type, a.checked_until_utc, a.open_charges, now() AS now_utc;

-- END_AUDIT
UPDATE integration_audits a
SET checked_until_utc = $3,
  open_charges = $4,
  worker = NULL,
  lease_until_utc = NULL,
  audited_utc = CASE WHEN (a.sent_utc > now() - interval '24 hours' OR $4::jsonb <> '[]') THEN now() END,
  next_audit_utc = CASE
    WHEN (a.sent_utc > now() - interval '24 hours' OR $4::jsonb <> '[]') THEN $5::timestamptz
    ELSE 'infinity'
    END
WHERE a.payment_integration_id = $1 AND a.worker = $2;

-- GO_ON_AUDITING
UPDATE integration_audits a
SET lease_until_utc = now() + $3 * interval '1 millisecond'
WHERE a.payment_integration_id = $1 AND a.worker = $2
RETURNING 1;

-- JUDGED_ELSEWHERE
SELECT f.transaction_id, CASE WHEN u.transaction_id IS NULL THEN 'Other' ELSE 'Unplaced' END AS by
FROM unnest($3::text[], $4::bigint[]) AS f (transaction_id, order_id)
LEFT JOIN found_charges u ON u.payment_integration_id = $1
  AND u.transaction_id = f.transaction_id
  AND u.state = 'Unplaced'
LEFT JOIN scheduled_orders s ON s.id = f.order_id AND s.site_id <> $2
WHERE u.transaction_id IS NOT NULL OR s.id IS NOT NULL;

-- PUT_OFF_AUDIT
UPDATE integration_audits a
SET worker = NULL,
  lease_until_utc = NULL,
  audited_utc = CASE WHEN a.sent_utc > now() - interval '24 hours' OR NOT $4::boolean THEN a.audited_utc END,
  next_audit_utc = CASE
    WHEN a.sent_utc > now() - interval '24 hours'
    OR NOT $4::boolean THEN now() + $3 * interval '1 millisecond'
    ELSE 'infinity'
    END
WHERE a.payment_integration_id = $1 AND a.worker = $2;

-- SENT
INSERT INTO integration_audits AS a (payment_integration_id, checked_until_utc, next_audit_utc, audited_utc, sent_utc)
SELECT i.id, now() - interval '1 hour', now() + $2 * interval '1 millisecond', now(), now()
FROM payment_integrations i
WHERE i.id = ANY ($1::bigint[])
ORDER BY i.id
ON CONFLICT (payment_integration_id) DO UPDATE SET sent_utc = now(),
  next_audit_utc = least(a.next_audit_utc, excluded.next_audit_utc),
  checked_until_utc = CASE WHEN a.audited_utc IS NULL THEN excluded.checked_until_utc ELSE a.checked_until_utc END,
  audited_utc = coalesce(a.audited_utc, now())
  WHERE a.audited_utc IS NULL OR a.sent_utc IS NULL OR a.sent_utc < now() - interval '1 hour';
