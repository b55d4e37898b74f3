-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql

-- apps/api/src/auth/access-tokens.service.ts
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
RETURNING x.id,
  (
    SELECT row_to_json(resource)
    FROM (
      SELECT x.id AS "Id",
        x.user_id AS "UserId",
        NULL AS "TokenAuth",
        x.access_scope AS "AccessScope",
        x.customer_id AS "CustomerId",
        to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
        to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc",
        to_char(x.expires_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "ExpiresUtc"
    ) resource
  ) AS json;

-- apps/api/src/auth/access-tokens.service.ts
-- for POST /api/AccessTokens/Generate
SELECT 1 FROM users WHERE id = $1 FOR KEY SHARE;

-- apps/api/src/auth/access-tokens.service.ts
-- for POST /api/AccessTokens/Generate
SELECT c.site_id
FROM customers c
JOIN sites s ON s.id = c.site_id
WHERE c.id = $1 AND c.deleted_utc IS NULL AND s.user_id = $2
FOR KEY SHARE OF c;

-- apps/api/src/auth/access-tokens.service.ts
-- for POST /api/AccessTokens/Login
SELECT 1 FROM users WHERE id = $1 AND password_hash = $2 FOR SHARE;

-- apps/api/src/auth/access-tokens.service.ts
-- for POST /api/AccessTokens/Login
SELECT id, password_hash FROM users WHERE email = $1;

-- apps/api/src/auth/active-tokens.service.ts
-- for DELETE /api/AccessTokens/{accessTokenId}
SELECT t.user_id, c.site_id
FROM access_tokens t
LEFT JOIN customers c ON c.id = t.customer_id
WHERE t.id = $1 AND t.revoked_utc IS NULL;

-- apps/api/src/auth/callers.ts
-- for POST /api/AccessTokens/Generate
UPDATE access_tokens
SET last_used_utc = now()
WHERE id = (
  SELECT t.id
  FROM access_tokens t
  WHERE t.id = $1 AND (t.last_used_utc IS NULL OR t.last_used_utc < now() - interval '1 minute')
  FOR NO KEY UPDATE SKIP LOCKED
);

-- apps/api/src/auth/known-networks.ts
-- for POST /api/AccessTokens/Login
INSERT INTO known_networks AS n (user_id, network_hash)
VALUES ($1::bigint, sha256(convert_to($1::bigint::text || ' ' || $2::text, 'UTF8')))
ON CONFLICT (
  user_id, network_hash
) DO UPDATE SET last_login_utc = now() WHERE n.last_login_utc < now() - interval '1 hour' RETURNING n.user_id;

-- apps/api/src/auth/login-attempts.ts
-- apps/api/src/auth/token-bounds.ts
-- for POST /api/AccessTokens/Generate
-- for POST /api/AccessTokens/Login
SELECT pg_advisory_xact_lock(hashtextextended($1, 0));

-- apps/api/src/auth/login-attempts.ts
-- for POST /api/AccessTokens/Login
DELETE
FROM login_attempts
WHERE id IN (
  SELECT id
  FROM login_attempts
  WHERE attempted_utc < now() - interval '15 minutes'
  ORDER BY attempted_utc
  LIMIT 20
  FOR UPDATE SKIP LOCKED
);

-- apps/api/src/auth/login-attempts.ts
-- for POST /api/AccessTokens/Login
DELETE FROM login_attempts WHERE id = ANY ($1::bigint[]);

-- apps/api/src/auth/login-attempts.ts
-- for POST /api/AccessTokens/Login
INSERT INTO login_attempts (subject, checking_until_utc)
SELECT subject, now() + interval '20 seconds'
FROM unnest($1::text[]) subject
RETURNING id;

-- apps/api/src/auth/login-attempts.ts
-- for POST /api/AccessTokens/Login
SELECT counted.checking,
  counted.failed,
  s.most,
  ceil(extract(epoch FROM filling.attempted_utc + interval '15 minutes' - now()))::int AS seconds
FROM (VALUES (1, $1::text, 10), (2, $2::text, 100)) AS s (place, subject, most)
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE coalesce(a.checking_until_utc > now(), false))::int AS checking,
    count(*) FILTER (WHERE NOT coalesce(a.checking_until_utc > now(), false))::int AS failed
  FROM login_attempts a
  WHERE a.subject = s.subject AND a.attempted_utc > now() - interval '15 minutes'
) counted
LEFT JOIN LATERAL (
  SELECT a.attempted_utc
  FROM login_attempts a
  WHERE a.subject = s.subject
    AND a.attempted_utc > now() - interval '15 minutes'
    AND NOT coalesce(a.checking_until_utc > now(), false)
  ORDER BY a.attempted_utc DESC
  OFFSET s.most - 1
  LIMIT 1
) filling ON true
ORDER BY s.place;

-- apps/api/src/auth/token-bounds.ts
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

-- apps/api/src/auth/token-bounds.ts
-- for POST /api/AccessTokens/Login
UPDATE access_tokens AS x
SET expires_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id IN (
  SELECT t.id
  FROM access_tokens t
  WHERE t.user_id = $1 AND t.customer_id IS NULL AND t.revoked_utc IS NULL AND t.expires_utc > now()
  ORDER BY t.id IS NOT DISTINCT FROM $2::bigint DESC, coalesce(t.last_used_utc, t.created_utc) DESC, t.id DESC
  OFFSET $3
);

-- apps/api/src/auth/token-families.ts
-- for DELETE /api/AccessTokens/{accessTokenId}
WITH RECURSIVE family AS (
  SELECT t.id
  FROM access_tokens t
  WHERE t.id = $1 UNION
  SELECT t.id
  FROM access_tokens t
  JOIN family f ON t.parent_id = f.id
)
UPDATE access_tokens AS x
SET revoked_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
FROM family
WHERE x.id = family.id AND x.revoked_utc IS NULL;

-- libs/records/src/listing.ts
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
    SELECT '[' || coalesce(
      string_agg(
        (
          SELECT row_to_json(resource)
          FROM (
            SELECT x.id AS "Id",
              x.user_id AS "UserId",
              NULL AS "TokenAuth",
              x.access_scope AS "AccessScope",
              x.customer_id AS "CustomerId",
              to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
              to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc",
              to_char(x.expires_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "ExpiresUtc"
          ) resource
        )::text,
        ','
        ORDER BY x.id
      ),
      ''
    ) || ']'
    FROM access_tokens x
    WHERE x.id IN (SELECT id FROM shown)
  )
  END AS json,
  ARRAY (SELECT id FROM shown)::text AS ids,
  (SELECT count(*) FROM page) > 100 AS more;
