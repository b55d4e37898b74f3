import { Statement } from '#libs/platform';

export const SHIPPING_RATE = `json_build_object('id', r.id, 'country', r.country, 'state', r.state, 'city', r.city, 'postcode', r.postcode,
  'shippingClass', r.shipping_class, 'name', r.name, 'basePrice', r.base_price::text, 'pricePerUnit', r.price_per_unit::text,
  'minUnits', r.min_units, 'minCycles', r.min_cycles, 'minSubtotal', r.min_subtotal::text)`;
export const TAX_RATE = `json_build_object('id', r.id, 'country', r.country, 'state', r.state, 'city', r.city, 'postcode', r.postcode,
  'taxClass', r.tax_class, 'name', r.name, 'rate', r.rate::text, 'isCompound', r.is_compound,
  'priority', r.priority, 'appliesToShipping', r.applies_to_shipping)`;
export const PRICE_SETTINGS = `json_build_object('prices', g.prices, 'homeCountry', g.home_country, 'homeState', g.home_state,
    'homeCity', g.home_city, 'homePostcode', g.home_postcode, 'grossOutside', g.gross_outside, 'minSubtotalGross', g.min_subtotal_gross,
    'shippingPrices', g.shipping_prices, 'shippingTax', g.shipping_tax, 'roundTax', g.round_tax)`;
/** Null for a site that has said nothing of its prices. pk_site_settings. */
const SETTINGS = `(SELECT ${PRICE_SETTINGS} FROM site_settings g WHERE g.site_id = s.site_id) AS settings`;

export const LIVING = 'r.site_id = s.site_id AND r.deleted_utc IS NULL';
/** Exactly the expression of `ix_shipping_rates_place` and `ix_tax_rates_place`. */
export const PLACE = 'place_key(r.country, r.state, r.city, r.postcode)';
/** Without OFFSET, PostgreSQL may instead read all rates that there are, into a hash table. */
const HAS_SHIPPING_RATES = `EXISTS (SELECT FROM shipping_rates r WHERE ${LIVING} OFFSET 0)`;

/**
 * With its instant, because a restored database continues from an earlier number. `0` for a site whose rates were never
 * written.
 */
const VERSION = `coalesce((SELECT v.version || '@' || extract(epoch FROM v.changed_utc) FROM rate_versions v WHERE v.site_id = s.site_id), '0')`;

const countUpTo = (most: string, table: string) =>
  `(SELECT count(*) FROM (SELECT FROM ${table} r WHERE ${LIVING} LIMIT ${most}) AS counted)`;

/**
 * The version of each site's rates and, when it differs from the known one, how many rates there are. Each table is
 * counted up to $3. pk_rate_versions, ix_shipping_rates_site, ix_tax_rates_site. $1 site ids, $2 the known version of
 * each, $3 rates.
 */
export const RATE_VERSIONS = `SELECT s.site_id, s.version,
  CASE WHEN s.version IS DISTINCT FROM s.known
    THEN ${countUpTo('$3', 'shipping_rates')} + ${countUpTo('$3', 'tax_rates')} END AS rates
FROM (SELECT s.site_id, s.known, ${VERSION} AS version
      FROM unnest($1::bigint[], $2::text[]) AS s (site_id, known) OFFSET 0) AS s`;

/**
 * OFFSET keeps it a look-up for each site: as a join it may read all rates that there are, and compare each with each
 * site.
 */
const found = (table: string, where: string) =>
  `SELECT r.* FROM wanted s CROSS JOIN LATERAL (SELECT * FROM ${table} r WHERE ${LIVING} ${where} OFFSET 0) AS r LIMIT $3::bigint + 1`;

const one = (siteId: string, shipping: string, tax: string, from: string) =>
  `SELECT ${siteId} AS site_id, ${shipping} AS shipping_rate, ${tax} AS tax_rate FROM ${from}`;

/**
 * Each table is read up to one rate more than the limit. With that one, `fits` is false and no rate is returned. Sites
 * and rates are grouped together, not joined: a worker's session has only nested loops, which would look for each
 * site's rates among those of all sites of the batch.
 */
const load = (where: string) => `WITH
wanted AS MATERIALIZED (SELECT * FROM unnest($1::bigint[], $2::text[]) AS s (site_id, keys)),
shipping AS MATERIALIZED (${found('shipping_rates', where)}),
tax AS MATERIALIZED (${found('tax_rates', where)}),
size AS MATERIALIZED (
  SELECT coalesce((SELECT count(*) FROM shipping) + (SELECT count(*) FROM tax) <= $3::bigint, true) AS fits)
SELECT s.site_id, ${VERSION} AS version, ${HAS_SHIPPING_RATES} AS has_shipping_rates, size.fits, ${SETTINGS}, s.shipping_rates, s.tax_rates
FROM (
  SELECT site_id, json_agg(shipping_rate) FILTER (WHERE shipping_rate IS NOT NULL) AS shipping_rates,
    json_agg(tax_rate) FILTER (WHERE tax_rate IS NOT NULL) AS tax_rates
  FROM (
    ${one('s.site_id', 'NULL::json', 'NULL::json', 'wanted s')}
    UNION ALL ${one('r.site_id', SHIPPING_RATE, 'NULL::json', 'shipping r, size WHERE size.fits')}
    UNION ALL ${one('r.site_id', 'NULL::json', TAX_RATE, 'tax r, size WHERE size.fits')}
  ) AS one GROUP BY site_id
) AS s, size`;

/**
 * All rates of sites that are not deleted. ix_shipping_rates_site, ix_tax_rates_site. $1 site ids, $2 null, $3 most
 * rates.
 */
export const RATES_OF_SITES = load('');

/**
 * The rates of sites, not deleted, that can match addresses. ix_shipping_rates_place, ix_tax_rates_place. $1 site ids,
 * $2 the keys of each one's addresses, a line each, $3 most rates; null for any number.
 */
export const RATES_OF_PLACES = load(`AND ${PLACE} = ANY (string_to_array(s.keys, E'\\n'))`);

/** The most shipping rates that are explained for one shipping class, or for several together. */
export const MOST_EXPLAINED_RATES = 20_000;

/**
 * For one address: the rates of a site, not deleted, that can match it; or all shipping rates, to explain why each was
 * passed over.
 */
const forAddress = (shippingWhere: string) => `SELECT ${HAS_SHIPPING_RATES} AS has_shipping_rates, ${SETTINGS},
  (SELECT json_agg(${SHIPPING_RATE}) FROM (SELECT * FROM shipping_rates r WHERE ${LIVING} ${shippingWhere}) r) AS shipping_rates,
  (SELECT json_agg(${TAX_RATE}) FROM tax_rates r WHERE ${LIVING} AND ${PLACE} = ANY ($2::text[])) AS tax_rates
FROM (SELECT $1::bigint AS site_id) AS s`;

/** ix_shipping_rates_place, ix_tax_rates_place. $1 site id, $2 keys of the address. */
export const RATES_FOR_ADDRESS = Statement.named(forAddress(`AND ${PLACE} = ANY ($2::text[])`));
/**
 * One more than can be explained shows that there are too many. ix_shipping_rates_site, ix_tax_rates_place. $1 site id,
 * $2 keys of the address.
 */
export const RATES_FOR_QUOTE = Statement.named(forAddress(`LIMIT ${MOST_EXPLAINED_RATES + 1}`));
