import { here } from '#libs/entities';
import { IS_UNCOMPARED, isOfThisShopSql, storedShopSql } from '#libs/ledger';
import { NamedValues, Statement, type ValuesOf } from '#libs/platform';

/** Shops whose changes are read: those that take pushes, and tell what became of them. */
const IS_READ = `h.receiver = 'WooCommerceRest' AND h.state = 'Ready'`;

/**
 * A time that only a wrong clock can have put so far ahead counts as past, and so does what was now at once: times are
 * stored in whole milliseconds, which may be the next one.
 */
const isPast = (utc: string, ahead: string): string =>
  `(${utc} <= now() + interval '1 millisecond' OR ${utc} > now() + ${ahead})`;
const IS_DUE = isPast(
  'r.next_read_utc',
  `CASE WHEN r.failures = 0 THEN interval '20 minutes' ELSE interval '25 hours' END`,
);
const IS_FREE = `(r.lease_until_utc IS NULL OR ${isPast('r.lease_until_utc', `interval '10 minutes'`)})`;

/** Shops that were not read before; and whether there is any to read. pk_site_shops (few rows), pk_shop_reads. */
export const TAKE_UP_READS = `WITH taken_up AS (
  INSERT INTO shop_reads (site_id)
  SELECT h.site_id FROM site_shops h WHERE ${IS_READ} AND NOT EXISTS (SELECT 1 FROM shop_reads r WHERE r.site_id = h.site_id)
  ON CONFLICT (site_id) DO NOTHING
)
SELECT EXISTS (SELECT FROM site_shops h WHERE ${IS_READ}) AS has_shops`;

const BEGIN = new NamedValues({ worker: 'text', leaseMs: 'float8', generation: 'bigint', lsn: 'text' });
export const beginReadValues = (values: ValuesOf<typeof BEGIN>): unknown[] => BEGIN.values(values);

/**
 * Leases the shop that has waited longest since its last turn. One whose worker has died goes on at once; one that
 * fails is not looked at for hints either, and one whose breaker is open not at all. ix_shop_reads_next,
 * ix_shop_reads_at_once.
 */
export const BEGIN_READ = Statement.named(`WITH due AS (
  SELECT r.site_id FROM shop_reads r JOIN site_shops h ON h.site_id = r.site_id
  WHERE ${here(BEGIN.$.generation, BEGIN.$.lsn)} AND ((r.look_at_once OR r.worker IS NOT NULL) AND r.failures = 0 OR ${IS_DUE})
    AND ${IS_FREE} AND ${IS_READ} AND (h.not_before_utc IS NULL OR h.not_before_utc <= now())
  ORDER BY r.lease_until_utc NULLS FIRST, r.next_read_utc LIMIT 1
  FOR UPDATE OF r SKIP LOCKED
)
UPDATE shop_reads r SET worker = ${BEGIN.$.worker}, lease_until_utc = now() + ${BEGIN.$.leaseMs} * interval '1 millisecond', look_at_once = false
FROM due d JOIN site_shops h ON h.site_id = d.site_id JOIN sites s ON s.id = d.site_id
LEFT JOIN product_imports i ON i.site_id = d.site_id AND i.state = 'Running'
WHERE r.site_id = d.site_id
RETURNING ${storedShopSql('s', 'h')}, s.currency_iso, h.stock_sync, r.places, ${IS_DUE} AS is_whole, i.place AS import_place, now() AS now_utc`);

/** pk_shop_reads. $1 site, $2 worker, $3 lease ms, $4 places. */
export const GO_ON_READING = `UPDATE shop_reads r SET lease_until_utc = now() + $3 * interval '1 millisecond', places = $4
WHERE r.site_id = $1 AND r.worker = $2 RETURNING 1`;

/**
 * Of the newest Orders of a shop is made sure each day that it has them still: no list shows what was deleted. So is of
 * what it did not sell, whatever follows the shop: orders are held for it.
 */
const MOST_MADE_SURE = 1_000;

/**
 * What is left is read in another turn, behind those of other shops. pk_shop_reads, pk_site_shops,
 * ix_order_pushes_state, uq_products_external_id, pk_shop_hints. $1 site, $2 worker, $3 when the turn began, $4 whether
 * all lists were read, $5 whether something is left.
 */
export const END_READ = `WITH ended AS (
  UPDATE shop_reads r SET worker = NULL, lease_until_utc = now(), failures = 0, look_at_once = r.look_at_once OR $5::boolean,
    next_read_utc = CASE WHEN $4::boolean THEN now() + interval '15 minutes' ELSE r.next_read_utc END
  WHERE r.site_id = $1 AND r.worker = $2
  RETURNING r.site_id
), made_sure AS (
  INSERT INTO shop_hints (site_id, kind, record_id)
  SELECT h.site_id, m.kind, m.id::bigint
  FROM ended e JOIN site_shops h ON h.site_id = e.site_id CROSS JOIN LATERAL (
    (SELECT 'Order' AS kind, p.shop_order_id AS id FROM order_pushes p
      WHERE p.site_id = h.site_id AND p.state = 'Pushed' AND p.ended_in_shop IS NULL AND p.shop_order_id ~ '^[0-9]{1,15}$' AND ${isOfThisShopSql('p', 'h')}
      ORDER BY p.order_id DESC LIMIT ${MOST_MADE_SURE})
    UNION ALL
    (SELECT 'Product', p.external_id FROM products p
      WHERE p.site_id = h.site_id AND p.deleted_utc IS NULL AND p.unsellable IS NOT NULL AND p.external_id ~ '^[0-9]{1,15}$'
      LIMIT ${MOST_MADE_SURE})) m
  WHERE $4::boolean AND h.last_sync_utc < date_trunc('day', $3::timestamptz, 'UTC')
  ON CONFLICT (site_id, kind, record_id) DO NOTHING
)
UPDATE site_shops h SET last_sync_utc = $3 FROM ended e WHERE h.site_id = e.site_id AND $4::boolean`;

/**
 * After a failure: half a minute later, and twice as long after each further one, up to 15 minutes. A running import
 * says why it waits. pk_shop_reads, pk_product_imports. $1 site, $2 worker, $3 ms that the shop asks for, $4 why.
 */
export const PUT_OFF_READ = `WITH put_off AS (
  UPDATE shop_reads r SET worker = NULL, lease_until_utc = now(), failures = r.failures + 1,
    next_read_utc = now() + greatest(least(interval '1 day', coalesce($3::float8, 0) * interval '1 millisecond'), least(interval '15 minutes', interval '30 seconds' * (1 << least(r.failures, 5)::int)))
  WHERE r.site_id = $1 AND r.worker = $2
  RETURNING r.site_id
)
UPDATE product_imports i SET message = left($4, 1000) FROM put_off p WHERE i.site_id = p.site_id AND i.state = 'Running'`;

/** The oldest first. pk_shop_hints. $1 site, $2 limit. */
export const READ_HINTS = `SELECT h.kind, h.record_id AS id, h.hinted_utc FROM shop_hints h WHERE h.site_id = $1 ORDER BY h.hinted_utc LIMIT $2`;

/** What was hinted at again meanwhile stays. pk_shop_hints. $1 site, $2 kinds, $3 ids, $4 times. */
export const FORGET_HINTS = `DELETE FROM shop_hints h USING unnest($2::text[], $3::bigint[], $4::timestamptz[]) AS b (kind, record_id, hinted_utc)
WHERE h.site_id = $1 AND h.kind = b.kind AND h.record_id = b.record_id AND h.hinted_utc = b.hinted_utc`;

/** It is read again with the next hints, or with the next reading of all. pk_shop_hints. $1 site, $2 ids of orders. */
export const HINT_AGAIN = `INSERT INTO shop_hints AS h (site_id, kind, record_id) SELECT $1::bigint, 'Order', n.id FROM unnest($2::bigint[]) AS n (id)
ON CONFLICT (site_id, kind, record_id) DO UPDATE SET hinted_utc = greatest(now(), h.hinted_utc + interval '1 millisecond')`;

/** Charges of the site may be missing here (docs/processing.md). ix_payment_integrations_type. $1 site. */
export const MAY_LACK_CHARGES = `SELECT 1 FROM payment_integrations i WHERE i.site_id = $1 AND i.deleted_utc IS NULL AND ${IS_UNCOMPARED} LIMIT 1`;

/**
 * Which of these scheduled orders are another site's, which may have the same shop. pk_scheduled_orders. $1 site, $2
 * ids.
 */
export const OF_OTHER_SITES = `SELECT o.id FROM scheduled_orders o WHERE o.id = ANY ($2::bigint[]) AND o.site_id <> $1`;
