import type { Transaction } from '#libs/platform';
import { RateLoader } from '#libs/records';
import { decimalOf } from '#libs/rules';
import { RowFault } from '../cells.js';
import type { Tally } from '../report.js';
import type { OnRefused } from '../stage.js';
import { type Priced, priced, type StagedSubscription } from './price.js';

const BATCH = 500;

interface StagedRow extends StagedSubscription {
  readonly line: number;
}

/** $1 the line before the first, $2 how many. */
const READ = `SELECT json_build_object('line', s.line, 'currencyIso', s.currency_iso, 'taxExempt', coalesce(c.tax_exempt, false),
  'shippingCountry', s.shipping_country, 'shippingState', s.shipping_state, 'shippingCity', s.shipping_city,
  'shippingPostcode', s.shipping_postcode, 'shipping', s.file_shipping, 'shippingTax', s.file_shipping_tax, 'tax', s.file_tax,
  'total', s.file_total, 'items', (
    SELECT json_agg(json_build_object('productId', p.id, 'quantity', i.quantity, 'net', i.net, 'tax', i.tax,
      'product', json_build_object('availability', p.availability, 'stockLevel', p.stock_level, 'shippingClass', p.shipping_class,
        'taxClass', p.tax_class, 'deletedUtc', p.deleted_utc)) ORDER BY i.place)
    FROM staged_items i JOIN products p ON p.id = i.product_id WHERE i.line = s.line)) AS row
FROM staged s LEFT JOIN customers c ON c.id = s.customer_id WHERE s.line > $1 ORDER BY s.line LIMIT $2`;

const WRITE = `WITH priced AS (
    SELECT * FROM json_to_recordset($1) AS r (line integer, "shippingTotal" bigint, "taxTotal" bigint, total bigint,
      "shippingTotalFixed" boolean, "taxTotalFixed" boolean, prices json)),
  items AS (
    UPDATE staged_items AS i SET price = (p.prices->>(i.place - 1))::numeric FROM priced p WHERE p.line = i.line)
  UPDATE staged SET shipping_total = p."shippingTotal", tax_total = p."taxTotal", total = p.total,
    shipping_fixed = p."shippingTotalFixed", tax_fixed = p."taxTotalFixed"
  FROM priced p WHERE p.line = staged.line`;

/** Prices all subscriptions of `staged`, in batches. @returns how many were refused. */
export async function priceAll(tx: Transaction, siteId: number, remarks: Tally, onRefused: OnRefused): Promise<number> {
  const [site] = await tx.execute<{ hasTaxRates: boolean }>(
    `SELECT EXISTS (SELECT FROM tax_rates WHERE site_id = $1 AND deleted_utc IS NULL) AS "hasTaxRates"`,
    [siteId],
  );
  const loader = new RateLoader(tx);
  let refused = 0;
  for (let after = -1; ;) {
    const rows = await tx.execute<{ row: StagedRow }>(READ, [after, BATCH]);
    if (rows.length === 0) return refused;
    after = rows.at(-1)!.row.line;
    const shipped = rows.map(({ row }) => ({ siteId, to: row, row }));
    const found: object[] = [];
    const faults: number[] = [];
    for await (const { orders, rates } of loader.portions(shipped, await loader.begin([siteId]))) {
      for (const { row } of orders) {
        try {
          const one = priced(row, { rates: rates.get(siteId)!, hasTaxRates: site!.hasTaxRates });
          found.push({ line: row.line, total: row.total, ...one });
          note(row, one, remarks, onRefused);
        } catch (error) {
          if (!(error instanceof RowFault)) throw error;
          faults.push(row.line);
          onRefused(row.line, error.message);
        }
      }
    }
    refused += faults.length;
    await tx.execute(WRITE, [JSON.stringify(found)]);
    await tx.execute('DELETE FROM staged WHERE line = ANY ($1::integer[])', [faults]);
  }
}

/** What is fixed is counted; a tax that the site's rates would make another is named by its line as well. */
function note({ line, currencyIso }: StagedRow, one: Priced, remarks: Tally, say: OnRefused): void {
  if (one.shippingTotalFixed) remarks.add('FixedShipping');
  if (one.taxTotalFixed) remarks.add('FixedTax');
  if (one.taxByRates === null || one.taxByRates === one.taxTotal) return;
  const [fixed, byRates] = [one.taxTotal, one.taxByRates].map((amount) => decimalOf(amount, currencyIso));
  say(line, `imported with the tax of the shop, ${fixed}, fixed: the site's rates give ${byRates}`);
}
