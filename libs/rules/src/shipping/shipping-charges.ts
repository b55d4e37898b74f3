import type { Currency } from '../money/currencies.js';
import { type Ratio, ratio } from '../money/ratio.js';
import { type Charged, charged } from '../taxes/charges.js';
import type { PriceSettings } from '../taxes/price-settings.js';
import type { LineTax } from '../taxes/taxes.js';
import type { Parting } from './shipping-taxes.js';

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
