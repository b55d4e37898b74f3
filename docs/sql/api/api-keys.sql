-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/auth/api-keys.service.ts
-- for DELETE /api/ApiKey/{apiKeyId}
SELECT user_id FROM api_keys WHERE id = $1 AND revoked_utc IS NULL;

-- apps/api/src/auth/api-keys.service.ts
-- for DELETE /api/ApiKey/{apiKeyId}
UPDATE api_keys AS x
SET revoked_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1;

-- apps/api/src/auth/tokens/token-families.ts
-- for DELETE /api/ApiKey/{apiKeyId}
UPDATE access_tokens AS x
SET revoked_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.api_key_id = $1 AND x.revoked_utc IS NULL;

-- libs/records/src/access/api-keys.ts
-- for POST /api/ApiKeys
INSERT INTO api_key_sites (api_key_id, site_id) SELECT DISTINCT $1::bigint, site FROM unnest($2::bigint[]) site;

-- libs/records/src/access/api-keys.ts
-- for POST /api/ApiKeys
INSERT INTO api_keys (id, user_id, name, secret_hash, access, expires_utc)
VALUES (nextval(pg_get_serial_sequence('access_tokens', 'id')), $1, $2, $3, $4, $5)
RETURNING id;

-- libs/records/src/access/api-keys.ts
-- for POST /api/ApiKeys
SELECT (SELECT count(*)::int FROM api_keys k WHERE k.user_id = u.id AND k.revoked_utc IS NULL) AS keys,
  clock_timestamp() AS now
FROM (SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE) u;

-- libs/records/src/access/api-keys.ts
-- for POST /api/ApiKeys
SELECT apiKeyView.json(x) AS json FROM api_keys x WHERE x.id = $1;

-- libs/records/src/access/api-keys.ts
-- for POST /api/ApiKeys
SELECT id, user_id FROM sites WHERE id = ANY ($1::bigint[]);

-- libs/records/src/lists/key-batches.ts
-- for GET /api/ApiKeys
SELECT '{' || string_agg(p.id::text, ',' ORDER BY p.id) || '}' AS ids,
  count(*) AS count,
  min(p.id) AS first,
  max(p.id) AS last,
  (SELECT max(id) FROM api_keys) AS newest
FROM (
  SELECT k.id, (row_number() OVER (ORDER BY k.id) - 1) / 500 AS piece
  FROM (
    SELECT t.id
    FROM api_keys t
    WHERE t.user_id = $1::bigint AND t.revoked_utc IS NULL AND t.id > $2 AND t.id <= $3
    ORDER BY t.id
    LIMIT $4
  ) k
) p
GROUP BY p.piece
ORDER BY p.piece;

-- libs/records/src/lists/record-reader.ts
-- for GET /api/ApiKeys
WITH wanted AS MATERIALIZED (
  SELECT k.id, k.place FROM unnest($1::bigint[]) WITH ORDINALITY AS k (id, place) WHERE k.place > $2
),
fitting AS MATERIALIZED (SELECT id, place FROM wanted),
taken AS (SELECT coalesce((SELECT max(place) FROM fitting), (SELECT min(place) FROM wanted)) AS upto)
SELECT p.json,
  (
    SELECT x.id
    FROM api_keys x, taken
    WHERE x.id = (SELECT w.id FROM wanted w WHERE w.place = taken.upto)
      AND NOT EXISTS (SELECT 1 FROM fitting)
      AND x.user_id = $3::bigint
      AND x.revoked_utc IS NULL
  )::text AS alone,
  (SELECT taken.upto FROM taken WHERE taken.upto < (SELECT max(place) FROM wanted))::text AS upto
FROM (SELECT) always
LEFT JOIN (
  SELECT min(c.place) AS first, ',' || string_agg(c.json, ',' ORDER BY c.place) AS json
  FROM (
    SELECT f.place, (row_number() OVER (ORDER BY f.place) - 1) / 20 AS part, apiKeyView.json(x)::text AS json
    FROM fitting f
    CROSS JOIN LATERAL (
      SELECT x.* FROM api_keys x WHERE x.id = f.id AND x.user_id = $3::bigint AND x.revoked_utc IS NULL OFFSET 0
    ) x
  ) c
  GROUP BY c.part
) p ON true
ORDER BY p.first;
