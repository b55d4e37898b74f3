import { frozenJson, NOT_PRICED, type PricedWith } from '#libs/ledger';
import { type CompiledRates, decimalOf, NO_RATES, type Quote, quote } from '#libs/rules';
import type { LoadedOrder } from '../cycle/loaded-order.js';
import type { LoadedBatch } from './loader.js';
import { pricedWithOf } from './priced-with.js';

/** The Order that the attempt would write, as JSON (`libs/ledger/src/frozen-json.ts`). */
export function frozenOrder(order: LoadedOrder, priced: Quote, leftOut: readonly string[]): string {
  const decimal = (minorUnits: number) => decimalOf(minorUnits, priced.currencyIso);
  const items = order.items.flatMap(({ productId, product, quantity }, index) => {
    const { available, amount, taxTotal } = priced.lines[index]!;
    if (!available) return [];
    const tax = taxTotal === null ? null : decimal(taxTotal);
    return [{ productId, name: product.title, quantity, amount: decimal(amount), taxTotal: tax }];
  });
  const amounts = {
    subtotal: decimal(priced.subtotal),
    shippingTotal: decimal(priced.shippingTotal),
    taxTotal: decimal(priced.taxTotal),
    total: decimal(priced.total),
  };
  return frozenJson({ amounts, items, leftOut, shipping: order.shipping, billing: order.billing });
}

/** The Order of a charge that was found, and what it was priced with. */
export interface FoundOrder {
  readonly frozen: string;
  readonly pricedWith: PricedWith;
}

/**
 * The same for a charge that was found in the gateway's list: the order as it would be priced now, if that is the
 * amount that was charged. Otherwise only the total is known. `batch`: null where its rates were not read.
 */
export function frozenOfCharge(
  order: LoadedOrder,
  batch: LoadedBatch | null,
  { siteId, amount, currencyIso }: { siteId: number; amount: number; currencyIso: string },
): FoundOrder {
  const rates = batch?.rates.get(siteId) ?? NO_RATES;
  const priced = order.currencyIso === currencyIso ? pricedOrNull(order, rates) : null;
  if (priced?.total === amount && priced.problems.length === 0)
    return {
      frozen: frozenOrder(order, priced, []),
      pricedWith: batch === null ? NOT_PRICED : pricedWithOf(order, siteId, batch, priced),
    };
  const items = order.items.map(({ productId, product, quantity }) => {
    return { productId, name: product.title, quantity, amount: null, taxTotal: null };
  });
  const amounts = { subtotal: null, shippingTotal: null, taxTotal: null, total: decimalOf(amount, currencyIso) };
  const frozen = frozenJson({ amounts, items, leftOut: [], shipping: order.shipping, billing: order.billing });
  return { frozen, pricedWith: NOT_PRICED };
}

/** An order may have changed so that it cannot be priced at all. */
function pricedOrNull(order: LoadedOrder, rates: CompiledRates): Quote | null {
  try {
    return quote(order, rates);
  } catch {
    return null;
  }
}
