import { Statement, type Transaction } from '#libs/database';
import type { ScheduledOrder } from '#libs/entities';
import { assertShippingCountry, type Caller, type Database, notACountry } from '#libs/records';
import { comparable, type CountryProblem, countryProblem, isCountry } from '#libs/rules';

/** By `ix_tax_rates_site`. Stored customers and rates may have the shop's own spelling of a country: that text is taxed too. */
const TAXES = Statement.of(
  `SELECT EXISTS (SELECT FROM tax_rates t WHERE t.site_id = $1 AND t.deleted_utc IS NULL) AS "hasTaxRates",
     $2 <> '' AND EXISTS (SELECT FROM tax_rates t
       WHERE t.site_id = $1 AND t.deleted_utc IS NULL AND lower(btrim(t.country)) = $2) AS "isTaxed"`,
);

interface Taxes {
  readonly hasTaxRates: boolean;
  readonly isTaxed: boolean;
}

/**
 * An order ships to a country, or to its customer's stored text (decisions.md §1, Countries). A customer cannot avoid tax (decisions.md §3): if a
 * site has tax rates, a Customer token cannot create an order whose shipping country is not a country.
 * @param standing the customer's own shipping country, which an order without an address takes.
 */
export async function assertCountryOfNewOrder(
  tx: Transaction,
  caller: Caller,
  siteId: number,
  country: string | null,
  standing: string | null,
): Promise<void> {
  assertShippingCountry(caller, country, standing);
  if (caller.scope === 'Merchant' || isCountry(country)) return;
  const [taxes] = await tx.execute<Taxes>(TAXES, [siteId, comparable(country)]);
  if (taxes!.hasTaxRates && !taxes!.isTaxed) throw notACountry(country);
}

/** The problem in a quote for a stored shipping country that is not a country, unless a tax rate of the site has the same text. */
export async function storedCountryProblem(
  database: Database,
  { siteId, shippingCountry }: ScheduledOrder,
): Promise<CountryProblem[]> {
  const problem = countryProblem(shippingCountry);
  if (problem === null) return [];
  const [taxes] = await database.read<Taxes>(TAXES, [siteId, comparable(shippingCountry)]);
  return taxes!.isTaxed ? [] : [problem];
}
