-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/pushes/pushed-orders.sql.ts

-- READ_PUSHED_ORDERS
SELECT o.id,
  o.deleted_utc IS NOT NULL AS is_deleted,
  o.date_paid,
  o.currency_iso,
  o.subtotal,
  o.shipping_total,
  o.tax_total,
  o.total,
  o.payment_method_type,
  o.gateway_transaction_id,
  o.customer_id,
  c.external_id AS customer_external_id,
  c.email,
  c.tax_exempt,
  json_build_object(
    'firstName', o.billing_first_name,
    'lastName', o.billing_last_name,
    'street1', o.billing_street1,
    'street2', o.billing_street2,
    'city', o.billing_city,
    'state', o.billing_state,
    'postcode', o.billing_postcode,
    'country', o.billing_country
  ) AS billing,
  json_build_object(
    'firstName', o.shipping_first_name,
    'lastName', o.shipping_last_name,
    'street1', o.shipping_street1,
    'street2', o.shipping_street2,
    'city', o.shipping_city,
    'state', o.shipping_state,
    'postcode', o.shipping_postcode,
    'country', o.shipping_country
  ) AS shipping,
  (
    SELECT coalesce(
      json_agg(
        json_build_object(
          'productExternalId', p.external_id,
          'sku', p.sku,
          'name', i.name,
          'quantity', i.quantity,
          'total', i.total::text,
          'taxTotal', i.tax_total::text,
          'isRecurring', i.is_recurring,
          'productId', i.product_id
        )
        ORDER BY i.id
      ),
      '[]'
    )
    FROM order_items i
    LEFT JOIN products p ON p.id = i.product_id
    WHERE i.order_id = o.id
  ) AS lines,
  y.rates_version,
  y.prices_mixed,
  y.order_cycles,
  y.fixed_totals,
  y.unit_prices
FROM orders o
JOIN customers c ON c.id = o.customer_id
LEFT JOIN processing_cycles y ON y.scheduled_order_id = o.scheduled_order_id AND y.cycle = o.cycle
WHERE o.id = ANY ($1::bigint[]);
