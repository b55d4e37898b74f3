-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/auth/sessions/sessions.service.ts
-- for GET /api/Session
-- for POST /api/Session/Confirm
-- for POST /api/Sessions
SELECT t.id,
  t.user_id,
  u.email,
  t.expires_utc,
  t.session_until_utc,
  CASE
    WHEN t.password_entered_utc > now() - interval '10 minutes' THEN t.password_entered_utc + interval '10 minutes'
    END AS confirmed_until_utc
FROM access_tokens t
JOIN users u ON u.id = t.user_id
WHERE t.id = $1 AND t.session_until_utc IS NOT NULL;

-- apps/api/src/auth/sessions/sessions.service.ts
-- for POST /api/Session/Confirm
UPDATE access_tokens AS x
SET password_entered_utc = now(),
  updated_utc = greatest(clock_timestamp()::timestamptz(3), x.updated_utc + interval '1 millisecond')
WHERE x.id = $1 AND x.revoked_utc IS NULL AND x.expires_utc > now();

-- apps/api/src/auth/sessions/sessions.service.ts
-- for POST /api/Sessions
INSERT INTO access_tokens (user_id, secret_hash, access_scope, expires_utc, session_until_utc, password_entered_utc)
VALUES (
  $1,
  $2,
  'Merchant',
  least(now() + interval '30 minutes', now() + interval '12 hours'),
  now() + interval '12 hours',
  now()
)
RETURNING id;
