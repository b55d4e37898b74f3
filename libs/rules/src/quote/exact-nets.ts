import { currencyOf } from '../money/currencies.js';
import { divideRounded, unscaled } from '../money/decimal.js';
import { over, ratio } from '../money/ratio.js';
import { destinationOf } from '../places/places.js';
import type { CompiledRates } from '../rates.js';
import { appliedTaxes } from '../taxes/applied-taxes.js';
import { comparable } from '../text.js';
import type { QuotableOrder, Quote } from './quote-shapes.js';

const NET_PLACES = 6;

/**
 * What each line of a quote costs without its tax, before that is rounded, for systems that compute the tax again: of
 * the rounded amount they would get another one. 9.99 with 19 % in it is `8.394958` without. Null where prices have no
 * tax in them, and where the shop fixed the tax.
 */
export function exactNets(
  order: QuotableOrder,
  rates: CompiledRates,
  { lines, currencyIso }: Quote,
): (string | null)[] {
  const purchase = { to: destinationOf(order), isExempt: order.taxExempt === true, rates };
  const taxesOf = appliedTaxes(purchase, rates.settings.prices);
  const perMinorUnit = 10n ** BigInt(NET_PLACES - currencyOf(currencyIso).exponent);
  return lines.map(({ steps, taxTotal }, index) => {
    const { inPrice, taxes } = taxesOf(comparable(order.items[index]!.product.taxClass));
    if (!inPrice || steps === undefined || taxTotal === null) return null;
    const net = over(ratio(BigInt(steps.gross)), taxes.factor);
    return unscaled(divideRounded(net.numerator * perMinorUnit, net.denominator), NET_PLACES);
  });
}
