import { type CompiledRates, decimalOf, quote, type Quote } from '#libs/rules';
import type { LoadedOrder } from './loaded-order.js';

/**
 * Written by hand around the addresses, which are JSON already; the billing address only where it is another. Lists without names, in the
 * order in which `RECORD_COMPLETED` reads them: this is written once for every order, and names took more room than what they name (a third
 * of the ledger's log). Amounts are text, so that no digit is lost.
 */
export function frozenOrder(order: LoadedOrder, priced: Quote, leftOut: readonly string[]): string {
  const decimal = (minorUnits: number) => decimalOf(minorUnits, priced.currencyIso);
  const items = order.items.flatMap(({ productId, title, quantity }, index) => {
    const { available, amount, taxTotal } = priced.lines[index]!;
    if (!available) return [];
    return [[productId, title, quantity, decimal(amount), taxTotal === null ? null : decimal(taxTotal)]];
  });
  const { subtotal, shippingTotal, taxTotal, total } = priced;
  const amounts = [subtotal, shippingTotal, taxTotal, total].map(decimal);
  const rest = JSON.stringify({ amounts, items, ...(leftOut.length > 0 && { left_out: leftOut }) });
  const { shipping, billing } = order;
  return `${rest.slice(0, -1)},"shipping":${shipping}${billing === shipping ? '' : `,"billing":${billing}`}}`;
}

/**
 * The same for a charge that was found in the gateway's books: as the order would be priced now, where that is what was charged; else only the
 * total is known.
 */
export function frozenOfCharge(order: LoadedOrder, rates: CompiledRates, amount: number, currencyIso: string): string {
  const priced = order.currencyIso === currencyIso ? pricedOrNull(order, rates) : null;
  if (priced?.total === amount && priced.problems.length === 0) return frozenOrder(order, priced, []);
  const items = order.items.map(({ productId, title, quantity }) => [productId, title, quantity, null, null]);
  const { shipping, billing } = order;
  const rest = JSON.stringify({ amounts: [null, null, null, decimalOf(amount, currencyIso)], items });
  return `${rest.slice(0, -1)},"shipping":${shipping},"billing":${billing}}`;
}

/** An order may have changed so that it cannot be priced at all. */
function pricedOrNull(order: LoadedOrder, rates: CompiledRates): Quote | null {
  try {
    return quote(order, rates);
  } catch {
    return null;
  }
}
