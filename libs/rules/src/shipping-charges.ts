import { type Charged, charged } from './charges.js';
import type { Currency } from './currencies.js';
import type { PriceSettings } from './price-settings.js';
import { type Ratio, ratio } from './ratio.js';
import type { Parting } from './shipping-taxes.js';
import type { LineTax } from './taxes.js';

/** What shipping amounts (minor units) come to, with their taxes. `rest` is what rounding took from the goods. */
export function chargedShipping(
  currency: Currency,
  amounts: readonly bigint[],
  part: Parting,
  roundTax: PriceSettings['roundTax'],
  rest: Ratio,
): Charged[] {
  const portions = amounts.flatMap((whole, index) =>
    part(whole).map(({ amount, applied }) => ({ amount, applied, index })),
  );
  const charges = portions.map(({ amount, applied }) => ({ listed: ratio(amount), isRounded: true, applied }));
  const { each } = charged(currency, charges, roundTax, rest);
  return amounts.map((_, index) => joined(each.filter((_, place) => portions[place]!.index === index)));
}

const joined = (parts: readonly Charged[]): Charged => ({
  net: parts.reduce((sum, { net }) => sum + net, 0),
  gross: parts.reduce((sum, { gross }) => sum + gross, 0),
  taxes: addedUp(parts),
});

/** The taxes on several amounts, one of each rate. */
export function addedUp(parts: readonly Pick<Charged, 'taxes'>[]): LineTax[] {
  const byRate = new Map<number, LineTax>();
  for (const tax of parts.flatMap(({ taxes }) => taxes)) {
    const known = byRate.get(tax.taxRateId);
    byRate.set(tax.taxRateId, known === undefined ? tax : { ...known, amount: known.amount + tax.amount });
  }
  return [...byRate.values()];
}
