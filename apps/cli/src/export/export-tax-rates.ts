import type { ConnectionPool } from '#libs/database';
import { checkSite } from '../import/site-of-import.js';

const HEAD = 'Country code,State code,Postcode / ZIP,City,Rate %,Tax name,Priority,Compound,Shipping,Tax class';

const ROWS_AT_ONCE = 1_000;

interface Row {
  readonly id: string;
  readonly cells: readonly string[];
}

/** `*` is what an empty cell is in WooCommerce: any. ix_tax_rates_site. $1 site id, $2 the last id before, $3 rates. */
const PAGE = `SELECT id, ARRAY[coalesce(country, ''), coalesce(nullif(state, '*'), ''), coalesce(postcode, ''), coalesce(nullif(city, '*'), ''),
    coalesce(rate, 0)::text, coalesce(name, ''), coalesce(priority::text, ''), is_compound::int::text, applies_to_shipping::int::text,
    coalesce(tax_class, '')] AS cells
  FROM tax_rates WHERE site_id = $1 AND deleted_utc IS NULL AND id > $2 ORDER BY id LIMIT $3`;

/** A spreadsheet takes such a cell for a formula: WooCommerce puts an apostrophe before it. */
const FORMULA = /^[=+\-@]/;

function cell(text: string): string {
  const guarded = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/**
 * The tax rates of a site in the columns of WooCommerce's export, a row each, in order of their ids.
 * @throws Refusal when there is no such site.
 */
export async function* exportTaxRates(database: ConnectionPool, siteId: number): AsyncGenerator<string> {
  await checkSite(database, siteId);
  yield `${HEAD}\n`;
  for (let last = '0'; ;) {
    const rows = await database.execute<Row>(PAGE, [siteId, last, ROWS_AT_ONCE]);
    yield rows.map(({ cells }) => `${cells.map(cell).join(',')}\n`).join('');
    if (rows.length < ROWS_AT_ONCE) return;
    last = rows.at(-1)!.id;
  }
}
