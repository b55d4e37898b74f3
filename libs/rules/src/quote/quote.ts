import { currencyOf } from '../money/currencies.js';
import { destinationOf } from '../places/places.js';
import type { CompiledRates } from '../rates.js';
import { Rejected } from '../rejected.js';
import { nameOfClass } from '../shipping/passed-over-rate.js';
import { shipped } from '../shipping/shipped.js';
import type { ClassShipping } from '../shipping/shipping.js';
import { addedUp } from '../shipping/shipping-charges.js';
import { appliedTaxes } from '../taxes/applied-taxes.js';
import { sumOfTaxes } from '../taxes/charges.js';
import { isMoreThanNet } from '../taxes/price-settings.js';
import { type Failure, failure } from './failures.js';
import { goodsLines, quoteLine } from './goods.js';
import type { FixedTotal, QuotableOrder, Quote } from './quote-shapes.js';

/**
 * What an order costs now, and why: the one function for create, update, processing, Upcoming and Quote.
 *
 * All amounts are whole minor units of the order's currency: subtotal + shippingTotal + taxTotal = total. A total that
 * the shop fixed is used as it is, and nothing is calculated for it: a fixed shippingTotal needs no shipping rate, and
 * with a fixed taxTotal no line has taxes.
 *
 * @throws Rejected for an unknown currency, or a total beyond 2^53 − 1.
 * @throws RangeError for a stored amount that is not a decimal.
 * Source: decisions.md §8; for the problems §9; for Quote §12.
 */
export function quote(order: QuotableOrder, rates: CompiledRates): Quote {
  const currency = currencyOf(order.currencyIso);
  const { settings } = rates;
  const purchase = { to: destinationOf(order), isExempt: order.taxExempt === true, rates };
  const areStepsShown = purchase.isExempt || isMoreThanNet(settings);
  const fixedTax = order.taxTotalFixed ? order.taxTotal : null;
  const taxesOf = appliedTaxes(purchase, settings.prices);
  const { lines: goods, rest } = goodsLines(currency, order, taxesOf, settings, fixedTax);
  const subtotal = sum(goods.map(({ charged }) => charged.net));
  const grossSubtotal = fixedTax === null ? sum(goods.map(({ charged }) => charged.gross)) : subtotal + fixedTax;
  const available = goods.filter((line) => line.unavailableBecause === null);
  const shipping = shipped({
    order,
    currency,
    purchase,
    goods: available,
    rest,
    subtotal: settings.minSubtotalGross ? grossSubtotal : subtotal,
    areStepsShown,
  });
  const shippingTaxes = addedUp(shipping.charged);
  const shippingTotal = sum(shipping.charged.map(({ net }) => net));
  const nothingShips = available.length === 0 && order.items.some(({ skipNext }) => skipNext === true);
  const taxTotal = fixedTax ?? sumOfTaxes(goods.flatMap(({ charged }) => charged.taxes)) + sumOfTaxes(shippingTaxes);
  return {
    currencyIso: currency.iso,
    lines: goods.map((line) => quoteLine(line, fixedTax !== null, areStepsShown)),
    shipping: shipping.classes,
    fixed: fixedTotals(order),
    subtotal,
    shippingTotal,
    taxTotal,
    total: safeTotal(subtotal + shippingTotal + taxTotal),
    problems: nothingShips ? [] : problemsOf(order, available.length, shipping.classes, rates),
    ...(nothingShips && { nothingShips }),
    ...(areStepsShown && { steps: { settings, taxExempt: purchase.isExempt, grossSubtotal, shippingTaxes } }),
  };
}
function problemsOf(
  order: QuotableOrder,
  available: number,
  shipping: readonly ClassShipping[],
  rates: CompiledRates,
): Failure[] {
  if (order.items.length === 0) return [failure('EmptyScheduledOrder', 'The order has no items.')];
  if (available === 0) return [failure('NoItemsToShip', 'Every product of the order is deleted or unavailable.')];
  const unshipped = shipping.filter(({ shippingRateId }) => shippingRateId === null);
  if (unshipped.length === 0 || !rates.hasShippingRates) return [];
  const classes = unshipped.map(({ shippingClass }) => nameOfClass(shippingClass)).join(' and ');
  return [failure('ShippingRateNotFound', `No shipping rate matches ${classes}.`)];
}

function fixedTotals({ shippingTotalFixed, taxTotalFixed }: QuotableOrder): FixedTotal[] {
  const fixed: FixedTotal[] = [];
  if (shippingTotalFixed) fixed.push('ShippingTotal');
  if (taxTotalFixed) fixed.push('TaxTotal');
  return fixed;
}

/** No part is negative, so the check of the total is enough: no part or sum is larger. */
function safeTotal(minorUnits: number): number {
  if (minorUnits <= Number.MAX_SAFE_INTEGER) return minorUnits;
  const message = `The total is above the largest amount, ${Number.MAX_SAFE_INTEGER} minor units.`;
  throw new Rejected([{ field: 'Total', message }]);
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
