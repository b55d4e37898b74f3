-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/worker/src/database/contention.sql.ts

-- PROBE
WITH asleep AS MATERIALIZED (SELECT clock_timestamp() AS since),
awake AS MATERIALIZED (SELECT since, pg_sleep(0.002) FROM asleep)
SELECT 1000 * (extract(epoch FROM clock_timestamp() - since) - 0.002)::float8 AS late_ms,
  EXISTS (
    SELECT
    FROM pg_stat_activity
    WHERE datname = current_database()
      AND application_name = 'scheduled-orders-api'
      AND state_change > clock_timestamp() - interval '1 s'
  ) AS is_api_active
FROM awake;
