-- Made by test/architecture/statements.test.ts from what the code sends. Not written by hand: npm run sql
-- What calls a function of the code, as `orderView.json(x)` does, is printed once: docs/sql/views.sql

-- libs/ledger/src/statements/record.sql.ts

-- LOCK_LEASED
SELECT o.id,
  o.xmin::text AS version,
  o.status,
  o.deleted_utc IS NOT NULL AS deleted,
  o.frequency_type,
  o.frequency,
  o.schedule_anchor_utc,
  o.next_occurrence_utc,
  c.rescheduled_meanwhile,
  c.stopped_utc IS NOT NULL AS stopped,
  c.made_pending,
  c.amount,
  c.currency_iso,
  c.frozen -> 'left_out' AS left_out
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[]) AS b (id, cycle, worker, claim, attempt)
JOIN scheduled_orders o ON o.id = b.id
JOIN processing_cycles c ON c.scheduled_order_id = b.id
  AND c.cycle = b.cycle
  AND c.worker = b.worker
  AND c.claim = b.claim
  AND c.attempt = b.attempt
  AND c.open
ORDER BY o.id
FOR NO KEY UPDATE OF o, c;

-- READ_COMPLETED
SELECT c.scheduled_order_id
FROM unnest($1::bigint[], $2::bigint[]) AS b (id, cycle)
JOIN processing_cycles c ON c.scheduled_order_id = b.id AND c.cycle = b.cycle AND c.state = 'Completed';

-- RECORD_COMPLETED
WITH b AS (
  SELECT *, uuid_v7() AS event_log_id, clock_timestamp()::timestamptz(3) AS clock_utc
  FROM unnest(
    $1::bigint[],
    $2::bigint[],
    $3::text[],
    $4::bigint[],
    $5::bigint[],
    $6::text[],
    $7::boolean[],
    $8::timestamptz[],
    $9::bigint[],
    $10::bigint[],
    $11::bigint[],
    $12::bigint[],
    $13::text[],
    $14::text[],
    $15::text[],
    $16::boolean[],
    $17::bigint[],
    $18::bigint[],
    $19::text[],
    $20::text[]
  )
  AS b (
    id,
    cycle,
    worker,
    claim,
    attempt,
    version,
    rescheduled_meanwhile,
    next_utc,
    missed_occurrences,
    new_shipping_total,
    new_tax_total,
    new_total,
    transaction_id,
    charged,
    event_description,
    reactivates,
    charged_amount,
    found_at,
    found_type,
    push_name
  )
),
e AS (
  UPDATE scheduled_orders o
  SET status = CASE
    WHEN o.status = 'Active'
    AND NOT b.rescheduled_meanwhile
    AND b.next_utc IS NULL THEN 'Pending'
    WHEN b.reactivates THEN 'Active'
    ELSE o.status
    END,
    cycles = least(o.cycles + 1, 9007199254740991),
    last_occurrence_utc = (
      SELECT CASE WHEN o.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = o.site_id) ELSE now() END
    ),
    updated_utc = (SELECT greatest(b.clock_utc, o.updated_utc + interval '1 millisecond')),
    next_occurrence_utc = CASE WHEN b.rescheduled_meanwhile THEN o.next_occurrence_utc ELSE b.next_utc END,
    replaced_occurrence_utc = CASE
      WHEN b.rescheduled_meanwhile
      OR c.resolution IS NOT NULL
      AND b.next_utc = o.next_occurrence_utc THEN o.replaced_occurrence_utc
      END,
    shipping_total = coalesce(b.new_shipping_total, o.shipping_total),
    tax_total = coalesce(b.new_tax_total, o.tax_total),
    total = coalesce(b.new_total, o.total)
  FROM b
  JOIN processing_cycles c ON c.scheduled_order_id = b.id
    AND c.cycle = b.cycle
    AND c.worker = b.worker
    AND c.claim = b.claim
    AND c.attempt = b.attempt
    AND c.rescheduled_meanwhile = b.rescheduled_meanwhile
    AND c.state IN ('Charging', 'Unknown')
  WHERE o.id = b.id AND o.xmin = b.version::xid
  RETURNING o.*,
    c.cycle,
    c.order_id,
    b.worker,
    b.claim,
    b.attempt,
    b.missed_occurrences,
    b.transaction_id,
    b.charged,
    c.frozen,
    'ScheduledOrderProcessed' AS event_type,
    b.event_description,
    b.event_log_id,
    c.state = 'Unknown' AS was_unknown,
    coalesce(b.charged_amount, c.amount) AS paid_amount,
    c.currency_iso AS paid_currency,
    coalesce(b.found_type, c.payment_method_type) AS paid_by,
    coalesce(b.found_at, c.payment_integration_id) AS paid_at,
    b.push_name,
    (c.state = 'Unknown' OR c.look_ups > 0 OR c.known_to_gateway OR c.replayed_utc IS NOT NULL) AS may_be_pushed
),
ledger AS (
  UPDATE processing_cycles c
  SET state = 'Completed',
    open = false,
    missed_occurrences = e.missed_occurrences,
    gateway_transaction_id = e.transaction_id,
    payment_method_type = e.paid_by,
    payment_integration_id = e.paid_at,
    frozen = NULL,
    next_attempt_utc = NULL,
    worker = NULL,
    lease_until_utc = NULL,
    waiting_since_utc = NULL,
    held_for = NULL,
    rescheduled_meanwhile = false,
    retries_exhausted = false,
    made_pending = false,
    stopped_utc = NULL,
    resolution = NULL,
    failure_code = NULL,
    failure_message = NULL,
    updated_utc = now(),
    occurred_utc = CASE WHEN e.simulated THEN e.last_occurrence_utc END
  FROM e
  WHERE c.scheduled_order_id = e.id
    AND c.cycle = e.cycle
    AND c.worker = e.worker
    AND c.claim = e.claim
    AND c.attempt = e.attempt
  RETURNING c.scheduled_order_id
),
written AS (
  INSERT INTO orders (
    id,
    site_id,
    customer_id,
    scheduled_order_id,
    cycle,
    is_recurring,
    date_created,
    date_paid,
    currency_iso,
    subtotal,
    shipping_total,
    tax_total,
    total,
    gateway_transaction_id,
    payment_method_type,
    shipping_first_name,
    shipping_last_name,
    shipping_street1,
    shipping_street2,
    shipping_city,
    shipping_state,
    shipping_postcode,
    shipping_country,
    billing_first_name,
    billing_last_name,
    billing_street1,
    billing_street2,
    billing_city,
    billing_state,
    billing_postcode,
    billing_country
  )
  SELECT e.order_id,
    e.site_id,
    e.customer_id,
    e.id,
    e.cycle,
    true,
    e.last_occurrence_utc,
    e.last_occurrence_utc,
    e.paid_currency,
    (f.amounts ->> 0)::numeric,
    (f.amounts ->> 1)::numeric,
    (f.amounts ->> 2)::numeric,
    (f.amounts ->> 3)::numeric,
    e.transaction_id,
    e.paid_by,
    f.shipping ->> 0,
    f.shipping ->> 1,
    f.shipping ->> 2,
    f.shipping ->> 3,
    f.shipping ->> 4,
    f.shipping ->> 5,
    f.shipping ->> 6,
    f.shipping ->> 7,
    f.billing ->> 0,
    f.billing ->> 1,
    f.billing ->> 2,
    f.billing ->> 3,
    f.billing ->> 4,
    f.billing ->> 5,
    f.billing ->> 6,
    f.billing ->> 7
  FROM e
  CROSS JOIN LATERAL (
    SELECT CASE
      WHEN e.charged IS NULL THEN e.frozen -> 'amounts'
      ELSE jsonb_build_array(null, null, null, e.charged)
      END AS amounts,
      e.frozen -> 'shipping' AS shipping,
      coalesce(e.frozen -> 'billing', e.frozen -> 'shipping') AS billing
    OFFSET 0
  ) f
),
items AS (
  INSERT INTO order_items (site_id, order_id, product_id, name, quantity, subtotal, total, tax_total, is_recurring)
  SELECT e.site_id,
    e.order_id,
    (item ->> 0)::bigint,
    item ->> 1,
    (item ->> 2)::bigint,
    (CASE WHEN e.charged IS NULL THEN item ->> 3 END)::numeric,
    (CASE WHEN e.charged IS NULL THEN item ->> 3 END)::numeric,
    (CASE WHEN e.charged IS NULL THEN item ->> 4 END)::numeric,
    true
  FROM e
  CROSS JOIN LATERAL jsonb_array_elements(e.frozen -> 'items') item
),
events AS (
  INSERT INTO event_logs (id, site_id, scheduled_order_id, event_type, description, scheduled_order, occurred_utc)
  SELECT e.event_log_id,
    e.site_id,
    e.id,
    e.event_type,
    e.event_description,
    scheduledOrderView.json(e),
    CASE WHEN e.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = e.site_id) END
  FROM e e
  WHERE e.event_type IS NOT NULL
),
pushes AS (
  INSERT INTO order_pushes (
    site_id, scheduled_order_id, cycle, order_id, push_name, state, message, next_attempt_utc, looks_up_first
  )
  SELECT w.site_id,
    w.id,
    w.cycle,
    w.order_id,
    CASE WHEN t.cycle IS NULL THEN w.push_name ELSE w.push_name || '-' || w.cycle END,
    CASE WHEN t.cycle IS NULL THEN 'Waiting' ELSE 'Differs' END,
    CASE
      WHEN t.cycle IS NOT NULL THEN 'Another Order of the same occurrence was recorded before this one: a person decides.'
      END,
    CASE WHEN t.cycle IS NULL THEN now() END,
    w.may_be_pushed
  FROM e w
  JOIN site_shops h ON h.site_id = w.site_id AND h.push
  LEFT JOIN order_pushes t ON t.site_id = w.site_id AND t.push_name = w.push_name
  ON CONFLICT DO NOTHING RETURNING site_id
),
published AS (
  INSERT INTO outbox (site_id, scheduled_order_id, type, log_id, facts, simulated_utc)
  SELECT w.site_id,
    w.id,
    t.type,
    CASE WHEN t.position = 2 THEN w.event_log_id END,
    t.facts,
    CASE WHEN w.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = w.site_id) END
  FROM e w
  CROSS JOIN LATERAL (
    SELECT jsonb_build_object('Cycle', w.cycle, 'Amount', w.paid_amount, 'CurrencyIso', w.paid_currency) AS paid
    OFFSET 0
  ) p
  CROSS JOIN LATERAL (
    VALUES (1, 'scheduled_order.outcome_settled', p.paid || '{"Charged": true}'),
      (2, 'scheduled_order.processed', p.paid || jsonb_build_object('OrderId', w.order_id)),
      (3, 'order.created', p.paid || jsonb_build_object('OrderId', w.order_id))
  ) t (position, type, facts)
  WHERE w.site_id = ANY (
    ARRAY (
      SELECT s.id
      FROM (SELECT DISTINCT r.site_id FROM e r) r
      JOIN sites s ON s.id = r.site_id AND s.listens_since_utc IS NOT NULL
    )
  )
    AND (t.position > 1 OR w.was_unknown)
  ORDER BY w.id, t.position
  RETURNING site_id
)
SELECT ARRAY (SELECT e.id FROM e) AS updated_ids,
ARRAY (SELECT scheduled_order_id FROM ledger) AS recorded_ids,
EXISTS (SELECT FROM pushes) AS has_pushes,
(SELECT pg_notify('scheduled_orders_events', '')::text FROM published LIMIT 1) AS woken;

-- RECORD_FAILED_ATTEMPTS
WITH b AS (
  SELECT *,
    CASE WHEN b.event_type IS NOT NULL THEN uuid_v7() END AS event_log_id,
    clock_timestamp()::timestamptz(3) AS clock_utc
  FROM unnest(
    $1::bigint[],
    $2::bigint[],
    $3::text[],
    $4::bigint[],
    $5::bigint[],
    $6::bigint[],
    $7::text[],
    $8::timestamptz[],
    $9::bigint[],
    $10::bigint[],
    $11::boolean[],
    $12::timestamptz[],
    $13::bigint[],
    $14::integer[],
    $15::text[],
    $16::text[],
    $17::text[],
    $18::boolean[],
    $19::timestamptz[],
    $20::text[],
    $21::text[],
    $22::text[],
    $23::json[],
    $24::boolean[],
    $25::boolean[],
    $26::boolean[],
    $27::boolean[],
    $28::boolean[],
    $29::json[],
    $30::integer[],
    $31::boolean[]
  )
  AS b (
    id,
    cycle,
    worker,
    claim,
    attempt,
    new_attempt,
    state,
    next_attempt_utc,
    payment_failures,
    technical_failures,
    retries_exhausted,
    waiting_since_utc,
    missed_occurrences,
    failure_code,
    failure_message,
    transaction_id,
    new_status,
    sets_dates,
    next_utc,
    event_type,
    event_description,
    error_description,
    exception_info,
    unsent,
    is_look_up,
    is_known,
    is_replayed,
    made_pending,
    published,
    held_for,
    begins_review
  )
),
ledger AS (
  UPDATE processing_cycles c
  SET state = b.state,
    open = b.state <> 'Failed',
    attempt = b.new_attempt,
    next_attempt_utc = b.next_attempt_utc,
    payment_failures = b.payment_failures,
    technical_failures = b.technical_failures,
    retries_exhausted = b.retries_exhausted,
    waiting_since_utc = b.waiting_since_utc,
    held_for = b.held_for,
    missed_occurrences = b.missed_occurrences,
    failure_code = b.failure_code,
    failure_message = b.failure_message,
    gateway_transaction_id = CASE
      WHEN NOT b.begins_review THEN coalesce(b.transaction_id, c.gateway_transaction_id)
      END,
    rescheduled_meanwhile = c.rescheduled_meanwhile AND b.state = 'Unknown',
    worker = NULL,
    lease_until_utc = NULL,
    resolution = CASE WHEN b.begins_review THEN 'NeedsReview' WHEN b.state = 'Unknown' THEN c.resolution END,
    updated_utc = now(),
    ended_utc = (
      SELECT CASE
        WHEN b.state = 'Failed' THEN CASE
        WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id)
        ELSE now()
        END
        END
    ),
    look_ups = c.look_ups + b.is_look_up::int,
    known_to_gateway = c.known_to_gateway OR b.is_known,
    replayed_utc = (SELECT CASE WHEN b.is_replayed THEN least(c.replayed_utc, now()) ELSE c.replayed_utc END),
    made_pending = b.state = 'Unknown' AND (c.made_pending OR b.made_pending),
    idempotency_key = CASE WHEN NOT b.unsent THEN c.idempotency_key END,
    frozen = CASE WHEN b.state = 'Unknown' THEN c.frozen END,
    rates_version = CASE WHEN b.state = 'Unknown' THEN c.rates_version END,
    payment_method_type = CASE WHEN b.state = 'Waiting' THEN o.payment_method_type ELSE c.payment_method_type END,
    occurred_utc = CASE WHEN c.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = c.site_id) END
  FROM b
  JOIN scheduled_orders o ON o.id = b.id
  WHERE c.scheduled_order_id = b.id
    AND c.cycle = b.cycle
    AND c.worker = b.worker
    AND c.claim = b.claim
    AND c.attempt = b.attempt
  RETURNING c.scheduled_order_id
),
e AS (
  UPDATE scheduled_orders o
  SET status = coalesce(b.new_status, o.status),
    updated_utc = (SELECT greatest(b.clock_utc, o.updated_utc + interval '1 millisecond')),
    next_occurrence_utc = CASE WHEN b.sets_dates THEN b.next_utc ELSE o.next_occurrence_utc END,
    replaced_occurrence_utc = CASE WHEN b.sets_dates AND b.state = 'Failed' THEN NULL ELSE o.replaced_occurrence_utc END
  FROM b
  WHERE o.id = b.id
  RETURNING o.*, b.event_type, b.event_description, b.error_description, b.exception_info, b.event_log_id, b.published
),
events AS (
  INSERT INTO event_logs (id, site_id, scheduled_order_id, event_type, description, scheduled_order, occurred_utc)
  SELECT e.event_log_id,
    e.site_id,
    e.id,
    e.event_type,
    e.event_description,
    scheduledOrderView.json(e),
    CASE WHEN e.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = e.site_id) END
  FROM e e
  WHERE e.event_type IS NOT NULL
),
errors AS (
  INSERT INTO error_logs (site_id, scheduled_order_id, description, exception_info, site, entity, occurred_utc)
  SELECT e.site_id,
    e.id,
    e.error_description,
    e.exception_info,
    siteSnapshotView.json(s),
    scheduledOrderView.json(e),
    CASE WHEN e.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = e.site_id) END
  FROM e e
  JOIN sites s ON s.id = e.site_id
  WHERE e.exception_info IS NOT NULL
),
published AS (
  INSERT INTO outbox (site_id, scheduled_order_id, type, log_id, facts, simulated_utc)
  SELECT w.site_id,
    w.id,
    t.value ->> 0,
    CASE WHEN (t.value ->> 1)::boolean THEN w.event_log_id END,
    (t.value -> 2)::jsonb,
    CASE WHEN w.simulated THEN (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = w.site_id) END
  FROM e w
  CROSS JOIN LATERAL json_array_elements(w.published)
  WITH ORDINALITY t (value, position)
  WHERE w.site_id = ANY (
    ARRAY (
      SELECT s.id
      FROM (SELECT DISTINCT r.site_id FROM e r) r
      JOIN sites s ON s.id = r.site_id AND s.listens_since_utc IS NOT NULL
    )
  )
  ORDER BY w.id, t.position
  RETURNING site_id
)
SELECT ARRAY (SELECT scheduled_order_id FROM ledger) AS recorded_ids,
  (SELECT pg_notify('scheduled_orders_events', '')::text FROM published LIMIT 1) AS woken;

-- RENUMBER
WITH b AS (
  SELECT *, nextval('orders_id_seq') AS new_order_id
  FROM unnest(
    $1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[]
  ) AS b (id, cycle, worker, claim, attempt)
),
renumbered AS (
  UPDATE processing_cycles c
  SET order_id = b.new_order_id
  FROM b
  WHERE c.scheduled_order_id = b.id
    AND c.cycle = b.cycle
    AND c.worker = b.worker
    AND c.claim = b.claim
    AND c.attempt = b.attempt
    AND c.open
  RETURNING c.order_id
)
SELECT order_id
FROM renumbered;
