-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/api/src/timeline/timeline.sql.ts

-- CHANGES
SELECT l.id::text AS id,
  l.description,
  l.access_token AS token,
  (SELECT k.name FROM api_keys k WHERE k.id = (l.access_token ->> 'Id')::bigint) AS key_name,
  s.after ->> 'CurrencyIso' AS currency,
  (
    SELECT json_object_agg(n.key, json_build_array(p.value, n.value))
    FROM json_each(s.after) n
    LEFT JOIN json_each(coalesce(s.before, '{}')) p ON p.key = n.key
    WHERE n.key NOT IN ('Customer', 'ScheduledOrderItems', 'UpdatedUtc')
      AND n.value::text IS DISTINCT FROM p.value::text
  ) AS fields,
  CASE
    WHEN s.before IS NOT NULL
    AND (s.after -> 'ScheduledOrderItems')::text IS DISTINCT FROM (s.before -> 'ScheduledOrderItems')::text THEN (
      SELECT json_agg(json_build_object('title', d.title, 'before', d.before, 'after', d.after) ORDER BY d.id)
      FROM (
        SELECT c.id,
          max(c.title) AS title,
          (array_agg(c.values) FILTER (WHERE NOT c.is_new))[1] AS before,
          (array_agg(c.values) FILTER (WHERE c.is_new))[1] AS after
        FROM (
          SELECT u.is_new,
            (u.item ->> 'Id')::bigint AS id,
            u.item #>> '{Product,Title}' AS title,
            json_build_array(
              u.item ->> 'Quantity', u.item ->> 'Price', u.item ->> 'SalePrice', u.item ->> 'ProductId'
            ) AS values
          FROM (
            SELECT u.item::json, bool_or(u.is_new) AS is_new
            FROM (
              SELECT i.value::text AS item, true AS is_new
              FROM json_array_elements(s.after -> 'ScheduledOrderItems') i
              UNION ALL
              SELECT i.value::text AS item, false AS is_new
              FROM json_array_elements(s.before -> 'ScheduledOrderItems') i
            ) u
            GROUP BY u.item
            HAVING count(*) = 1
          ) u
        ) c
        GROUP BY c.id
      ) d
      WHERE d.before::text IS DISTINCT FROM d.after::text
    )
    END AS items
FROM action_logs l
LEFT JOIN LATERAL (
  SELECT r.after::json AS after, r.before::json AS before
  FROM (
    SELECT l.new_scheduled_order::text || '' AS after, l.previous_scheduled_order::text || '' AS before
    WHERE coalesce(pg_column_size(l.new_scheduled_order), 0) + coalesce(
      pg_column_size(l.previous_scheduled_order), 0
    ) <= 16384
    OFFSET 0
  ) r
  WHERE octet_length(r.after) + coalesce(octet_length(r.before), 0) <= 65536
  OFFSET 0
) s ON true
WHERE l.scheduled_order_id = $1 AND l.id = ANY ($2::uuid[]) AND l.created_utc BETWEEN $3 AND $4;
