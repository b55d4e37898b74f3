import type { Currency } from '../money/currencies.js';
import { largestRemainder } from '../money/largest-remainder.js';
import { compare, ratio } from '../money/ratio.js';
import type { GoodsLine } from '../quote/goods.js';
import { type AppliedTaxes, appliedTaxes, NO_TAXES, type OfRate, type Purchase } from '../taxes/applied-taxes.js';
import type { PriceSettings } from '../taxes/price-settings.js';
import { comparable } from '../text.js';

/** A part of a shipping amount that has taxes of its own. */
export interface Portion {
  readonly amount: bigint;
  readonly applied: AppliedTaxes;
}

/** Parts a shipping amount (minor units) by the taxes that its parts have. */
export type Parting = (amount: bigint) => readonly Portion[];

/** What is not taxable, as an import names it (docs/moving-in.md): it does not say how shipping is taxed. */
const NOT_TAXED = 'not-taxed';

const UNTAXED: AppliedTaxes = { inPrice: false, takenOut: null, taxes: NO_TAXES };
export const untaxed: Parting = (amount) => [{ amount, applied: UNTAXED }];

const FOR_SHIPPING: OfRate = ({ appliesToShipping }) => appliesToShipping;

/** Which taxes are on the shipping of these goods. Source: decisions.md §8, Taxed shipping. */
export function shippingTaxes(
  currency: Currency,
  purchase: Purchase,
  goods: readonly GoodsLine[],
  prices: PriceSettings['prices'],
): Parting {
  const { shippingTax } = purchase.rates.settings;
  if (shippingTax === 'None') return untaxed;
  const netOf = netByClass(goods);
  const classes = [...netOf.keys()];
  if (classes.length === 0) return untaxed;
  const taxesOf = appliedTaxes(purchase, prices, shippingTax === 'ByRate' ? FOR_SHIPPING : undefined);
  const all = (taxClass: string) => (amount: bigint) => [{ amount, applied: taxesOf(taxClass) }];
  switch (shippingTax) {
    case 'ByRate': {
      const own = netOf.has('') ? '' : classes[0]!;
      return all(taxesOf(own).taxes.rates.length > 0 ? own : '');
    }
    case 'HighestRate': {
      const factorOf = (taxClass: string) => taxesOf(taxClass).taxes.factor;
      return all(classes.reduce((best, one) => (compare(factorOf(one), factorOf(best)) > 0 ? one : best)));
    }
    case 'Proportional': {
      const weights = [...netOf.values()].map((net) => ratio(BigInt(net)));
      return (amount) =>
        largestRemainder(amount, weights, currency.step).map((share, index) => ({
          amount: share,
          applied: taxesOf(classes[index]!),
        }));
    }
  }
}

/** The net value of the goods that can be taxed, by tax class, in the order in which the classes first occur. */
function netByClass(goods: readonly GoodsLine[]): Map<string, number> {
  const netOf = new Map<string, number>();
  for (const { item, charged } of goods) {
    const taxClass = comparable(item.product.taxClass);
    if (taxClass !== NOT_TAXED) netOf.set(taxClass, (netOf.get(taxClass) ?? 0) + charged.net);
  }
  return netOf;
}
