import { siteClockSql, UPCOMING_NOTICE_DAYS } from '#libs/entities';
import { listensSql, OUTBOX_COLUMNS, WAKE_SQL } from '#libs/events';
import { isFreeSql } from '#libs/ledger';
import { NamedValues, type SqlExecutor, Statement } from '#libs/platform';

/** Longer than a part of a look takes: then another worker may look. */
const LEASE = `interval '5 minutes'`;

/**
 * How often everything is looked at: a hand in the database may change a date without an event, or a notice without
 * asking for a look.
 */
const FULL_EVERY = `interval '1 hour'`;

/**
 * One worker at a time, and none so soon after another. A time that a wrong clock has written does not count.
 * pk_upcoming_look, uq_outbox_sequence. $1 ms since the last look.
 */
export const BEGIN_LOOK = `UPDATE upcoming_look l SET lease = l.lease + 1, leased_until_utc = now() + ${LEASE}
WHERE coalesce(l.leased_until_utc <= now() OR l.leased_until_utc > now() + 2 * ${LEASE}, true)
  AND coalesce(l.looked_utc <= now() - $1 * interval '1 millisecond' OR l.looked_utc > now(), true)
RETURNING l.lease, date_trunc('milliseconds', now()) AS now_utc, l.looked_utc, l.sequence AS after, l.full_requests,
  coalesce((SELECT max(x.sequence) FROM outbox x WHERE x.sequence IS NOT NULL), 0) AS up_to,
  l.full_requests <> l.full_requests_seen OR coalesce(l.full_utc <= now() - ${FULL_EVERY}, true) AS is_full`;

/**
 * One row when any site listens. A statement of its own, after BEGIN_LOOK: it sees every site that had asked for the
 * look by then. ix_sites_listening.
 */
export const ANY_LISTENS = Statement.named(`SELECT 1 FROM sites s WHERE s.listens_since_utc IS NOT NULL LIMIT 1`);

/** One row while nobody else looks. pk_upcoming_look. $1 lease. */
export const GO_ON_LOOKING = `UPDATE upcoming_look SET leased_until_utc = now() + ${LEASE} WHERE lease = $1 RETURNING 1`;

/**
 * $1 lease, $2 when it began, $3 the last event, $4 whether it was at everything, $5 `full_requests` as it found them.
 * pk_upcoming_look.
 */
export const END_LOOK = `UPDATE upcoming_look SET leased_until_utc = NULL, looked_utc = $2::timestamptz, sequence = $3::bigint,
  full_utc = CASE WHEN $4 THEN $2::timestamptz ELSE full_utc END,
  full_requests_seen = CASE WHEN $4 THEN $5::bigint ELSE full_requests_seen END
WHERE lease = $1`;

/** The next look is at the same again. pk_upcoming_look. $1 lease. */
export const GIVE_UP_LOOK = `UPDATE upcoming_look SET leased_until_utc = NULL WHERE lease = $1`;

const NOTICE = `coalesce(g.upcoming_notice_days, ${UPCOMING_NOTICE_DAYS}) * interval '1 day'`;

/**
 * An order whose next occurrence can be announced. An open cycle moves the date with its retries.
 * uq_processing_cycles_open.
 */
const ANNOUNCEABLE = `o.status = 'Active' AND o.deleted_utc IS NULL
    AND ${isFreeSql('o')}`;
/** Its next occurrence was not announced yet. pk_upcoming_notices. */
const NOT_YET = `NOT EXISTS (SELECT 1 FROM upcoming_notices n WHERE n.scheduled_order_id = o.id AND n.occurrence_utc = o.next_occurrence_utc)`;

const BY_TIME = new NamedValues({
  most: 'bigint',
  siteId: 'bigint',
  occurrenceUtc: 'timestamptz',
  id: 'bigint',
  nowUtc: 'timestamptz',
  lookedUtc: 'timestamptz',
});
const { $ } = BY_TIME;

/**
 * Occurrences that time has brought within the notice since the last look; of every site the nearest first.
 * ix_sites_listening, ix_scheduled_orders_site_due, pk_upcoming_notices.
 */
export const FIND_BY_TIME = `SELECT s.id AS site_id, o.id, o.next_occurrence_utc
FROM sites s
LEFT JOIN site_settings g ON g.site_id = s.id
CROSS JOIN LATERAL (
  SELECT o.id, o.next_occurrence_utc FROM scheduled_orders o
  WHERE o.site_id = s.id AND ${ANNOUNCEABLE} AND ${NOT_YET}
    AND o.next_occurrence_utc > greatest(${$.nowUtc}::timestamptz, ${$.lookedUtc}::timestamptz + ${NOTICE}) AND o.next_occurrence_utc <= ${$.nowUtc}::timestamptz + ${NOTICE}
    AND o.next_occurrence_utc >= CASE WHEN s.id = ${$.siteId} THEN ${$.occurrenceUtc}::timestamptz ELSE '-infinity' END
    AND (s.id > ${$.siteId} OR (o.next_occurrence_utc, o.id) > (${$.occurrenceUtc}::timestamptz, ${$.id}::bigint))
  ORDER BY o.next_occurrence_utc, o.id
  LIMIT ${$.most}) o
WHERE s.listens_since_utc IS NOT NULL AND NOT s.simulated AND s.id >= ${$.siteId}
ORDER BY s.id, o.next_occurrence_utc, o.id
LIMIT ${$.most}`;

export interface ComingRow {
  readonly siteId: number;
  readonly id: number;
  readonly nextOccurrenceUtc: Date;
}

/**
 * What is looked for: after the site, occurrence and order that were read last. `lookedUtc`: when time was looked at
 * before; null: all within their notice.
 */
export interface LookedFor {
  readonly most: number;
  readonly siteId: number;
  readonly occurrenceUtc: Date;
  readonly id: number;
  readonly nowUtc: Date;
  readonly lookedUtc: Date | null;
}

export const findByTime = (pool: SqlExecutor, lookedFor: LookedFor) =>
  pool.execute<ComingRow>(FIND_BY_TIME, BY_TIME.values(lookedFor));

/**
 * Occurrences within their notice of orders that have events since the last look: whatever changes an order's date
 * writes one. `last` is the last event that was read. Two types are left out: an announcement changes no date, and
 * beside the `order.created` of a cycle there is always a `scheduled_order.processed`. uq_outbox_sequence,
 * pk_scheduled_orders, pk_upcoming_notices. $1 at most so many events, $2 after, $3 up to, $4 now.
 */
export const FIND_BY_EVENTS = `WITH page AS MATERIALIZED (
  SELECT x.sequence, x.scheduled_order_id, x.type FROM outbox x WHERE x.sequence > $2 AND x.sequence <= $3 ORDER BY x.sequence LIMIT $1
)
SELECT p.last, f.site_id, f.id, f.next_occurrence_utc
FROM (SELECT max(sequence) AS last FROM page) p
LEFT JOIN (
  SELECT o.site_id, o.id, o.next_occurrence_utc
  FROM (SELECT DISTINCT scheduled_order_id AS id FROM page WHERE type NOT IN ('scheduled_order.upcoming', 'order.created')) changed
  JOIN scheduled_orders o ON o.id = changed.id
  JOIN sites s ON s.id = o.site_id AND s.listens_since_utc IS NOT NULL AND NOT s.simulated
  LEFT JOIN site_settings g ON g.site_id = s.id
  WHERE ${ANNOUNCEABLE} AND ${NOT_YET}
    AND o.next_occurrence_utc > $4::timestamptz AND o.next_occurrence_utc <= $4::timestamptz + ${NOTICE}
) f ON true`;

/**
 * All occurrences of a simulated site within their notice, by its clock. ix_scheduled_orders_site_due,
 * pk_upcoming_notices. $1 at most so many, $2 site, $3 its present, $4 occurrence and $5 order that were read last.
 */
export const FIND_SIMULATED = `SELECT o.site_id, o.id, o.next_occurrence_utc
FROM scheduled_orders o LEFT JOIN site_settings g ON g.site_id = o.site_id
WHERE o.site_id = $2 AND o.simulated AND ${ANNOUNCEABLE} AND ${NOT_YET}
  AND o.next_occurrence_utc > $3::timestamptz AND o.next_occurrence_utc <= $3::timestamptz + ${NOTICE}
  AND (o.next_occurrence_utc, o.id) > ($4::timestamptz, $5::bigint)
ORDER BY o.next_occurrence_utc, o.id
LIMIT $1`;

/**
 * Announces what was priced, unless the order has changed since, or a request has it locked. The order's row is locked
 * and not written. pk_scheduled_orders, pk_upcoming_notices. $1 order ids, $2 versions, $3 occurrences, $4 facts, JSON.
 * @returns the announced.
 */
export const ANNOUNCE = `WITH b AS (
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::jsonb[]) AS b (id, version, occurrence_utc, facts)
), locked AS MATERIALIZED (
  SELECT o.id, o.site_id, o.next_occurrence_utc, b.facts
  FROM b JOIN scheduled_orders o ON o.id = b.id
  WHERE o.xmin = b.version::xid AND o.next_occurrence_utc = b.occurrence_utc AND ${ANNOUNCEABLE}
  ORDER BY o.id
  FOR NO KEY UPDATE OF o SKIP LOCKED
), noticed AS (
  INSERT INTO upcoming_notices (scheduled_order_id, occurrence_utc)
  SELECT id, next_occurrence_utc FROM locked WHERE ${listensSql('site_id', 'locked')}
  ON CONFLICT DO NOTHING
  RETURNING scheduled_order_id
)
INSERT INTO outbox (${OUTBOX_COLUMNS})
SELECT l.site_id, l.id, 'scheduled_order.upcoming', NULL, l.facts, ${siteClockSql('l.site_id')}
FROM noticed n JOIN locked l ON l.id = n.scheduled_order_id
ORDER BY l.id
RETURNING scheduled_order_id, ${WAKE_SQL}`;
