import type { EntityManager } from 'typeorm';
import { Statement } from '#libs/database';
import { execute } from '#libs/records';
import {
  comparable,
  type CompiledRates,
  compileRates,
  type ShippingAddress,
  type ShippingRateRow,
  type TaxRateRow,
} from '#libs/rules';

/**
 * Texts are compared trimmed and in lower case (decisions.md §8), and for texts beyond ASCII only libs/rules (`comparable`) knows how: those
 * are always read. Of the rest, PostgreSQL leaves out what surely does not match, so that a site may have a rate per postcode.
 */
const mayMatch = (column: string, parameter: string) =>
  `(r.${column} IS NULL OR r.${column} !~ '^[!-~]([ -~]*[!-~])?$' OR r.${column} LIKE '%*' OR lower(r.${column}) = ${parameter})`;

/** `ix_shipping_rates_site`, `ix_tax_rates_site`. $1 site, $2 state, $3 city, $4 postcode. */
const RATES = Statement.of(
  `SELECT
  (SELECT coalesce(json_agg(json_build_object('id', r.id, 'country', r.country, 'state', r.state, 'city', r.city,
      'postcode', r.postcode, 'shippingClass', r.shipping_class, 'name', r.name, 'basePrice', r.base_price::text,
      'pricePerUnit', r.price_per_unit::text, 'minUnits', r.min_units, 'minCycles', r.min_cycles,
      'minSubtotal', r.min_subtotal::text)), '[]'::json)
   FROM shipping_rates r WHERE r.site_id = $1 AND r.deleted_utc IS NULL) AS shipping,
  (SELECT coalesce(json_agg(json_build_object('id', r.id, 'country', r.country, 'state', r.state, 'city', r.city,
      'postcode', r.postcode, 'taxClass', r.tax_class, 'name', r.name, 'rate', r.rate::text, 'isCompound', r.is_compound)),
      '[]'::json)
   FROM tax_rates r WHERE r.site_id = $1 AND r.deleted_utc IS NULL
     AND ${mayMatch('state', '$2')} AND ${mayMatch('city', '$3')} AND ${mayMatch('postcode', '$4')}) AS tax`,
);

/** The rates of a site as they are now: every shipping rate, and the tax rates that an address can meet. */
export async function ratesFor(tx: EntityManager, siteId: number, to: ShippingAddress): Promise<CompiledRates> {
  const [row] = await execute<{ shipping: ShippingRateRow[]; tax: TaxRateRow[] }>(tx, RATES, [
    siteId,
    comparable(to.shippingState),
    comparable(to.shippingCity),
    comparable(to.shippingPostcode),
  ]);
  return compileRates(row!.shipping, row!.tax);
}
