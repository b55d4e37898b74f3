-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/pushes/push-shops.sql.ts

-- SHOP_ANSWERS
UPDATE site_shops h
SET failures = 0,
  failing_since_utc = NULL,
  updated_utc = now(),
  state_because = CASE WHEN h.state <> 'Ready' THEN h.state_because END,
  not_before_utc = CASE WHEN h.failures < 5 THEN h.not_before_utc END
FROM (SELECT b.failures FROM site_shops b WHERE b.site_id = $1) before
WHERE h.site_id = $1 AND h.failures > 0
RETURNING before.failures >= 5 AS closed;

-- SHOP_FAILS
UPDATE site_shops h
SET failures = h.failures + 1,
  failing_since_utc = coalesce(h.failing_since_utc, now()),
  updated_utc = now(),
  not_before_utc = greatest(
    h.not_before_utc,
    now() + $2 * interval '1 millisecond',
    CASE
      WHEN h.failures + 1 >= 5 THEN now() + greatest(
        interval '10 seconds', least(interval '30 minutes', (now() - coalesce(h.failing_since_utc, now())) / 2)
      )
      END
  ),
  state = CASE
    WHEN h.state = 'Ready'
    AND h.failing_since_utc <= now() - interval '5 days'
    AND h.failures + 1 >= 5 THEN 'Unreachable'
    ELSE h.state
    END,
  state_because = CASE
    WHEN h.state = 'Ready'
    AND h.failing_since_utc <= now() - interval '5 days'
    AND h.failures + 1 >= 5 THEN 'It has not answered for 5 days.'
    WHEN h.state = 'Ready' THEN coalesce($3, h.state_because)
    ELSE h.state_because
    END
FROM (SELECT b.state FROM site_shops b WHERE b.site_id = $1) before
WHERE h.site_id = $1
RETURNING h.failures = 5 AS opened, before.state = 'Ready' AND h.state = 'Unreachable' AS ended;

-- SHOP_REFUSES
UPDATE site_shops h
SET state = 'Refused', state_because = $9, updated_utc = now()
FROM sites s
WHERE h.site_id = $1
  AND s.id = h.site_id
  AND h.receiver = $2
  AND h.secret = $7
  AND (s.url, s.api_key1, s.api_key2, h.path) IS NOT DISTINCT FROM ($3::varchar, $5::text, $6::text, $4::varchar)
  AND h.auth_mode = $8
  AND h.state = 'Ready'
RETURNING h.site_id;
