import { Statement } from '#libs/platform';
import { LIVING, PLACE, PRICE_SETTINGS, SHIPPING_RATE, TAX_RATE } from './rates.sql.js';

/** The site and version that are asked for: `s`. */
const REQUESTED = `(SELECT $1::bigint AS site_id, $2::bigint AS version) AS s`;

/** `h`: what the history has of a row of `kind` since the version. */
const SINCE = (kind: string) => `h.site_id = s.site_id AND h.kind = '${kind}' AND h.until_version > s.version`;

/**
 * SQL: the row `id` as it stood at the version, if it is another one now. With LIMIT it stays a look-up for each row:
 * as a join, without statistics, it read all of a site's history for each (40 s for 126,000 rows). pk_price_history.
 */
const rowThen = (kind: string, id: string, columns: string) =>
  `(SELECT ${columns} FROM price_history h WHERE ${SINCE(kind)} AND h.record_id = ${id} ORDER BY h.until_version LIMIT 1)`;

/** SQL: the row `id` is another one since the version. */
const hasChanged = (kind: string, id: string) => `${rowThen(kind, id, 'h.until_version')} IS NOT NULL`;

/** SQL: ids of rows of `kind` that were inserted after the version; read once. pk_price_insertions. */
const insertedSince = (
  kind: string,
) => `(SELECT coalesce(range_agg(r), '{}') FROM price_insertions i CROSS JOIN LATERAL unnest(i.ids) r
    WHERE i.site_id = $1 AND i.kind = '${kind}' AND i.version > $2)`;

/**
 * SQL: the row of the history was inserted after the version. One with the same id may have been inserted later, when
 * this one was gone.
 */
const wasInserted = (kind: string) => `(h.record_id <@ ${insertedSince(kind)} AND EXISTS (SELECT FROM price_insertions i
      WHERE i.site_id = s.site_id AND i.kind = '${kind}' AND i.version > s.version AND i.version < h.until_version AND h.record_id <@ i.ids))`;

/**
 * SQL: the rows of `kind` that have changed since the version, as they were at it: `h`. `where`: finds those that may
 * be wanted.
 */
const changedRows = (kind: string, where: string) =>
  `(SELECT DISTINCT h.record_id FROM price_history h WHERE ${SINCE(kind)} ${where}) changed CROSS JOIN LATERAL ${rowThen(kind, 'changed.record_id', 'h.*')} h`;

/**
 * SQL: the rates of `table` as they were at the version. `now` and `then` choose among those of today and of the
 * history.
 */
const ratesThen = (table: string, now: string, then: string) => `(
    SELECT r.* FROM ${table} r WHERE ${LIVING} ${now} AND NOT (${hasChanged(table, 'r.id')}) AND NOT r.id <@ ${insertedSince(table)}
    UNION ALL
    SELECT r.* FROM ${changedRows(table, then)} CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, h.record) r
    WHERE r.deleted_utc IS NULL ${then} AND NOT ${wasInserted(table)})`;

/** SQL: the settings of the site as they were; null where it had none. */
const SETTINGS_THEN = `(SELECT ${PRICE_SETTINGS} FROM (
    SELECT g.* FROM site_settings g WHERE g.site_id = s.site_id AND NOT (${hasChanged('site_settings', 'g.site_id')})
    UNION ALL
    SELECT g.* FROM ${changedRows('site_settings', '')} CROSS JOIN LATERAL jsonb_populate_record(NULL::site_settings, h.record) g
    WHERE h.record IS NOT NULL
  ) g)`;

/**
 * The rates of a site as they were at a version: all shipping rates, to explain why each was passed over, and the tax
 * rates that can match an address. ix_shipping_rates_site, ix_tax_rates_place, ix_price_history_place,
 * pk_price_history, pk_price_insertions. $1 site id, $2 version, $3 keys of the address.
 */
export const RATES_AT_VERSION =
  Statement.named(`SELECT (shipping.rates IS NOT NULL) AS has_shipping_rates, shipping.rates AS shipping_rates,
  (SELECT json_agg(${TAX_RATE}) FROM ${ratesThen('tax_rates', `AND ${PLACE} = ANY ($3::text[])`, 'AND h.place = ANY ($3::text[])')} r) AS tax_rates,
  ${SETTINGS_THEN} AS settings
FROM ${REQUESTED} CROSS JOIN LATERAL (SELECT json_agg(${SHIPPING_RATE}) AS rates FROM ${ratesThen('shipping_rates', '', '')} r) shipping`);

/** SQL: the record that stood at the version of a row whose present values are `present`, JSON. */
const recordThen = (kind: string, id: string, present: string) =>
  `coalesce(${rowThen(kind, id, 'h.record')}, ${present})`;

/**
 * The classes of products, and whether a customer paid no tax, as they were at a version. pk_products, pk_customers,
 * pk_price_history. $1 site id, $2 version, $3 product ids, $4 customer id.
 */
export const CLASSES_AT_VERSION = Statement.named(`SELECT
  (SELECT (${recordThen('customers', 'c.id', `jsonb_build_object('tax_exempt', c.tax_exempt)`)} ->> 'tax_exempt')::boolean
   FROM customers c WHERE c.id = $4) AS tax_exempt,
  (SELECT json_agg(json_build_array(p.id, p.record ->> 'shipping_class', p.record ->> 'tax_class'))
   FROM (SELECT p.id, ${recordThen('products', 'p.id', `jsonb_build_object('shipping_class', p.shipping_class, 'tax_class', p.tax_class)`)} AS record
         FROM products p WHERE p.id = ANY ($3::bigint[])) p) AS products
FROM ${REQUESTED}`);
