import { frozenJson } from '#libs/cycles';
import { type CompiledRates, decimalOf, type Quote, quote } from '#libs/rules';
import type { LoadedOrder } from './loaded-order.js';

/** The Order that the attempt would write, as JSON (`libs/cycles/src/frozen-json.ts`). */
export function frozenOrder(order: LoadedOrder, priced: Quote, leftOut: readonly string[]): string {
  const decimal = (minorUnits: number) => decimalOf(minorUnits, priced.currencyIso);
  const items = order.items.flatMap(({ productId, title, quantity }, index) => {
    const { available, amount, taxTotal } = priced.lines[index]!;
    if (!available) return [];
    const tax = taxTotal === null ? null : decimal(taxTotal);
    return [{ productId, name: title, quantity, amount: decimal(amount), taxTotal: tax }];
  });
  const amounts = {
    subtotal: decimal(priced.subtotal),
    shippingTotal: decimal(priced.shippingTotal),
    taxTotal: decimal(priced.taxTotal),
    total: decimal(priced.total),
  };
  return frozenJson({ amounts, items, leftOut, shipping: order.shipping, billing: order.billing });
}

/**
 * The same for a charge that was found in the gateway's list: the order as it would be priced now, if that is the amount that was charged. Otherwise
 * only the total is known.
 */
export function frozenOfCharge(order: LoadedOrder, rates: CompiledRates, amount: number, currencyIso: string): string {
  const priced = order.currencyIso === currencyIso ? pricedOrNull(order, rates) : null;
  if (priced?.total === amount && priced.problems.length === 0) return frozenOrder(order, priced, []);
  const items = order.items.map(({ productId, title, quantity }) => {
    return { productId, name: title, quantity, amount: null, taxTotal: null };
  });
  const amounts = { subtotal: null, shippingTotal: null, taxTotal: null, total: decimalOf(amount, currencyIso) };
  return frozenJson({ amounts, items, leftOut: [], shipping: order.shipping, billing: order.billing });
}

/** An order may have changed so that it cannot be priced at all. */
function pricedOrNull(order: LoadedOrder, rates: CompiledRates): Quote | null {
  try {
    return quote(order, rates);
  } catch {
    return null;
  }
}
