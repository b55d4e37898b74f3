import { type ConnectionPool, csvHead, csvLines } from '#libs/platform';
import { checkSite } from '../import/site-of-import.js';

const COLUMNS = [
  'Country code',
  'State code',
  'Postcode / ZIP',
  'City',
  'Rate %',
  'Tax name',
  'Priority',
  'Compound',
  'Shipping',
  'Tax class',
];

const ROWS_AT_ONCE = 1_000;

interface Row {
  readonly id: number;
  readonly cells: readonly string[];
}

/** `*` is what an empty cell is in WooCommerce: any. ix_tax_rates_site. $1 site id, $2 the last id before, $3 rates. */
const PAGE = `SELECT id, ARRAY(SELECT value::text FROM json_array_elements(json_build_array(country, nullif(state, '*'), postcode, nullif(city, '*'),
    coalesce(rate, 0), name, priority, is_compound::int, applies_to_shipping::int, tax_class))) AS cells
  FROM tax_rates WHERE site_id = $1 AND deleted_utc IS NULL AND id > $2 ORDER BY id LIMIT $3`;

/**
 * The tax rates of a site in the columns of WooCommerce's export, a row each, in order of their ids.
 * @throws Refusal when there is no such site.
 */
export async function* exportTaxRates(database: ConnectionPool, siteId: number): AsyncGenerator<string> {
  await checkSite(database, siteId);
  yield csvHead(COLUMNS);
  for (let last = 0; ;) {
    const rows = await database.execute<Row>(PAGE, [siteId, last, ROWS_AT_ONCE]);
    yield csvLines(rows.map(({ cells }) => cells));
    if (rows.length < ROWS_AT_ONCE) return;
    last = rows.at(-1)!.id;
  }
}
