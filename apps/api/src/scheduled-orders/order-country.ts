import type { EntityManager } from 'typeorm';
import { Statement } from '#libs/database';
import { assertShippingCountry, type Caller, execute, notACountry } from '#libs/records';
import { comparable, isCountry } from '#libs/rules';

/** By `ix_tax_rates_site`. A shop may spell a country in its own way, on its customers and its rates alike: that text is taxed, too. */
const TAXES = Statement.of(
  `SELECT EXISTS (SELECT FROM tax_rates t WHERE t.site_id = $1 AND t.deleted_utc IS NULL) AS "hasTaxRates",
     $2 <> '' AND EXISTS (SELECT FROM tax_rates t
       WHERE t.site_id = $1 AND t.deleted_utc IS NULL AND lower(btrim(t.country)) = $2) AS "isTaxed"`,
);

/**
 * A customer cannot shed tax (decisions.md §3): where a site has tax rates, a Customer token creates no order that ships to what is no country.
 * @param standing the customer's own shipping country, which an order without an address takes.
 */
export async function assertCountryOfNewOrder(
  tx: EntityManager,
  caller: Caller,
  siteId: number,
  country: string | null,
  standing: string | null,
): Promise<void> {
  assertShippingCountry(caller, country, standing);
  if (caller.scope === 'Merchant' || isCountry(country)) return;
  const [taxes] = await execute<{ hasTaxRates: boolean; isTaxed: boolean }>(tx, TAXES, [siteId, comparable(country)]);
  if (taxes!.hasTaxRates && !taxes!.isTaxed) throw notACountry(country);
}
