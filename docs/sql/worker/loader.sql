-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- apps/worker/src/processor/prepare/loader.sql.ts

-- COUNT_ITEMS
SELECT batch.id,
  (
    SELECT count(*) FROM scheduled_order_items i WHERE i.scheduled_order_id = batch.id AND i.deleted_utc IS NULL
  ) AS items
FROM unnest($1::bigint[]) AS batch (id);

-- LOAD_ACCOUNTS
SELECT id AS site_id, user_id AS account_id FROM sites WHERE id = ANY ($1::bigint[]);

-- LOAD_ORDERS
SELECT o.id,
  o.xmin::text AS version,
  o.customer_id,
  o.status,
  o.deleted_utc IS NOT NULL AS deleted,
  o.frequency_type,
  o.frequency,
  o.schedule_anchor_utc,
  coalesce(o.last_occurrence_utc, o.created_utc) AS settled_until_utc,
  o.created_utc,
  o.cycles,
  o.currency_iso,
  o.payment_method_type,
  o.payment_method_customer_id,
  o.payment_method_id,
  o.shipping_total,
  o.tax_total,
  o.total,
  o.shipping_total_fixed,
  o.tax_total_fixed,
  o.shipping_country,
  o.shipping_state,
  o.shipping_city,
  o.shipping_postcode,
  cu.tax_exempt,
  EXISTS (SELECT 1 FROM found_charges f WHERE f.scheduled_order_id = o.id AND f.state = 'Unplaced') AS has_unplaced,
  (
    SELECT jsonb_object_agg(h.scheduled_order_id, h.kinds)
    FROM (
      SELECT d.scheduled_order_id, string_agg(DISTINCT d.kind, ', ') AS kinds
      FROM payment_differences d
      WHERE d.holds AND d.site_id = ANY ($3) AND d.scheduled_order_id IS NOT NULL
      GROUP BY 1
    ) h
  ) ->> o.id::text AS held_by,
  r.receiver,
  (
    SELECT coalesce(sum(v.version), 0)::bigint FROM rate_versions v WHERE v.site_id = ANY ($3::bigint[])
  ) AS prices_version,
  json_build_array(
    o.shipping_first_name,
    o.shipping_last_name,
    o.shipping_street1,
    o.shipping_street2,
    o.shipping_city,
    o.shipping_state,
    o.shipping_postcode,
    o.shipping_country
  )::text AS shipping,
  json_build_array(
    CASE WHEN b.own THEN m.billing_first_name ELSE cu.billing_first_name END,
    CASE WHEN b.own THEN m.billing_last_name ELSE cu.billing_last_name END,
    CASE WHEN b.own THEN m.billing_street1 ELSE cu.billing_street1 END,
    CASE WHEN b.own THEN m.billing_street2 ELSE cu.billing_street2 END,
    CASE WHEN b.own THEN m.billing_city ELSE cu.billing_city END,
    CASE WHEN b.own THEN m.billing_state ELSE cu.billing_state END,
    CASE WHEN b.own THEN m.billing_postcode ELSE cu.billing_postcode END,
    CASE WHEN b.own THEN m.billing_country ELSE cu.billing_country END
  )::text AS billing,
  (
    SELECT json_agg(
      json_build_array(
        i.id,
        i.product_id,
        i.price::text,
        i.sale_price::text,
        i.quantity,
        p.title,
        p.availability,
        p.stock_level,
        p.shipping_class,
        p.tax_class,
        p.deleted_utc,
        CASE WHEN r.receiver IS NOT NULL THEN p.external_id END,
        CASE WHEN r.receiver IS NOT NULL THEN p.sku END,
        CASE WHEN r.receiver IS NOT NULL THEN p.unsellable END
      )
      ORDER BY i.id
    )
    FROM (
      SELECT i.*
      FROM scheduled_order_items i
      WHERE i.scheduled_order_id = o.id AND i.deleted_utc IS NULL
      ORDER BY i.id
      LIMIT $2
    ) i
    JOIN products p ON p.id = i.product_id
  ) AS items
FROM unnest($1::bigint[]) AS batch (id)
JOIN scheduled_orders o ON o.id = batch.id
JOIN customers cu ON cu.id = o.customer_id
LEFT JOIN LATERAL (
  SELECT m.*
  FROM payment_methods m
  WHERE m.customer_id = o.customer_id
    AND m.type = o.payment_method_type
    AND m.gateway_customer_id = o.payment_method_customer_id
    AND m.gateway_payment_id = o.payment_method_id
    AND m.deleted_utc IS NULL
  LIMIT 1
) m ON true
CROSS JOIN LATERAL (
  SELECT num_nonnulls(
    m.billing_first_name,
    m.billing_last_name,
    m.billing_street1,
    m.billing_street2,
    m.billing_city,
    m.billing_state,
    m.billing_postcode,
    m.billing_country
  ) > 0 AS own
) b
CROSS JOIN LATERAL (
  SELECT (
    SELECT jsonb_object_agg(h.site_id, h.receiver)
    FROM site_shops h
    WHERE h.site_id = ANY ($3) AND h.push AND NOT h.push_anyway
  ) ->> o.site_id::text AS receiver
) r;
