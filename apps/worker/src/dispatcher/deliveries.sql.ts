import { here, type KnownDatabase } from '#libs/entities';
import { BREAKER_FAILURES, livingPreviousSql, nextDueSql } from '#libs/events';
import { NamedValues, type SqlExecutor, Statement, type ValuesOf } from '#libs/platform';
import type { Full, Place } from './in-flight.js';

/** Longer than a request may take: then another worker may send the delivery again, under the same id. */
const LEASE = `interval '1 minute'`;

/** The time between two probes: half of the time for which the endpoint has failed, within these bounds. */
const PROBE_AFTER = `greatest(interval '10 seconds', least(interval '30 minutes', (now() - coalesce(e.failing_since_utc, now())) / 2))`;

/** An endpoint that has failed for so long is disabled, after so many failures in a row. */
const LONGEST_FAILING = `interval '5 days'`;
const FEWEST_FAILURES = 5;

/**
 * An endpoint that has been due for so long shows that no worker was running. Its failures before that time do not
 * count towards FEWEST_FAILURES. Longer than the time between two runs of a worker that is started by a timer
 * (`--once`).
 */
const LEFT_ALONE = `interval '2 days'`;

/** The most tries of a delivery that are kept. */
const KEPT_ATTEMPTS = 20;

/** `Full`. */
const FULL = new NamedValues({ endpoints: 'bigint[]', slowEndpoints: 'bigint[]', quick: 'bigint[]', slow: 'bigint[]' });
const DUE = FULL.and({ generation: 'bigint', lsn: 'text', most: 'bigint' });

/** SQL: whether a worker sends to the endpoint `e` in the lane `slow`. */
const IS_SLOW = `(e.failures > 0 OR e.id = ANY (${FULL.$.slowEndpoints}::bigint[]))`;

/**
 * SQL: whether a worker may send more to the endpoint `e` of the site `s`. Without a list of accounts (null) there is
 * no room in the lane.
 */
const HAS_ROOM = `e.id <> ALL (${FULL.$.endpoints}::bigint[])
  AND s.user_id <> ALL (CASE WHEN ${IS_SLOW} THEN ${FULL.$.slow}::bigint[] ELSE ${FULL.$.quick}::bigint[] END)`;

/**
 * Locks due endpoints, so that one worker at a time serves each. A statement of its own: what reads their deliveries
 * must have its snapshot after the locks, else it could miss those of a transaction that had the lock until a moment
 * ago. ix_webhook_endpoints_due, pk_sites.
 */
export const LOCK_DUE_ENDPOINTS = `SELECT e.id AS "endpointId", s.user_id AS account,
  CASE WHEN ${IS_SLOW} THEN 'slow' ELSE 'quick' END AS lane
FROM webhook_endpoints e JOIN sites s ON s.id = e.site_id
WHERE ${here(DUE.$.generation, DUE.$.lsn)} AND e.next_due_utc <= now() AND ${HAS_ROOM}
ORDER BY e.next_due_utc LIMIT ${DUE.$.most}
FOR NO KEY UPDATE OF e SKIP LOCKED`;

/** At most so many. */
export const lockDueEndpoints = (tx: SqlExecutor, { generation, lsn }: KnownDatabase, most: number, full: Full) =>
  tx.execute<Place>(LOCK_DUE_ENDPOINTS, DUE.values({ generation, lsn, most, ...full }));

/**
 * Leases due deliveries of locked endpoints: of each as many as its rate allows, or one while its breaker is open. What
 * waits at other endpoints is not read. pk_webhook_endpoints, ix_webhook_deliveries_due, uq_outbox_sequence. $1
 * endpoints, $2 how many deliveries of each at most.
 */
export const CLAIM_DELIVERIES = `WITH due AS MATERIALIZED (
  SELECT e.id, e.failures, e.rate_per_second, r.most
  FROM unnest($1::bigint[], $2::bigint[]) AS r (id, most) JOIN webhook_endpoints e ON e.id = r.id
), picked AS MATERIALIZED (
  SELECT p.id, e.id AS endpoint_id FROM due e CROSS JOIN LATERAL (
    SELECT d.id FROM webhook_deliveries d WHERE d.webhook_endpoint_id = e.id AND d.next_attempt_utc <= now()
    ORDER BY d.next_attempt_utc, d.id
    LIMIT CASE WHEN e.failures >= ${BREAKER_FAILURES} THEN 1 ELSE least(e.rate_per_second, e.most) END) p
), counted AS (
  SELECT due.id, due.failures, due.rate_per_second, (SELECT count(*) FROM picked WHERE picked.endpoint_id = due.id) AS count FROM due
), paced AS (
  UPDATE webhook_endpoints e SET not_before_utc = pace.not_before, next_due_utc = CASE
      WHEN counted.count = 0 AND later.next_attempt_utc IS NULL THEN NULL
      WHEN counted.count = 0 THEN greatest(pace.not_before, later.next_attempt_utc)
      ELSE greatest(pace.not_before, least(now() + ${LEASE}, later.next_attempt_utc)) END,
    failures_before = CASE WHEN e.next_due_utc < now() - ${LEFT_ALONE} THEN e.failures ELSE e.failures_before END
  FROM counted
    CROSS JOIN LATERAL (SELECT CASE
      WHEN counted.count > 0 AND counted.failures >= ${BREAKER_FAILURES} THEN now() + ${LEASE}
      ELSE now() + counted.count * interval '1 second' / counted.rate_per_second END AS not_before) pace
    LEFT JOIN LATERAL (SELECT d.next_attempt_utc FROM webhook_deliveries d
      WHERE d.webhook_endpoint_id = counted.id AND d.next_attempt_utc IS NOT NULL
      ORDER BY d.next_attempt_utc, d.id OFFSET counted.count LIMIT 1) later ON true
  WHERE e.id = counted.id
), leased AS (
  UPDATE webhook_deliveries d SET lease = d.lease + 1, next_attempt_utc = now() + ${LEASE}
  FROM picked WHERE d.id = picked.id AND d.next_attempt_utc <= now()
  RETURNING d.id, d.lease, d.webhook_endpoint_id, d.event_id, d.sequence, d.scheduled_order_id, d.ordered, d.tries, d.body
)
SELECT l.id, l.lease, l.webhook_endpoint_id, l.event_id, l.scheduled_order_id, l.ordered, l.tries, l.body, o.sequence, o.site_id, o.type, o.log_id,
  o.occurred_utc, o.simulated_utc, o.facts, e.url, e.payload, e.secret, ${livingPreviousSql('e')} AS previous_secret
FROM leased l JOIN webhook_endpoints e ON e.id = l.webhook_endpoint_id LEFT JOIN outbox o ON o.sequence = l.sequence
ORDER BY l.sequence`;

/** The largest snapshot that is sent, in characters. */
const LARGEST_SNAPSHOT = 1_048_576;

/** More than the time between an event and its log entry, which are written in one transaction. */
const BESIDE = `interval '1 day'`;
const besideEvent = (createdUtc: string): string =>
  `${createdUtc} BETWEEN r.occurred_utc - ${BESIDE} AND r.occurred_utc + ${BESIDE}`;

/**
 * The scheduled orders of log entries, as text. Each is looked for in the month of its event, not in all that are kept;
 * OFFSET keeps PostgreSQL from reading it once for the condition and once more for the answer. pk_event_logs,
 * ix_action_logs_order. $1 deliveries, $2 scheduled orders, $3 log entries, $4 when the events occurred.
 */
export const SNAPSHOTS = `SELECT r.id, s.text
FROM unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::timestamptz[]) AS r (id, scheduled_order_id, log_id, occurred_utc)
CROSS JOIN LATERAL (SELECT coalesce(
  (SELECT ev.scheduled_order::text FROM event_logs ev
    WHERE ev.scheduled_order_id = r.scheduled_order_id AND ev.id = r.log_id AND ${besideEvent('ev.created_utc')}),
  (SELECT coalesce(a.new_scheduled_order, a.previous_scheduled_order)::text FROM action_logs a
    WHERE a.scheduled_order_id = r.scheduled_order_id AND a.id = r.log_id AND ${besideEvent('a.created_utc')})) AS text
  OFFSET 0) s
WHERE length(s.text) <= ${LARGEST_SNAPSHOT}`;

/**
 * Before the first sending. pk_webhook_deliveries. $1 deliveries, $2 leases, $3 bodies. @returns those that are still
 * leased.
 */
export const FREEZE_BODIES = `UPDATE webhook_deliveries d SET body = f.body
FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS f (id, lease, body)
WHERE d.id = f.id AND d.lease = f.lease AND d.body IS NULL
RETURNING d.id`;

const ATTEMPT = new NamedValues({
  id: 'bigint',
  lease: 'bigint',
  state: 'text',
  nextTryMs: 'float8',
  attempt: 'jsonb',
  isSent: 'boolean',
});
const { $ } = ATTEMPT;

/**
 * The lease rises, so that a result counts once, also when its transaction is repeated. pk_webhook_deliveries. One row
 * when it counts.
 */
export const RECORD_ATTEMPT = `UPDATE webhook_deliveries d SET state = ${$.state}::varchar, lease = d.lease + 1, tries = d.tries + CASE WHEN ${$.isSent} THEN 1 ELSE 0 END,
  next_attempt_utc = CASE WHEN ${$.state} = 'Waiting' THEN now() + ${$.nextTryMs} * interval '1 millisecond' END,
  finished_utc = CASE WHEN ${$.state} <> 'Waiting' THEN now() END,
  attempts = CASE WHEN jsonb_array_length(d.attempts) >= ${KEPT_ATTEMPTS} THEN d.attempts - 0 ELSE d.attempts END || ${$.attempt}::jsonb
WHERE d.id = ${$.id} AND d.lease = ${$.lease} AND d.state = 'Waiting'
RETURNING d.id`;

/** `isSent`: a try is used up. @returns whether it counts. */
export const recordAttempt = async (tx: SqlExecutor, attempt: ValuesOf<typeof ATTEMPT>): Promise<boolean> =>
  (await tx.execute(RECORD_ATTEMPT, ATTEMPT.values(attempt))).length > 0;

/**
 * Of an `Ordered` endpoint: the next event of the same scheduled order may go. ix_webhook_deliveries_ordered. $1
 * endpoint, $2 scheduled order.
 */
export const RELEASE_NEXT = `UPDATE webhook_deliveries d SET next_attempt_utc = now()
WHERE d.next_attempt_utc IS NULL AND d.state = 'Waiting' AND d.id = (
  SELECT w.id FROM webhook_deliveries w
  WHERE w.webhook_endpoint_id = $1 AND w.scheduled_order_id = $2 AND w.ordered AND w.state = 'Waiting' ORDER BY w.sequence LIMIT 1)`;

const AFTER_UNSENT = `greatest(e.not_before_utc, now() + $2 * interval '1 millisecond')`;

/**
 * Nothing was sent, so it counts neither as a failure nor as a success. pk_webhook_endpoints. $1 endpoint, $2 ms to
 * leave it alone, or null.
 */
export const RECORD_UNSENT = `UPDATE webhook_endpoints e SET not_before_utc = ${AFTER_UNSENT}, next_due_utc = ${nextDueSql(AFTER_UNSENT)}
WHERE e.id = $1`;

const AFTER_SUCCESS = `CASE WHEN e.failures >= ${BREAKER_FAILURES} THEN now() ELSE e.not_before_utc END`;

/**
 * Closes the breaker. pk_webhook_endpoints. $1 endpoint, $2 whether its queue has changed besides. One row when a
 * breaker was open.
 */
export const RECORD_SUCCESS = `WITH before AS (SELECT b.failures FROM webhook_endpoints b WHERE b.id = $1)
UPDATE webhook_endpoints e SET failures = 0, failures_before = 0, failing_since_utc = NULL,
  not_before_utc = ${AFTER_SUCCESS}, next_due_utc = ${nextDueSql(AFTER_SUCCESS)}
FROM before
WHERE e.id = $1 AND e.status = 'Enabled' AND (e.failures > 0 OR $2)
RETURNING before.failures >= ${BREAKER_FAILURES} AS closed`;

/**
 * Nothing shortens what the endpoint has asked for. What lies within a lease may be the hold of a probe that has ended
 * now.
 */
const AFTER_FAILURE = `greatest(now() + $2 * interval '1 millisecond',
    CASE WHEN e.failures + 1 >= ${BREAKER_FAILURES} THEN now() + ${PROBE_AFTER} END,
    CASE WHEN e.failures < ${BREAKER_FAILURES} OR e.not_before_utc > now() + ${LEASE} THEN e.not_before_utc END)`;
const ENDS = `($3 OR e.failing_since_utc <= now() - ${LONGEST_FAILING} AND e.failures + 1 - e.failures_before >= ${FEWEST_FAILURES})`;

/**
 * Counts a failure: the breaker opens with the fifth in a row. The endpoint is disabled when it is gone, or has failed
 * for five days, with at least FEWEST_FAILURES failures since workers have been running again. pk_webhook_endpoints. $1
 * endpoint, $2 ms of its Retry-After or null, $3 whether it is gone.
 */
export const RECORD_FAILURE = `UPDATE webhook_endpoints e SET failures = e.failures + 1, failing_since_utc = coalesce(e.failing_since_utc, now()),
  not_before_utc = ${AFTER_FAILURE},
  status = CASE WHEN ${ENDS} THEN 'Disabled' ELSE e.status END,
  disabled_reason = CASE WHEN NOT ${ENDS} OR e.status = 'Disabled' THEN e.disabled_reason
    WHEN $3 THEN 'It answered 410 (Gone).' ELSE 'Nothing could be delivered for 5 days.' END,
  updated_utc = CASE WHEN ${ENDS} AND e.status = 'Enabled' THEN greatest(clock_timestamp(), e.updated_utc + interval '1 millisecond') ELSE e.updated_utc END,
  next_due_utc = CASE WHEN NOT ${ENDS} THEN ${nextDueSql(AFTER_FAILURE)} END
FROM (SELECT b.status FROM webhook_endpoints b WHERE b.id = $1) before
WHERE e.id = $1
RETURNING e.site_id, e.failures = ${BREAKER_FAILURES} AS opened, before.status = 'Enabled' AND e.status = 'Disabled' AS disabled`;

/** A net: an endpoint that nobody looks at although deliveries wait is due again. ix_webhook_deliveries_due. */
export const WAKE_FORGOTTEN = `UPDATE webhook_endpoints SET next_due_utc = greatest(now(), not_before_utc) WHERE id IN (
  SELECT e.id FROM webhook_endpoints e
  WHERE e.next_due_utc IS NULL AND e.status = 'Enabled' AND e.deleted_utc IS NULL
    AND EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_endpoint_id = e.id AND d.next_attempt_utc IS NOT NULL)
  FOR NO KEY UPDATE SKIP LOCKED)`;

const nextEndpoint = `SELECT (extract(epoch FROM e.next_due_utc - clock_timestamp()) * 1000)::float8 AS in_ms
FROM webhook_endpoints e JOIN sites s ON s.id = e.site_id
WHERE e.next_due_utc IS NOT NULL AND ${HAS_ROOM} ORDER BY e.next_due_utc LIMIT 1`;

/**
 * Until an endpoint is due that there is room for, in ms; null when none is. ix_webhook_endpoints_due, pk_sites.
 */
export const NEXT_ENDPOINT = nextEndpoint;

export async function nextEndpointInMs(pool: SqlExecutor, full: Full): Promise<number | null> {
  const [next] = await pool.execute<{ inMs: number }>(NEXT_ENDPOINT, FULL.values(full));
  return next?.inMs ?? null;
}

/**
 * The same, and whether there are events that no deliveries were made of yet. Planned once, as the look of an idle
 * processor is. ix_webhook_endpoints_due, pk_sites, pk_webhook_fan_out, uq_outbox_sequence.
 */
export const LEFT_TO_SEND = Statement.named(`SELECT (${nextEndpoint}) AS in_ms,
  coalesce((SELECT max(o.sequence) FROM outbox o) > (SELECT f.sequence FROM webhook_fan_out f), false) AS has_events`);

interface Left {
  readonly inMs: number | null;
  readonly hasEvents: boolean;
}

export async function leftToSend(pool: SqlExecutor, full: Full): Promise<Left> {
  const [left] = await pool.execute<Left>(LEFT_TO_SEND, FULL.values(full));
  return left!;
}
