import type { ScheduledOrder } from '#libs/entities';
import { Statement, type Transaction } from '#libs/platform';
import {
  assertShippingCountry,
  type Caller,
  type Database,
  notACountry,
  NOTHING_PROPOSED,
  type ProposedRates,
} from '#libs/records';
import { comparable, type CountryProblem, countryProblem, isCountry } from '#libs/rules';

/**
 * By `ix_tax_rates_site`. Stored customers and rates may have the shop's own spelling of a country: that text is taxed
 * too.
 */
const TAXES = Statement.named(
  `SELECT EXISTS (SELECT FROM tax_rates t WHERE t.site_id = $1 AND t.deleted_utc IS NULL) AS "hasTaxRates",
     $2 <> '' AND EXISTS (SELECT FROM tax_rates t
       WHERE t.site_id = $1 AND t.deleted_utc IS NULL AND lower(btrim(t.country)) = $2) AS "isTaxed"`,
);

interface Taxes {
  readonly hasTaxRates: boolean;
  readonly isTaxed: boolean;
}

/**
 * An order ships to a country, or to its customer's stored text (decisions.md §1, Countries). A customer cannot avoid
 * tax (decisions.md §3): if a site has tax rates, a Customer token cannot create an order whose shipping country is not
 * a country.
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

/**
 * By `ix_tax_rates_site`. $2 texts as they are compared, $3 ids of rates that do not count, $4 countries of others that
 * do.
 */
const TAXED = Statement.named(
  `SELECT c.text FROM unnest($2::text[]) AS c (text) WHERE EXISTS (SELECT FROM tax_rates t
     WHERE t.site_id = $1 AND t.deleted_utc IS NULL AND lower(btrim(t.country)) = c.text AND t.id <> ALL ($3::bigint[]))
   OR EXISTS (SELECT FROM unnest($4::text[]) AS proposed (country) WHERE lower(btrim(proposed.country)) = c.text)`,
);

/**
 * The problems in quotes for stored shipping countries that are not countries, by their text, unless a tax rate of the
 * site, or a proposed one, has the same text.
 */
export async function storedCountryProblems(
  database: Pick<Database, 'read'>,
  siteId: number,
  countries: readonly (string | null)[],
  { taxRates }: ProposedRates = NOTHING_PROPOSED,
): Promise<ReadonlyMap<string | null, CountryProblem>> {
  const problems = new Map<string | null, CountryProblem>();
  for (const country of new Set(countries)) {
    const problem = countryProblem(country);
    if (problem !== null) problems.set(country, problem);
  }
  if (problems.size === 0) return problems;
  const texts = [...new Set([...problems.keys()].map(comparable))];
  const [ids, proposed] = [taxRates.map(({ id }) => id), taxRates.map(({ country }) => country)];
  const rows = await database.read<{ text: string }>(TAXED, [siteId, texts, ids, proposed]);
  const taxed = new Set(rows.map(({ text }) => text));
  for (const country of problems.keys()) if (taxed.has(comparable(country))) problems.delete(country);
  return problems;
}

/** The problem of one order. */
export async function storedCountryProblem(
  database: Database,
  { siteId, shippingCountry }: Pick<ScheduledOrder, 'siteId' | 'shippingCountry'>,
  proposed?: ProposedRates,
): Promise<CountryProblem[]> {
  return [...(await storedCountryProblems(database, siteId, [shippingCountry], proposed)).values()];
}
