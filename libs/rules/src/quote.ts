import { unavailableBecause } from './availability.js';
import { type Currency, currencyOf, roundPrice } from './currencies.js';
import { PRICE_PLACES, scaled } from './decimal.js';
import { type Failure, failure } from './failure-codes.js';
import { nameOfClass } from './passed-over.js';
import { type Destination, destinationOf } from './places.js';
import type { FixedTotal, QuotableItem, QuotableOrder, Quote, QuoteLine } from './quote-shapes.js';
import type { CompiledRates, CompiledTaxRate } from './rates.js';
import { Rejected } from './rejected.js';
import type { ShippingGroup } from './shipment.js';
import { ClassShipping } from './shipping.js';
import { taxesAt, taxLine } from './taxes.js';
import { comparable } from './text.js';

/**
 * What an order costs now, and why. Create, update, processing, Upcoming and Quote all use this function. All amounts are whole minor units of the
 * order's currency, so subtotal + shippingTotal + taxTotal is always total. A total that the shop fixed is used unchanged and nothing is calculated
 * for it: no shipping rate is needed, and no line has taxes. @throws Rejected for an unknown currency or a total beyond 2^53 − 1. RangeError for a
 * stored amount that is not a decimal. Source: decisions.md §8; §9 for the problems; §12, Quote.
 */
export function quote(order: QuotableOrder, rates: CompiledRates): Quote {
  const currency = currencyOf(order.currencyIso);
  const to = destinationOf(order);
  const taxesOf = order.taxTotalFixed ? null : memoized((taxClass) => taxesAt(rates.tax.get(taxClass), to));
  const lines = order.items.map((item) => quoteLine(currency, item, taxesOf));
  const available = order.items.filter((_, index) => lines[index]!.available);
  const subtotal = sum(lines.map(({ amount }) => amount));
  const shipping = order.shippingTotalFixed ? [] : shipItems(order, currency, to, available, subtotal, rates);
  const shippingTotal = order.shippingTotalFixed ? order.shippingTotal : sum(shipping.map(({ amount }) => amount));
  const taxTotal = order.taxTotalFixed ? order.taxTotal : sum(lines.map((line) => line.taxTotal ?? 0));
  return {
    currencyIso: currency.iso,
    lines,
    shipping,
    fixed: fixedTotals(order),
    subtotal,
    shippingTotal,
    taxTotal,
    total: safeTotal(subtotal + shippingTotal + taxTotal),
    problems: problemsOf(order, available.length, shipping, rates),
  };
}

type TaxesOfClass = (taxClass: string) => readonly CompiledTaxRate[];

function quoteLine(currency: Currency, item: QuotableItem, taxesOf: TaxesOfClass | null): QuoteLine {
  const { id, productId, quantity, product } = item;
  const unitPrice = item.salePrice ?? item.price;
  const reason = product.deletedUtc === null ? unavailableBecause(product) : 'The product was deleted.';
  const available = reason === null;
  const amount = available ? Number(roundPrice(currency, scaled(unitPrice, PRICE_PLACES) * BigInt(quantity))) : 0;
  const taxes = available && taxesOf !== null ? taxLine(currency, amount, taxesOf(comparable(product.taxClass))) : [];
  const taxTotal = taxesOf === null ? null : sum(taxes.map((tax) => tax.amount));
  return { itemId: id, productId, unitPrice, quantity, amount, available, unavailableBecause: reason, taxes, taxTotal };
}

function shipItems(
  order: QuotableOrder,
  currency: Currency,
  to: Destination,
  items: readonly QuotableItem[],
  subtotal: number,
  rates: CompiledRates,
): ClassShipping[] {
  const groups = new Map<string, ShippingGroup>();
  for (const { quantity, product } of items) {
    const shippingClass = comparable(product.shippingClass);
    const group = groups.get(shippingClass);
    if (group !== undefined) group.units += quantity;
    else groups.set(shippingClass, { class: shippingClass, shippingClass: product.shippingClass, units: quantity });
  }
  const units = sum(items.map(({ quantity }) => quantity));
  const shipment = { currency, to, cycles: order.cycles, units, subtotal };
  return [...groups.values()].map((group) => new ClassShipping(shipment, group, rates));
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

function memoized<V>(valueOf: (key: string) => V): (key: string) => V {
  const values = new Map<string, V>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = valueOf(key);
    values.set(key, value);
    return value;
  };
}
