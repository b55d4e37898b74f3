-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql

-- apps/api/src/auth/api-keys.service.ts
-- for DELETE /api/ApiKey/{apiKeyId}
SELECT user_id FROM api_keys WHERE id = $1 AND revoked_utc IS NULL;

-- apps/api/src/auth/api-keys.service.ts
-- for DELETE /api/ApiKey/{apiKeyId}
UPDATE api_keys AS x
SET revoked_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1;

-- apps/api/src/auth/token-families.ts
-- for DELETE /api/ApiKey/{apiKeyId}
WITH RECURSIVE family AS (
  SELECT t.id
  FROM access_tokens t
  WHERE t.api_key_id = $1 UNION
  SELECT t.id
  FROM access_tokens t
  JOIN family f ON t.parent_id = f.id
)
UPDATE access_tokens AS x
SET revoked_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
FROM family
WHERE x.id = family.id AND x.revoked_utc IS NULL;

-- libs/records/src/api-keys.ts
-- for POST /api/ApiKeys
INSERT INTO api_key_sites (api_key_id, site_id) SELECT DISTINCT $1::bigint, site FROM unnest($2::bigint[]) site;

-- libs/records/src/api-keys.ts
-- for POST /api/ApiKeys
INSERT INTO api_keys (id, user_id, name, secret_hash, access, expires_utc)
VALUES (nextval(pg_get_serial_sequence('access_tokens', 'id')), $1, $2, $3, $4, $5)
RETURNING id;

-- libs/records/src/api-keys.ts
-- for POST /api/ApiKeys
SELECT (
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.name AS "Name",
      (SELECT json_agg(s.site_id ORDER BY s.site_id) FROM api_key_sites s WHERE s.api_key_id = x.id) AS "SiteIds",
      x.access AS "Access",
      to_char(x.expires_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "ExpiresUtc",
      to_char(x.last_used_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "LastUsedUtc",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc"
  ) resource
) AS json
FROM api_keys x
WHERE x.id = $1;

-- libs/records/src/api-keys.ts
-- for POST /api/ApiKeys
SELECT (SELECT count(*)::int FROM api_keys k WHERE k.user_id = u.id AND k.revoked_utc IS NULL) AS keys,
  clock_timestamp() AS now
FROM (SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE) u;

-- libs/records/src/api-keys.ts
-- for POST /api/ApiKeys
SELECT id, user_id FROM sites WHERE id = ANY ($1::bigint[]);

-- libs/records/src/listing.ts
-- for GET /api/ApiKeys
WITH found AS MATERIALIZED (
  SELECT k.id FROM api_keys k WHERE k.user_id = $1 AND k.id > $2 AND k.revoked_utc IS NULL ORDER BY k.id LIMIT $3
),
chunk AS (
  SELECT string_agg(c.json, ',' ORDER BY c.id) AS json, coalesce(max(c.id), (SELECT min(id) FROM found)) AS last
  FROM (
    SELECT x.id,
      (
        SELECT row_to_json(resource)
        FROM (
          SELECT x.id AS "Id",
            x.name AS "Name",
            (SELECT json_agg(s.site_id ORDER BY s.site_id) FROM api_key_sites s WHERE s.api_key_id = x.id) AS "SiteIds",
            x.access AS "Access",
            to_char(x.expires_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "ExpiresUtc",
            to_char(x.last_used_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "LastUsedUtc",
            to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc"
        ) resource
      )::text AS json
    FROM api_keys x
    WHERE x.id = ANY (ARRAY(SELECT id FROM found))
  ) c
)
SELECT $4::text || json AS json,
  last::text AS last,
  ((SELECT count(*) FROM found) < $3 AND coalesce(last = (SELECT max(id) FROM found), true))::text AS ends
FROM chunk;
