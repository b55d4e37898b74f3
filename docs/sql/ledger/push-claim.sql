-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/pushes/push-claim.sql.ts

-- CLAIM_PUSHES
WITH room AS MATERIALIZED (
  SELECT b.site_id,
    h.failures >= 5 AS is_probed,
    greatest(
      0,
      least(
        b.most,
        CASE
          WHEN h.failures >= 5 THEN 1
          ELSE 2
          END - (SELECT count(*) FROM order_pushes l WHERE l.site_id = h.site_id AND l.lease_until_utc > now())
      )
    ) AS most
  FROM unnest($1::bigint[], $2::bigint[]) AS b (site_id, most)
  JOIN site_shops h ON h.site_id = b.site_id
),
picked AS MATERIALIZED (
  SELECT d.scheduled_order_id, d.cycle
  FROM room r
  CROSS JOIN LATERAL (
    (
      SELECT p.scheduled_order_id, p.cycle, NOT r.is_probed AS goes_first, p.next_attempt_utc
      FROM order_pushes p
      WHERE p.site_id = r.site_id
        AND p.next_attempt_utc <= now()
        AND p.shop_order_id IS NOT NULL
        AND p.state IN ('Waiting', 'Sending', 'Unknown')
      ORDER BY p.next_attempt_utc
      LIMIT r.most
    )
    UNION ALL (
      SELECT p.scheduled_order_id, p.cycle, false AS goes_first, p.next_attempt_utc
      FROM order_pushes p
      WHERE p.site_id = r.site_id
        AND p.next_attempt_utc <= now()
        AND (p.shop_order_id IS NULL OR p.state NOT IN ('Waiting', 'Sending', 'Unknown'))
      ORDER BY p.next_attempt_utc
      LIMIT r.most
    )
    ORDER BY goes_first DESC, next_attempt_utc
    LIMIT r.most
  ) d
),
claimed AS (
  UPDATE order_pushes p
  SET claim = p.claim + 1,
    lease_until_utc = now() + interval '180000 milliseconds',
    next_attempt_utc = now() + interval '180000 milliseconds',
    updated_utc = now()
  FROM picked k
  WHERE p.scheduled_order_id = k.scheduled_order_id AND p.cycle = k.cycle AND p.next_attempt_utc <= now()
  RETURNING p.*
)
SELECT c.scheduled_order_id,
  c.cycle,
  c.order_id,
  c.push_name,
  c.state,
  c.attempts,
  c.claim,
  c.message,
  c.found_nothing,
  c.sends,
  c.sends >= 3
    AND EXISTS (
      SELECT
      FROM (
        SELECT o.sent_utc
        FROM order_pushes o
        WHERE o.site_id = c.site_id AND o.state = 'Pushed' AND NOT o.is_linked
        ORDER BY o.order_id DESC
        LIMIT 1000
      ) o
      WHERE o.sent_utc BETWEEN c.created_utc AND c.sent_utc
    ) AS took_others,
  c.sends > 1
    AND EXISTS (
      SELECT
      FROM (
        SELECT o.sent_utc
        FROM order_pushes o
        WHERE o.site_id = c.site_id AND o.state = 'Pushed' AND NOT o.is_linked
        ORDER BY o.order_id DESC
        LIMIT 1000
      ) o
      WHERE o.sent_utc > c.sent_utc
    ) AS works_again,
  c.looks_up_first,
  c.is_linked,
  c.sent_utc,
  c.shop_order_id,
  c.removing_twins,
  c.created_utc,
  now() AS now_utc,
  (SELECT max(r.began_utc) FROM required_reconciliations r) AS restored_utc,
  h.tax_difference,
  h.push_anyway,
  h.failures AS shop_failures,
  h.site_id,
  h.receiver,
  s.url,
  h.path,
  h.auth_mode,
  s.api_key1,
  s.api_key2,
  h.secret,
  CASE WHEN h.previous_until_utc > now() THEN h.previous_secret END AS previous_secret
FROM claimed c
JOIN site_shops h ON h.site_id = c.site_id
JOIN sites s ON s.id = c.site_id;

-- LOCK_DUE_SHOPS
SELECT h.site_id, s.user_id AS account
FROM site_shops h
JOIN sites s ON s.id = h.site_id
CROSS JOIN LATERAL (
  SELECT p.next_attempt_utc
  FROM order_pushes p
  WHERE p.site_id = h.site_id AND p.next_attempt_utc <= now()
  ORDER BY p.next_attempt_utc
  LIMIT 1
) due
WHERE assert_same_database($1, $2, 1)
  AND h.push
  AND h.state = 'Ready'
  AND (h.not_before_utc IS NULL OR h.not_before_utc <= now())
  AND s.user_id <> ALL ($4::bigint[])
  AND CASE
  WHEN h.failures >= 5 THEN 1
  ELSE 2
  END - (SELECT count(*) FROM order_pushes l WHERE l.site_id = h.site_id AND l.lease_until_utc > now()) > 0
ORDER BY due.next_attempt_utc
LIMIT $3
FOR NO KEY UPDATE OF h SKIP LOCKED;

-- LOOK_FOR_PUSHES
SELECT (extract(epoch FROM min(l.due_utc) - clock_timestamp()) * 1000)::float8 AS in_ms
FROM (
  SELECT (
    SELECT greatest(p.next_attempt_utc, h.not_before_utc)
    FROM order_pushes p
    WHERE p.site_id = h.site_id
      AND p.next_attempt_utc IS NOT NULL
      AND CASE
      WHEN h.failures >= 5 THEN 1
      ELSE 2
      END - (SELECT count(*) FROM order_pushes l WHERE l.site_id = h.site_id AND l.lease_until_utc > now()) > 0
      AND (SELECT s.user_id FROM sites s WHERE s.id = h.site_id) <> ALL ($1::bigint[])
    ORDER BY p.next_attempt_utc
    LIMIT 1
  ) AS due_utc
  FROM site_shops h
  WHERE h.push AND h.state = 'Ready'
) l;

-- PUSH_BACKLOG
WITH open AS (
  SELECT h.state,
    (
      SELECT count(*) FROM order_pushes p WHERE p.site_id = h.site_id AND p.state IN ('Waiting', 'Sending', 'Unknown')
    ) AS waiting,
    (SELECT count(*) FROM order_pushes p WHERE p.site_id = h.site_id AND p.state IN ('Sending', 'Unknown')) AS unknown,
    CASE
      WHEN h.state = 'Ready' THEN (
        SELECT min(p.sent_utc) FROM order_pushes p WHERE p.site_id = h.site_id AND p.state IN ('Sending', 'Unknown')
      )
      END AS unknown_utc,
    CASE
      WHEN h.push
      AND h.state = 'Ready'
      AND (h.not_before_utc IS NULL OR h.not_before_utc <= now()) THEN (
        SELECT min(p.next_attempt_utc) FROM order_pushes p WHERE p.site_id = h.site_id AND p.next_attempt_utc <= now()
      )
      END AS due_utc
  FROM site_shops h
  WHERE h.push
)
SELECT coalesce(sum(o.waiting), 0)::float8 AS waiting,
  coalesce(sum(o.unknown), 0)::float8 AS unknown,
  coalesce(extract(epoch FROM now() - min(o.unknown_utc)), 0)::float8 AS unknown_age,
  coalesce(extract(epoch FROM now() - min(o.due_utc)), 0)::float8 AS due_age,
  (SELECT jsonb_object_agg(s.state, s.count) FROM (SELECT state, count(*) AS count FROM open GROUP BY 1) s) AS shops
FROM open o;

-- PUT_BACK_PUSHES
UPDATE order_pushes p
SET next_attempt_utc = now(),
  lease_until_utc = NULL,
  sent_utc = (SELECT CASE WHEN p.sent_utc > now() THEN now() ELSE p.sent_utc END),
  updated_utc = now()
WHERE (p.scheduled_order_id, p.cycle) IN (
  SELECT a.scheduled_order_id, a.cycle
  FROM order_pushes a
  WHERE a.next_attempt_utc > now() AND a.updated_utc > now() + interval '1 minute'
  ORDER BY a.scheduled_order_id, a.cycle
  LIMIT $1
  FOR NO KEY UPDATE SKIP LOCKED
)
RETURNING 1;

-- PUT_BACK_SHOPS
UPDATE site_shops h
SET not_before_utc = (SELECT CASE WHEN h.not_before_utc > now() THEN now() ELSE h.not_before_utc END),
  failing_since_utc = (SELECT CASE WHEN h.failing_since_utc > now() THEN now() ELSE h.failing_since_utc END),
  updated_utc = now()
WHERE h.site_id IN (
  SELECT a.site_id
  FROM site_shops a
  WHERE a.updated_utc > now() + interval '1 minute'
  ORDER BY a.site_id
  LIMIT $1
  FOR NO KEY UPDATE SKIP LOCKED
)
RETURNING 1;
