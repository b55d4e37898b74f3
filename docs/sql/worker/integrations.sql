-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/worker/src/gateways/integrations.sql.ts

-- LOAD_INTEGRATIONS
SELECT i.id,
  i.site_id,
  i.payment_method_type AS type,
  i.api_account,
  i.api_key1,
  i.api_key2,
  i.test_mode,
  EXISTS (
    SELECT 1
    FROM integration_waits w
    WHERE w.site_id = i.site_id
      AND w.payment_method_type = i.payment_method_type
      AND (w.waiting_since_utc IS NOT NULL OR w.missing <> '[]')
  ) AS needs_probe,
  EXISTS (
    SELECT 1
    FROM required_reconciliations d
    WHERE i.created_utc < d.began_utc + interval '7 days'
      AND d.began_utc > now() - interval '60 days'
      AND NOT (SELECT s.simulated FROM sites s WHERE s.id = i.site_id)
      AND d.generation > coalesce(
        (SELECT r.generation FROM integration_reconciliations r WHERE r.payment_integration_id = i.id), 0
      )
  ) AS is_uncompared
FROM payment_integrations i
WHERE i.site_id = ANY ($1::bigint[]) AND i.deleted_utc IS NULL;

-- LOAD_PINNED_INTEGRATIONS
SELECT i.id, i.site_id, i.payment_method_type AS type, i.api_account, i.api_key1, i.api_key2, i.test_mode
FROM payment_integrations i
WHERE i.id = ANY ($1::bigint[]);
