import { Statement, type Transaction } from '#libs/database';
import type { ScheduledOrder } from '#libs/entities';
import { assertShippingCountry, type Caller, type Database, notACountry } from '#libs/records';
import { comparable, countryProblem, type CountryProblem, isCountry } from '#libs/rules';

/** By `ix_tax_rates_site`. What is stored may spell a country in the shop's own way, on its customers and its rates alike: that text is taxed, too. */
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
 * An order ships to a country, or to what its customer has (decisions.md §1, Countries). And a customer cannot shed tax (decisions.md §3): where
 * a site has tax rates, a Customer token creates no order that ships to what is no country.
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

/** What a quote names of a stored shipping country that is none, unless a tax rate of the site has the same text. */
export async function storedCountryProblem(
  database: Database,
  { siteId, shippingCountry }: ScheduledOrder,
): Promise<CountryProblem[]> {
  const problem = countryProblem(shippingCountry);
  if (problem === null) return [];
  const [taxes] = await database.read<Taxes>(TAXES, [siteId, comparable(shippingCountry)]);
  return taxes!.isTaxed ? [] : [problem];
}
