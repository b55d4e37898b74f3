import { encrypted } from './vault.mjs';

/**
 * @typedef {object} ShopSize
 * @property {number} sites
 * @property {number} orders scheduled orders, spread over the sites; every one has a customer of its own
 * @property {number} [products] per site
 * @property {boolean} [due] whether the orders are due (default) or fall due in a year
 * @property {number} [dueWithinS] they fell due within so many seconds before this hour; unless said, on the day before
 * today
 * @property {string} [apiKey1] of the sites' GatewayOne integrations; the sandbox unless said otherwise
 */

/** Fills an empty database with shops: set-based, so that ten million rows take minutes. */
export async function fillShops(
  client,
  { sites, orders, products = 100, due = true, dueWithinS, apiKey1 = 'sandbox_bench' },
) {
  await client.query(`SET TimeZone = 'UTC'`);
  await client.query(`INSERT INTO users (email, password_hash) VALUES ('bench@shop.example', 'unusable')`);
  await client.query(
    `INSERT INTO sites (user_id, name, url, type, email) SELECT 1, 'Shop ' || s, 'https://shop' || s || '.example', 'WooCommerce', 'owner@shop.example'
     FROM generate_series(1, $1::int) s`,
    [sites],
  );
  const { rows } = await client.query(
    `SELECT id, nextval(pg_get_serial_sequence('payment_integrations', 'id')) AS integration FROM sites`,
  );
  const ids = rows.map(({ integration }) => integration);
  await client.query(
    `INSERT INTO payment_integrations (site_id, id, api_key1, api_key2, payment_method_type, test_mode)
     SELECT i.*, 'GatewayOne', true FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) i`,
    [
      rows.map(({ id }) => id),
      ids,
      await encrypted(apiKey1, 'api_key1', ids),
      await encrypted('pk_test_bench', 'api_key2', ids),
    ],
  );
  await client.query(RATES);
  await client.query(PRODUCTS, [products]);
  await client.query(CUSTOMERS, [orders, sites]);
  await client.query(PAYMENT_METHODS);
  await client.query('ANALYZE customers, products');
  await client.query(LINES, [orders, products]);
  await client.query('ANALYZE lines');
  await client.query(SCHEDULED_ORDERS, [due, dueWithinS ?? null]);
  await client.query(ITEMS);
  await client.query('DROP TABLE lines');
}

/**
 * Tax rates by postcode for the first site, none of them for a place that it sends to: what they cost is to be found
 * among, not to be paid.
 */
export const addTaxRates = (client, count) =>
  client.query(
    `INSERT INTO tax_rates (site_id, tax_class, country, state, city, postcode, rate, is_compound, name)
     SELECT 1, 'standard', 'US', 'TX', 'City ' || n, (20000 + n)::text, 6 + n % 300 / 100.0, false, 'Tax of ' || (20000 + n)
     FROM generate_series(1, $1::int) n`,
    [count],
  );

/**
 * Three shipping and two tax rates a site: by country, by state, from a subtotal on; one tax for all, one for a state.
 */
const RATES = `WITH shipping AS (
  INSERT INTO shipping_rates (site_id, shipping_class, country, state, base_price, price_per_unit, min_subtotal, name)
  SELECT s.id, 'parcel', r.* FROM sites s CROSS JOIN (VALUES
    ('US', NULL, 6.00, NULL::numeric, NULL::numeric, 'Country'), ('US', 'CA', 4.50, 0.25, NULL, 'State'), ('US', 'CA', 3.00, NULL, 100, 'State, large')) r
)
INSERT INTO tax_rates (site_id, tax_class, country, state, rate, is_compound, name)
SELECT s.id, 'standard', r.* FROM sites s CROSS JOIN (VALUES ('US', NULL, 6::numeric, false, 'Sales tax'), ('US', 'CA', 1.5, false, 'District tax')) r`;

const PRODUCTS = `INSERT INTO products (site_id, external_id, availability, stock_level, type, sku, title, description, price, sale_price, weight,
    shipping_class, tax_class, image_url, image_thumb_url)
  SELECT s.id, 'p' || p, 'InStock', 'instock', 'simple', 'SKU-' || p, 'Coffee No. ' || p, 'A bag of beans, roasted on the day it is sent: ' || p,
    4.99 + p * 0.37, CASE WHEN p % 3 = 0 THEN 4.49 + p * 0.37 END, '0.5', 'parcel', 'standard',
    'https://shop.example/images/' || p || '.jpg', 'https://shop.example/images/' || p || '-thumb.jpg'
  FROM sites s CROSS JOIN generate_series(1, $1::int) p ORDER BY s.id, p`;

const CUSTOMERS = `INSERT INTO customers (site_id, external_id, email, first_name, last_name, created, shipping_first_name, shipping_last_name,
    shipping_street1, shipping_city, shipping_state, shipping_postcode, shipping_country, billing_first_name, billing_last_name, billing_street1,
    billing_city, billing_state, billing_postcode, billing_country)
  SELECT 1 + c % $2, 'c' || c, 'customer' || c || '@mail.example', 'Ada', 'Lovelace ' || c, timestamptz '2025-03-01T09:00:00Z', 'Ada', 'Lovelace ' || c,
    c || ' Main Street', a.city, a.state, a.postcode, 'US', 'Ada', 'Lovelace ' || c, c || ' Main Street', a.city, a.state, a.postcode, 'US'
  FROM generate_series(1, $1::int) c
  CROSS JOIN LATERAL (SELECT CASE WHEN c / 10 % 2 = 0 THEN 'San Diego' ELSE 'Albany' END AS city, CASE WHEN c / 10 % 2 = 0 THEN 'CA' ELSE 'NY' END AS state,
    CASE WHEN c / 10 % 2 = 0 THEN '92101' ELSE '12207' END AS postcode) a`;

const PAYMENT_METHODS = `WITH known AS (
  INSERT INTO gateway_customers (customer_id, type, gateway_customer_id) SELECT id, 'GatewayOne', 'cus_' || id FROM customers
)
INSERT INTO payment_methods (site_id, customer_id, type, gateway_customer_id, gateway_payment_id, description)
SELECT site_id, id, 'GatewayOne', 'cus_' || id, 'pm_' || id, 'Visa ending in 4242' FROM customers`;

/** Which version of its rates a filled shop has: each of the two statements above raises it. */
export const RATES_VERSION = 2;

/** The shipping of an order by the rates above. */
export const SHIPPING = (state, subtotal, units) => `CASE WHEN ${state} = 'CA'
    THEN CASE WHEN ${subtotal} >= 100 THEN least(3.00, 4.50 + 0.25 * ${units}) ELSE 4.50 + 0.25 * ${units} END ELSE 6.00 END`;

/**
 * All five types of frequency. Orders fell due within the last day (or will in a year), in an order that has nothing to
 * do with their ids. Without $2 the day is the 28th at the latest, so that plain intervals, which the limit uses, and
 * the product's calendar agree. With it they fell due so lately that gateways remember what they were asked since: the
 * product looks older ones up before it charges them.
 */
const SCHEDULED_ORDERS = `INSERT INTO scheduled_orders (site_id, customer_id, shipping_first_name, shipping_last_name, shipping_street1, shipping_city,
    shipping_state, shipping_postcode, shipping_country, next_occurrence_utc, status, frequency_type, frequency, currency_iso, payment_method_type,
    payment_method_customer_id, payment_method_id, payment_method_description, schedule_anchor_utc, shipping_total, tax_total, total)
  SELECT c.site_id, c.id, c.shipping_first_name, c.shipping_last_name, c.shipping_street1, c.shipping_city, c.shipping_state, c.shipping_postcode,
    c.shipping_country, d.due, 'Active', f.type, f.frequency, 'USD', 'GatewayOne', 'cus_' || c.id, 'pm_' || c.id, 'Visa ending in 4242', d.due,
    t.shipping * 100, t.tax * 100, (t.subtotal + t.shipping + t.tax) * 100
  FROM customers c
  JOIN (SELECT order_id, sum(amount) AS subtotal, sum(tax) AS tax, sum(quantity) AS units FROM lines GROUP BY order_id) l ON l.order_id = c.id
  CROSS JOIN LATERAL (SELECT l.subtotal, l.tax, ${SHIPPING('c.shipping_state', 'l.subtotal', 'l.units')} AS shipping) t
  CROSS JOIN (SELECT CASE WHEN $2::int IS NULL THEN date_trunc('day', now()) + make_interval(days => least(0, 28 - extract(day FROM now())::int))
    ELSE date_trunc('hour', now()) END + make_interval(years => CASE WHEN $1 THEN 0 ELSE 1 END) AS day) at
  CROSS JOIN LATERAL (SELECT at.day - make_interval(secs => 1 + (c.id * 7919) % coalesce($2::int, 86400)) AS due) d
  CROSS JOIN LATERAL (SELECT (ARRAY['Days', 'Weeks', 'Months', 'DayOfTheWeek', 'DayOfTheMonth'])[1 + c.id / 20 % 5] AS type,
    (ARRAY[30, 4, 1, 1 + extract(dow FROM d.due)::int, extract(day FROM d.due)::int])[1 + c.id / 20 % 5] AS frequency) f
  ORDER BY c.id`;

/** Two items an order, priced by the rates above in plain SQL. $1 orders, $2 products per site. */
const LINES = `CREATE TEMPORARY TABLE lines AS
  SELECT c.id AS order_id, c.site_id, p.id AS product_id, p.price, p.sale_price, q.quantity, l.amount,
    round(l.amount * 0.06, 2) + CASE WHEN c.shipping_state = 'CA' THEN round(l.amount * 0.015, 2) ELSE 0 END AS tax
  FROM customers c CROSS JOIN generate_series(0, 1) n
  JOIN products p ON p.id = (c.site_id - 1) * $2::int + 1 + (c.id * 31 + n * 17) % $2::int
  CROSS JOIN LATERAL (SELECT 1 + (c.id + n) % 3 AS quantity) q
  CROSS JOIN LATERAL (SELECT round(coalesce(p.sale_price, p.price) * q.quantity, 2) AS amount) l
  WHERE c.id <= $1::int`;

const ITEMS = `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, sale_price, quantity)
  SELECT site_id, order_id, product_id, price, sale_price, quantity FROM lines ORDER BY order_id`;
