-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- accessTokenView.json(x)
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
)

-- actionLogView.whole.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.site_id AS "SiteId",
      x.scheduled_order_id AS "ScheduledOrderId",
      x.action_type AS "ActionType",
      x.access_token AS "AccessToken",
      x.previous_scheduled_order AS "PreviousScheduledOrder",
      x.new_scheduled_order AS "NewScheduledOrder",
      x.description AS "Description",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)

-- apiKeyTokenView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.user_id AS "UserId",
      NULL AS "TokenAuth",
      'Merchant'::text AS "AccessScope",
      NULL AS "CustomerId",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc",
      coalesce(
        to_char(x.expires_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '9999-12-31T23:59:59.999Z'
      ) AS "ExpiresUtc"
  ) resource
)

-- apiKeyView.json(x)
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
)

-- cycleView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.cycle AS "Cycle",
      x.state AS "State",
      to_char(x.due_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "DueUtc",
      x.missed_occurrences AS "PassedOver",
      x.attempt AS "Attempts",
      CASE WHEN x.state = 'Completed' THEN x.order_id END AS "OrderId",
      x.amount AS "Amount",
      x.currency_iso AS "CurrencyIso",
      x.payment_method_type AS "PaymentMethodType",
      x.gateway_transaction_id AS "GatewayTransactionId",
      x.failure_code AS "FailureCode",
      to_char(
        CASE
          WHEN x.held_for IS NOT NULL
          AND x.state = 'Waiting' THEN NULL
          WHEN x.open
          AND x.next_attempt_utc IS NOT NULL
          AND x.waiting_since_utc IS NOT NULL
          AND x.failure_code = 1003 THEN least(
            x.next_attempt_utc,
            (
              SELECT w.next_probe_utc
              FROM integration_waits w
              WHERE w.site_id = x.site_id AND w.payment_method_type = x.payment_method_type
            )
          )
          ELSE x.next_attempt_utc
          END AT TIME ZONE 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
      ) AS "NextAttemptUtc",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)

-- differenceView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.site_id AS "SiteId",
      x.kind AS "Kind",
      x.order_id AS "OrderId",
      x.scheduled_order_id AS "ScheduledOrderId",
      x.cycle AS "Cycle",
      x.payment_integration_id AS "PaymentIntegrationId",
      x.payment_method_type AS "PaymentMethodType",
      x.gateway_transaction_id AS "GatewayTransactionId",
      x.ours AS "Ours",
      x.theirs AS "Theirs",
      x.state AS "State",
      x.settled_as AS "As",
      x.settled_by AS "By",
      x.note AS "Note",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.settled_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "SettledUtc"
  ) resource
)

-- eachSite($1::bigint[])
unnest(
  ARRAY(
    SELECT a.id
    FROM sites a
    WHERE a.user_id = ($1::bigint[])[1] AND NOT a.simulated
    UNION ALL
    SELECT k.site_id
    FROM api_key_sites k
    WHERE k.api_key_id = ($1::bigint[])[2]
    UNION ALL
    SELECT ($1::bigint[])[3]
    WHERE ($1::bigint[])[3] IS NOT NULL
  )
) AS site (id)

-- eachSite($1::bigint[], 'all')
unnest(
  ARRAY(
    SELECT a.id
    FROM sites a
    WHERE a.user_id = ($1::bigint[])[1]
    UNION ALL
    SELECT k.site_id
    FROM api_key_sites k
    WHERE k.api_key_id = ($1::bigint[])[2]
    UNION ALL
    SELECT ($1::bigint[])[3]
    WHERE ($1::bigint[])[3] IS NOT NULL
  )
) AS site (id)

-- errorLogView.whole.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.site_id AS "SiteId",
      x.scheduled_order_id AS "ScheduledOrderId",
      x.exception_info AS "ExceptionInfo",
      x.site AS "Site",
      x.entity AS "Entity",
      x.description AS "Description",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)

-- eventLogView.whole.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.site_id AS "SiteId",
      x.scheduled_order_id AS "ScheduledOrderId",
      x.event_type AS "EventType",
      x.scheduled_order AS "ScheduledOrder",
      x.description AS "Description",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)

-- isOfList(x.site_id, $1::bigint[])
(
  x.site_id IN (
    SELECT a.id
    FROM sites a
    WHERE a.user_id = ($1::bigint[])[1] AND NOT a.simulated
    UNION ALL
    SELECT k.site_id
    FROM api_key_sites k
    WHERE k.api_key_id = ($1::bigint[])[2]
    UNION ALL
    SELECT ($1::bigint[])[3]
    WHERE ($1::bigint[])[3] IS NOT NULL
  )
) IS TRUE

-- isReached(x.site_id, $1::bigint[])
EXISTS (
  SELECT
  FROM (
    SELECT a.id
    FROM sites a
    WHERE a.user_id = ($1::bigint[])[1]
    UNION ALL
    SELECT k.site_id
    FROM api_key_sites k
    WHERE k.api_key_id = ($1::bigint[])[2]
    UNION ALL
    SELECT ($1::bigint[])[3]
    WHERE ($1::bigint[])[3] IS NOT NULL
  ) r (id)
  WHERE r.id = x.site_id
  OFFSET 0
)

-- isReached(x.site_id, $1::bigint[], 'counted')
EXISTS (
  SELECT
  FROM (
    SELECT a.id
    FROM sites a
    WHERE a.user_id = ($1::bigint[])[1] AND NOT a.simulated
    UNION ALL
    SELECT k.site_id
    FROM api_key_sites k
    WHERE k.api_key_id = ($1::bigint[])[2]
    UNION ALL
    SELECT ($1::bigint[])[3]
    WHERE ($1::bigint[])[3] IS NOT NULL
  ) r (id)
  WHERE r.id = x.site_id
  OFFSET 0
)

-- orderItemView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.order_id AS "OrderId",
      x.product_id AS "ProductId",
      (SELECT embedded.json FROM products embedded WHERE embedded.id = x.product_id) AS "Product",
      x.name AS "Name",
      trim_scale(x.subtotal) AS "Subtotal",
      trim_scale(x.total) AS "Total",
      trim_scale(x.tax_total) AS "TaxTotal",
      x.quantity AS "Quantity",
      x.is_recurring AS "IsRecurring",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)

-- orderView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.external_id AS "ExternalId",
      x.order_number AS "OrderNumber",
      x.customer_id AS "CustomerId",
      to_char(x.date_created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "DateCreated",
      to_char(x.date_completed AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "DateCompleted",
      to_char(x.date_paid AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "DatePaid",
      trim_scale(x.subtotal) AS "Subtotal",
      trim_scale(x.total) AS "Total",
      trim_scale(x.shipping_total) AS "ShippingTotal",
      trim_scale(x.tax_total) AS "TaxTotal",
      x.is_recurring AS "IsRecurring",
      x.shipping_first_name AS "ShippingFirstName",
      x.shipping_last_name AS "ShippingLastName",
      x.shipping_street1 AS "ShippingStreet1",
      x.shipping_street2 AS "ShippingStreet2",
      x.shipping_city AS "ShippingCity",
      x.shipping_state AS "ShippingState",
      x.shipping_postcode AS "ShippingPostcode",
      x.shipping_country AS "ShippingCountry",
      x.billing_first_name AS "BillingFirstName",
      x.billing_last_name AS "BillingLastName",
      x.billing_street1 AS "BillingStreet1",
      x.billing_street2 AS "BillingStreet2",
      x.billing_city AS "BillingCity",
      x.billing_state AS "BillingState",
      x.billing_postcode AS "BillingPostcode",
      x.billing_country AS "BillingCountry",
      (
        SELECT coalesce(json_agg(orderItemView.json(i) ORDER BY i.id), '[]'::json)
        FROM order_items i
        WHERE i.order_id = x.id
      ) AS "OrderItems",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)

-- paymentIntegrationView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.site_id AS "SiteId",
      x.payment_method_type AS "PaymentMethodType",
      x.id || ' ' || x.api_account AS "ApiAccount",
      x.id || ' ' || x.api_key1 AS "ApiKey1",
      x.id || ' ' || x.api_key2 AS "ApiKey2",
      x.test_mode AS "TestMode",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)

-- paymentMethodView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.customer_id AS "CustomerId",
      x.type AS "Type",
      x.gateway_customer_id AS "GatewayCustomerId",
      x.gateway_payment_id AS "GatewayPaymentId",
      x.description AS "Description",
      x.billing_first_name AS "BillingFirstName",
      x.billing_last_name AS "BillingLastName",
      x.billing_street1 AS "BillingStreet1",
      x.billing_street2 AS "BillingStreet2",
      x.billing_city AS "BillingCity",
      x.billing_state AS "BillingState",
      x.billing_postcode AS "BillingPostcode",
      x.billing_country AS "BillingCountry",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)

-- pushView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.site_id AS "SiteId",
      x.scheduled_order_id AS "ScheduledOrderId",
      x.cycle AS "Cycle",
      x.order_id AS "OrderId",
      x.state AS "State",
      x.shop_order_id AS "ShopOrderId",
      x.shop_order_number AS "ShopOrderNumber",
      trim_scale(x.shop_total) AS "ShopTotal",
      (SELECT trim_scale(o.total) FROM orders o WHERE o.id = x.order_id) AS "ChargedTotal",
      coalesce(x.lines_that_differ, '[]') AS "LinesThatDiffer",
      x.ended_in_shop AS "EndedInShop",
      x.attempts AS "Attempts",
      x.message AS "Message",
      to_char(x.next_attempt_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "NextAttemptUtc",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)

-- scheduledOrderItemView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.scheduled_order_id AS "ScheduledOrderId",
      x.product_id AS "ProductId",
      (SELECT embedded.json FROM products embedded WHERE embedded.id = x.product_id) AS "Product",
      trim_scale(x.price) AS "Price",
      trim_scale(x.sale_price) AS "SalePrice",
      x.quantity AS "Quantity",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)

-- scheduledOrderView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.customer_id AS "CustomerId",
      (SELECT embedded.json FROM customers embedded WHERE embedded.id = x.customer_id) AS "Customer",
      to_char(x.last_occurrence_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "LastOccurrenceUtc",
      to_char(x.next_occurrence_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "NextOccurrenceUtc",
      x.status AS "Status",
      x.frequency_type AS "FrequencyType",
      x.frequency AS "Frequency",
      x.cycles AS "Cycles",
      x.currency_iso AS "CurrencyIso",
      x.payment_method_type AS "PaymentMethodType",
      x.payment_method_customer_id AS "PaymentMethodCustomerId",
      x.payment_method_id AS "PaymentMethodId",
      x.payment_method_description AS "PaymentMethodDescription",
      x.shipping_total AS "ShippingTotal",
      x.tax_total AS "TaxTotal",
      x.total AS "Total",
      x.shipping_first_name AS "ShippingFirstName",
      x.shipping_last_name AS "ShippingLastName",
      x.shipping_street1 AS "ShippingStreet1",
      x.shipping_street2 AS "ShippingStreet2",
      x.shipping_city AS "ShippingCity",
      x.shipping_state AS "ShippingState",
      x.shipping_postcode AS "ShippingPostcode",
      x.shipping_country AS "ShippingCountry",
      (
        SELECT coalesce(json_agg(scheduledOrderItemView.json(i) ORDER BY i.id), '[]'::json)
        FROM scheduled_order_items i
        WHERE i.scheduled_order_id = x.id AND i.deleted_utc IS NULL
      ) AS "ScheduledOrderItems",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)

-- shippingRateView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.site_id AS "SiteId",
      x.shipping_class AS "ShippingClass",
      x.country AS "Country",
      x.state AS "State",
      x.city AS "City",
      x.postcode AS "Postcode",
      trim_scale(x.price_per_unit) AS "PricePerUnit",
      trim_scale(x.base_price) AS "BasePrice",
      x.min_units AS "MinUnits",
      x.min_cycles AS "MinCycles",
      trim_scale(x.min_subtotal) AS "MinSubtotal",
      x.name AS "Name",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)

-- siteSnapshotView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.user_id AS "UserId",
      x.url AS "Url",
      x.type AS "Type",
      x.name AS "Name",
      x.email AS "Email",
      NULL AS "ApiKey1",
      NULL AS "ApiKey2",
      NULL AS "ApiKey3",
      x.currency_iso AS "CurrencyIso",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)

-- siteView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.user_id AS "UserId",
      x.url AS "Url",
      x.type AS "Type",
      x.name AS "Name",
      x.email AS "Email",
      x.id || ' ' || x.api_key1 AS "ApiKey1",
      x.id || ' ' || x.api_key2 AS "ApiKey2",
      x.id || ' ' || x.api_key3 AS "ApiKey3",
      x.currency_iso AS "CurrencyIso",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)

-- taxRateTermsView.json(x)
(
  SELECT row_to_json(resource)
  FROM (SELECT x.priority AS "Priority", x.applies_to_shipping AS "AppliesToShipping") resource
)

-- taxRateView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.site_id AS "SiteId",
      x.tax_class AS "TaxClass",
      x.country AS "Country",
      x.state AS "State",
      x.city AS "City",
      x.postcode AS "Postcode",
      trim_scale(x.rate) AS "Rate",
      x.is_compound AS "IsCompound",
      x.name AS "Name",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)

-- webhookDeliveryDetailsView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.site_id AS "SiteId",
      x.webhook_endpoint_id AS "WebhookEndpointId",
      'evt_' || x.event_id AS "EventId",
      x.event_type AS "EventType",
      x.sequence AS "Sequence",
      x.scheduled_order_id AS "ScheduledOrderId",
      x.state AS "State",
      x.tries AS "Tries",
      to_char(x.next_attempt_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "NextAttemptUtc",
      to_char(x.finished_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "FinishedUtc",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      x.body AS "Body",
      x.attempts AS "Attempts"
  ) resource
)

-- webhookDeliveryView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.site_id AS "SiteId",
      x.webhook_endpoint_id AS "WebhookEndpointId",
      'evt_' || x.event_id AS "EventId",
      x.event_type AS "EventType",
      x.sequence AS "Sequence",
      x.scheduled_order_id AS "ScheduledOrderId",
      x.state AS "State",
      x.tries AS "Tries",
      to_char(x.next_attempt_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "NextAttemptUtc",
      to_char(x.finished_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "FinishedUtc",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc"
  ) resource
)

-- webhookEndpointView.json(x)
(
  SELECT row_to_json(resource)
  FROM (
    SELECT x.id AS "Id",
      x.site_id AS "SiteId",
      x.url AS "Url",
      x.description AS "Description",
      x.event_types AS "EventTypes",
      x.payload AS "Payload",
      x.ordered AS "Ordered",
      x.rate_per_second AS "RatePerSecond",
      x.status AS "Status",
      x.disabled_reason AS "DisabledReason",
      to_char(x.failing_since_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "FailingSinceUtc",
      to_char(x.created_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "CreatedUtc",
      to_char(x.updated_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "UpdatedUtc"
  ) resource
)
