import { newestCyclesSql, nextAttemptSql, pushesOfOrderSql } from '#libs/ledger';
import { NamedValues, type SqlExecutor, Statement, type ValuesOf } from '#libs/platform';
import type { Place } from './entry.js';

/**
 * What of an order's entries is read: at most so many of each kind, below the places where the last page has ended. No
 * log entry has an id before `sinceId`, or is in partitions before or after these times. The last entry of a page is no
 * part of the next one.
 */
const FOR_CUSTOMERS = new NamedValues({
  orderId: 'bigint',
  most: 'bigint',
  sinceId: 'uuid',
  fromUtc: 'timestamptz',
  toUtc: 'timestamptz',
  beforeAction: 'uuid',
  beforeEvent: 'uuid',
  upToCycle: 'bigint',
});
const ALL = FOR_CUSTOMERS.and({
  beforeError: 'uuid',
  beforeDeliveryUtc: 'timestamptz',
  beforeDeliveryId: 'bigint',
  beforeDifferenceUtc: 'timestamptz',
  beforeDifferenceId: 'bigint',
  beforePushUtc: 'timestamptz',
  beforePushCycle: 'bigint',
});
const { $ } = ALL;

/** SQL: milliseconds since 1970. */
const ms = (instant: string) => `(extract(epoch FROM ${instant}) * 1000)::float8`;

const logSql = (kind: string, table: string, before: string, data: string) => `(
  SELECT '${kind}' AS kind, l.id::text AS id, NULL::float8 AS at_ms, ${ms('l.occurred_utc')} AS shown_ms, json_build_object(${data}) AS data FROM ${table} l
  WHERE l.scheduled_order_id = ${$.orderId} AND l.id >= ${$.sinceId}::uuid AND l.id < ${before}::uuid
    AND l.created_utc >= ${$.fromUtc}::timestamptz AND l.created_utc <= ${$.toUtc}::timestamptz
  ORDER BY l.id DESC LIMIT ${$.most})`;

/** A change by request. What it has changed is read when it is shown. */
const ACTIONS = logSql('Action', 'action_logs', $.beforeAction, `'type', l.action_type`);

const EVENTS = logSql('Event', 'event_logs', $.beforeEvent, `'type', l.event_type, 'description', l.description`);

const ERRORS = logSql(
  'Error',
  'error_logs',
  $.beforeError,
  `'description', l.description, 'message', left(l.exception_info ->> 'Message', 500),
    'cause', left(l.exception_info #>> '{InnerExceptionInfo,Message}', 500)`,
);

const CYCLES = `(
  SELECT 'Cycle' AS kind, c.cycle::text AS id, ${ms('c.created_utc')} AS at_ms, ${ms('c.begun_utc')} AS shown_ms, json_build_object(
    'state', c.state, 'dueMs', ${ms('c.due_utc')}, 'missedOccurrences', c.missed_occurrences, 'attempts', c.attempt,
    'orderId', CASE WHEN c.state = 'Completed' THEN c.order_id END, 'amount', c.amount, 'currencyIso', c.currency_iso,
    'paymentMethodType', c.payment_method_type, 'transactionId', c.gateway_transaction_id, 'failureCode', c.failure_code,
    'retriesExhausted', c.retries_exhausted, 'nextAttemptMs', ${ms(nextAttemptSql('c'))}) AS data
  FROM scheduled_orders x CROSS JOIN LATERAL ${newestCyclesSql('x', `${$.upToCycle}::bigint`, `${$.most}::bigint`)} c
  WHERE x.id = ${$.orderId}
  ORDER BY c.cycle DESC LIMIT ${$.most})`;

/** ix_webhook_deliveries_order, uq_outbox_sequence. */
const DELIVERIES = `(
  SELECT 'Delivery' AS kind, d.id::text AS id, ${ms('d.created_utc')} AS at_ms,
    ${ms('(SELECT u.simulated_utc FROM outbox u WHERE u.sequence = d.sequence)')} AS shown_ms, json_build_object(
    'type', d.event_type, 'endpointId', d.webhook_endpoint_id, 'state', d.state, 'tries', d.tries, 'last', d.attempts -> -1,
    'finishedMs', ${ms('d.finished_utc')}, 'nextAttemptMs', ${ms('d.next_attempt_utc')},
    'url', (SELECT e.url FROM webhook_endpoints e WHERE e.id = d.webhook_endpoint_id)) AS data
  FROM webhook_deliveries d
  WHERE d.scheduled_order_id = ${$.orderId} AND (d.created_utc, d.id) < (${$.beforeDeliveryUtc}::timestamptz, ${$.beforeDeliveryId}::bigint)
  ORDER BY d.created_utc DESC, d.id DESC LIMIT ${$.most})`;

/**
 * Only of the order's own site: a charge at another shop's gateway may name any order. ix_payment_differences_order.
 */
const DIFFERENCES = `(
  SELECT 'Difference' AS kind, d.id::text AS id, ${ms('d.created_utc')} AS at_ms, NULL::float8 AS shown_ms, json_build_object(
    'kind', d.kind, 'cycle', d.cycle, 'orderId', d.order_id, 'holds', d.holds, 'transactionId', d.gateway_transaction_id,
    'settledAs', d.settled_as, 'settledMs', ${ms('d.settled_utc')}, 'by', d.settled_by, 'note', d.note) AS data
  FROM scheduled_orders x JOIN payment_differences d ON d.scheduled_order_id = x.id AND d.site_id = x.site_id
  WHERE x.id = ${$.orderId} AND (d.created_utc, d.id) < (${$.beforeDifferenceUtc}::timestamptz, ${$.beforeDifferenceId}::bigint)
  ORDER BY d.created_utc DESC, d.id DESC LIMIT ${$.most})`;

/** What is pushed into the shop. An order has few. */
const PUSHES = `(
  SELECT 'Push' AS kind, p.cycle::text AS id, ${ms('p.created_utc')} AS at_ms, ${ms('p.occurred_utc')} AS shown_ms, json_build_object(
    'state', p.state, 'orderId', p.order_id, 'shopOrderId', p.shop_order_id, 'shopOrderNumber', p.shop_order_number, 'message', p.message,
    'nextAttemptMs', ${ms('p.next_attempt_utc')}) AS data
  FROM ${pushesOfOrderSql($.orderId)} p
  WHERE (p.created_utc, p.cycle) < (${$.beforePushUtc}::timestamptz, ${$.beforePushCycle}::bigint)
  ORDER BY p.created_utc DESC, p.cycle DESC LIMIT ${$.most})`;

/** The newest entries of each kind, each by its index: what a customer may read. */
export const ENTRIES_FOR_CUSTOMERS = Statement.named([ACTIONS, EVENTS, CYCLES].join('\nUNION ALL '));

/** The newest entries of each kind, each by its index. */
export const ENTRIES = Statement.named(
  [ACTIONS, EVENTS, CYCLES, ERRORS, DELIVERIES, DIFFERENCES, PUSHES].join('\nUNION ALL '),
);

/** An entry. `at_ms`: null where the time is in its id; `shown_ms`: null where it is the same. */
interface EntryRow extends Omit<Place, 'atMs'> {
  readonly atMs: number | null;
  readonly shownMs: number | null;
  readonly data: object;
}

export const readEntriesForCustomers = (database: SqlExecutor, named: ValuesOf<typeof FOR_CUSTOMERS>) =>
  database.execute<EntryRow>(ENTRIES_FOR_CUSTOMERS, FOR_CUSTOMERS.values(named));

export const readEntries = (database: SqlExecutor, named: ValuesOf<typeof ALL>) =>
  database.execute<EntryRow>(ENTRIES, ALL.values(named));

/** Snapshots that are larger than so many bytes together are not taken apart to say what has changed: some 50 items. */
const MOST_COMPARED = 65_536;
/** The same as they are stored: what is larger is not even read. */
const MOST_STORED = 16_384;

const stored = (column: string) => `coalesce(pg_column_size(l.${column}), 0)`;
/** Read once, however often it is looked into. */
const whole = (column: string) => `l.${column}::text || ''`;

/** SQL: the items `i` of a snapshot, as text. */
const items = (snapshot: string, isNew: boolean) =>
  `SELECT i.value::text AS item, ${isNew} AS is_new FROM json_array_elements(${snapshot} -> 'ScheduledOrderItems') i`;

/** SQL: the items that are not the same before and after, each with its title and what may change of it. */
const CHANGED_ITEMS = `SELECT json_agg(json_build_object('title', d.title, 'before', d.before, 'after', d.after) ORDER BY d.id)
    FROM (
      SELECT c.id, max(c.title) AS title, (array_agg(c.values) FILTER (WHERE NOT c.is_new))[1] AS before, (array_agg(c.values) FILTER (WHERE c.is_new))[1] AS after
      FROM (
        SELECT u.is_new, (u.item ->> 'Id')::bigint AS id, u.item #>> '{Product,Title}' AS title,
          json_build_array(u.item ->> 'Quantity', u.item ->> 'Price', u.item ->> 'SalePrice', u.item ->> 'ProductId') AS values
        FROM (
          SELECT u.item::json, bool_or(u.is_new) AS is_new FROM (${items('s.after', true)} UNION ALL ${items('s.before', false)}) u
          GROUP BY u.item HAVING count(*) = 1) u) c
      GROUP BY c.id) d
    WHERE d.before::text IS DISTINCT FROM d.after::text`;

/**
 * Who made these changes, and what each has changed: fields with their values before and after, and items.
 * `ix_action_logs_order`, `pk_api_keys`. $1 order, $2 ids, $3 and $4 in partitions of these times.
 */
export const CHANGES = Statement.named(`SELECT l.id::text AS id, l.description, l.access_token AS token,
  (SELECT k.name FROM api_keys k WHERE k.id = (l.access_token ->> 'Id')::bigint) AS key_name,
  s.after ->> 'CurrencyIso' AS currency,
  (SELECT json_object_agg(n.key, json_build_array(p.value, n.value))
    FROM json_each(s.after) n LEFT JOIN json_each(coalesce(s.before, '{}')) p ON p.key = n.key
    WHERE n.key NOT IN ('Customer', 'ScheduledOrderItems', 'UpdatedUtc') AND n.value::text IS DISTINCT FROM p.value::text) AS fields,
  CASE WHEN s.before IS NOT NULL AND (s.after -> 'ScheduledOrderItems')::text IS DISTINCT FROM (s.before -> 'ScheduledOrderItems')::text
    THEN (${CHANGED_ITEMS}) END AS items
FROM action_logs l LEFT JOIN LATERAL (
  SELECT r.after::json AS after, r.before::json AS before
  FROM (SELECT ${whole('new_scheduled_order')} AS after, ${whole('previous_scheduled_order')} AS before
    WHERE ${stored('new_scheduled_order')} + ${stored('previous_scheduled_order')} <= ${MOST_STORED} OFFSET 0) r
  WHERE octet_length(r.after) + coalesce(octet_length(r.before), 0) <= ${MOST_COMPARED} OFFSET 0) s ON true
WHERE l.scheduled_order_id = $1 AND l.id = ANY ($2::uuid[]) AND l.created_utc BETWEEN $3 AND $4`);
