import { Statement } from '#libs/platform';
import { SHIPPING_RATE, TAX_RATE } from './rates.sql.js';

/**
 * Rates as they would be stored: the present row, if there is one with that id, with the columns that are proposed.
 * PostgreSQL converts them as an INSERT would. A row that was deleted a moment ago is not proposed again. pk_tax_rates,
 * pk_shipping_rates. $1 site id, $2 ids, $3 columns as JSON.
 */
const proposed = (table: string, rate: string) =>
  Statement.named(`SELECT ${rate} AS rate
FROM unnest($2::bigint[], $3::text[]) AS p (id, columns)
LEFT JOIN ${table} t ON t.id = p.id AND t.site_id = $1 AND t.deleted_utc IS NULL
CROSS JOIN LATERAL jsonb_populate_record(t, p.columns::jsonb) r
WHERE p.id < 0 OR t.id IS NOT NULL`);

export const PROPOSED_SHIPPING_RATES = proposed('shipping_rates', SHIPPING_RATE);
export const PROPOSED_TAX_RATES = proposed('tax_rates', TAX_RATE);
