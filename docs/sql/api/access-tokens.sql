-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/auth/tokens/access-tokens.service.ts
-- for POST /api/AccessTokens/Generate
-- for POST /api/AccessTokens/Login
INSERT INTO access_tokens AS x (user_id, secret_hash, access_scope, customer_id, parent_id, api_key_id, expires_utc)
VALUES (
  $1,
  $2,
  $3,
  $4,
  $5,
  $6,
  least(now() + make_interval(secs => $7), (SELECT k.expires_utc FROM api_keys k WHERE k.id = $6))
)
RETURNING x.id, accessTokenView.json(x) AS json;

-- apps/api/src/auth/tokens/access-tokens.service.ts
-- for POST /api/AccessTokens/Generate
SELECT 1 FROM users WHERE id = $1 FOR KEY SHARE;

-- apps/api/src/auth/tokens/access-tokens.service.ts
-- for POST /api/AccessTokens/Generate
SELECT isReached(c.site_id, $3::bigint[]) AS reached
FROM customers c
JOIN sites s ON s.id = c.site_id
WHERE c.id = $1 AND c.deleted_utc IS NULL AND s.user_id = $2
FOR KEY SHARE OF c;

-- apps/api/src/auth/tokens/active-tokens.service.ts
-- for DELETE /api/AccessTokens/{accessTokenId}
SELECT t.user_id, isReached(c.site_id, $2::bigint[]) AS reached
FROM access_tokens t
LEFT JOIN customers c ON c.id = t.customer_id
WHERE t.id = $1 AND t.revoked_utc IS NULL;

-- apps/api/src/auth/tokens/token-bounds.ts
-- for POST /api/AccessTokens/Generate
UPDATE access_tokens AS x
SET expires_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id IN (
  SELECT t.id
  FROM access_tokens t
  WHERE t.customer_id = $1 AND t.revoked_utc IS NULL AND t.expires_utc > now()
  ORDER BY t.id IS NOT DISTINCT FROM $2::bigint DESC, coalesce(t.last_used_utc, t.created_utc) DESC, t.id DESC
  OFFSET $3
);

-- libs/records/src/lists/listing.ts
-- for GET /api/AccessTokens
WITH page AS MATERIALIZED (
  SELECT k.id
  FROM (
    SELECT t.id
    FROM access_tokens t
    WHERE t.user_id = $1::bigint
      AND t.revoked_utc IS NULL
      AND t.expires_utc > now()
      AND NOT EXISTS (SELECT 1 FROM customers c WHERE c.id = t.customer_id AND c.deleted_utc IS NOT NULL)
      AND t.id > $2
      AND t.id <= $3
    ORDER BY t.id
    LIMIT $4
  ) k
  ORDER BY k.id
  OFFSET $5
  LIMIT 101
),
shown AS MATERIALIZED (SELECT id FROM page ORDER BY id LIMIT 100)
SELECT CASE
  WHEN coalesce(0, 0) <= 500 THEN (
    SELECT '[' || coalesce(string_agg(accessTokenView.json(x)::text, ',' ORDER BY x.id), '') || ']'
    FROM access_tokens x
    WHERE x.id IN (SELECT id FROM shown)
  )
  END AS json,
  ARRAY (SELECT id FROM shown)::text AS ids,
  (SELECT count(*) FROM page) > 100 AS more;
