-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/worker/src/read-back/read-back.sql.ts

-- BEGIN_READ
WITH due AS (
  SELECT r.site_id
  FROM shop_reads r
  JOIN site_shops h ON h.site_id = r.site_id
  WHERE assert_same_database($3, $4, 1)
    AND (
      (r.look_at_once OR r.worker IS NOT NULL)
        AND r.failures = 0
        OR (
          r.next_read_utc <= now() + interval '1 millisecond'
            OR r.next_read_utc > now() + CASE
            WHEN r.failures = 0 THEN interval '20 minutes'
            ELSE interval '25 hours'
            END
        )
    )
    AND (
      r.lease_until_utc IS NULL
        OR (r.lease_until_utc <= now() + interval '1 millisecond' OR r.lease_until_utc > now() + interval '10 minutes')
    )
    AND h.receiver = 'WooCommerceRest'
    AND h.state = 'Ready'
    AND (h.not_before_utc IS NULL OR h.not_before_utc <= now())
  ORDER BY r.lease_until_utc NULLS FIRST, r.next_read_utc
  LIMIT 1
  FOR UPDATE OF r SKIP LOCKED
)
UPDATE shop_reads r
SET worker = $1, lease_until_utc = now() + $2 * interval '1 millisecond', look_at_once = false
FROM due d
JOIN site_shops h ON h.site_id = d.site_id
JOIN sites s ON s.id = d.site_id
LEFT JOIN product_imports i ON i.site_id = d.site_id AND i.state = 'Running'
WHERE r.site_id = d.site_id
RETURNING h.site_id,
  h.receiver,
  s.url,
  h.path,
  h.auth_mode,
  s.api_key1,
  s.api_key2,
  h.secret,
  CASE WHEN h.previous_until_utc > now() THEN h.previous_secret END AS previous_secret,
  s.currency_iso,
  h.stock_sync,
  r.places,
  (
    r.next_read_utc <= now() + interval '1 millisecond'
      OR r.next_read_utc > now() + CASE
      WHEN r.failures = 0 THEN interval '20 minutes'
      ELSE interval '25 hours'
      END
  ) AS is_whole,
  i.place AS import_place,
  now() AS now_utc;

-- END_READ
WITH ended AS (
  UPDATE shop_reads r
  SET worker = NULL,
    lease_until_utc = now(),
    failures = 0,
    look_at_once = r.look_at_once OR $5::boolean,
    next_read_utc = CASE WHEN $4::boolean THEN now() + interval '15 minutes' ELSE r.next_read_utc END
  WHERE r.site_id = $1 AND r.worker = $2
  RETURNING r.site_id
),
made_sure AS (
  INSERT INTO shop_hints (site_id, kind, record_id)
  SELECT h.site_id, m.kind, m.id::bigint
  FROM ended e
  JOIN site_shops h ON h.site_id = e.site_id
  CROSS JOIN LATERAL (
    (
      SELECT 'Order' AS kind, p.shop_order_id AS id
      FROM order_pushes p
      WHERE p.site_id = h.site_id
        AND p.state = 'Pushed'
        AND p.ended_in_shop IS NULL
        AND p.shop_order_id ~ '^[0-9]{1,15}$'
        AND coalesce(p.sent_utc, p.created_utc) >= coalesce(h.moved_utc, '-infinity')
      ORDER BY p.order_id DESC
      LIMIT 1000
    )
    UNION ALL (
      SELECT 'Product', p.external_id
      FROM products p
      WHERE p.site_id = h.site_id
        AND p.deleted_utc IS NULL
        AND p.unsellable IS NOT NULL
        AND p.external_id ~ '^[0-9]{1,15}$'
      LIMIT 1000
    )
  ) m
  WHERE $4::boolean AND h.last_sync_utc < date_trunc('day', $3::timestamptz, 'UTC')
  ON CONFLICT (site_id, kind, record_id) DO NOTHING
) UPDATE site_shops h SET last_sync_utc = $3 FROM ended e WHERE h.site_id = e.site_id AND $4::boolean;

-- FORGET_HINTS
DELETE
FROM shop_hints h USING unnest($2::text[], $3::bigint[], $4::timestamptz[]) AS b (kind, record_id, hinted_utc)
WHERE h.site_id = $1 AND h.kind = b.kind AND h.record_id = b.record_id AND h.hinted_utc = b.hinted_utc;

-- GO_ON_READING
UPDATE shop_reads r
SET lease_until_utc = now() + $3 * interval '1 millisecond', places = $4
WHERE r.site_id = $1 AND r.worker = $2
RETURNING 1;

-- HINT_AGAIN
INSERT INTO shop_hints AS h (site_id, kind, record_id)
SELECT $1::bigint, 'Order', n.id
FROM unnest($2::bigint[]) AS n (id)
ON CONFLICT (site_id, kind, record_id) DO UPDATE SET hinted_utc = greatest(
  now(), h.hinted_utc + interval '1 millisecond'
);

-- MAY_LACK_CHARGES
SELECT 1
FROM payment_integrations i
WHERE i.site_id = $1
  AND i.deleted_utc IS NULL
  AND EXISTS (
    SELECT 1
    FROM required_reconciliations d
    WHERE i.created_utc < d.began_utc + interval '7 days'
      AND d.began_utc > now() - interval '60 days'
      AND NOT (SELECT s.simulated FROM sites s WHERE s.id = i.site_id)
      AND d.generation > coalesce(
        (SELECT r.generation FROM integration_reconciliations r WHERE r.payment_integration_id = i.id), 0
      )
  )
LIMIT 1;

-- OF_OTHER_SITES
SELECT o.id FROM scheduled_orders o WHERE o.id = ANY ($2::bigint[]) AND o.site_id <> $1;

-- PUT_OFF_READ
WITH put_off AS (
  UPDATE shop_reads r
  SET worker = NULL,
    lease_until_utc = now(),
    failures = r.failures + 1,
    next_read_utc = now() + greatest(
      least(interval '1 day', coalesce($3::float8, 0) * interval '1 millisecond'),
      least(interval '15 minutes', interval '30 seconds' * (1 << least(r.failures, 5)::int))
    )
  WHERE r.site_id = $1 AND r.worker = $2
  RETURNING r.site_id
)
UPDATE product_imports i
SET message = left($4, 1000)
FROM put_off p
WHERE i.site_id = p.site_id AND i.state = 'Running';

-- READ_HINTS
SELECT h.kind, h.record_id AS id, h.hinted_utc FROM shop_hints h WHERE h.site_id = $1 ORDER BY h.hinted_utc LIMIT $2;

-- TAKE_UP_READS
WITH taken_up AS (
  INSERT INTO shop_reads (site_id)
  SELECT h.site_id
  FROM site_shops h
  WHERE h.receiver = 'WooCommerceRest'
    AND h.state = 'Ready'
    AND NOT EXISTS (SELECT 1 FROM shop_reads r WHERE r.site_id = h.site_id)
  ON CONFLICT (site_id) DO NOTHING
) SELECT EXISTS (SELECT FROM site_shops h WHERE h.receiver = 'WooCommerceRest' AND h.state = 'Ready') AS has_shops;
