import type { SqlExecutor } from '#libs/platform';
import { pricingAtVersion } from '#libs/records';
import {
  type CompiledRates,
  minorUnitsOf,
  priceOfUnits,
  type QuotableItem,
  type QuotableOrder,
  type Quote,
  quote,
  Rejected,
  type ShippingAddress,
} from '#libs/rules';
import type { PricingOfAttempt } from './priced-with.js';

/** A line of a past charge; null: not known. */
export interface PastLine {
  readonly productId: number | null;
  readonly quantity: number;
  readonly amount: string | null;
}

/** A past charge of which everything is known that its price was made of. */
export interface PastCharge {
  readonly siteId: number;
  readonly currencyIso: string;
  readonly pricing: PricingOfAttempt;
  readonly recorded: {
    readonly to: ShippingAddress;
    readonly customerId: number;
    readonly shippingTotal: string | null;
    readonly taxTotal: string | null;
    readonly lines: readonly PastLine[];
  };
}

/** What a past charge costs, and what that was calculated of. */
export interface PastQuote {
  readonly order: QuotableOrder;
  readonly rates: CompiledRates;
  readonly quote: Quote;
}

/**
 * What a past charge costs by the prices of its version: the quote of what was charged, for the address that it went
 * to. Items that were not available are not part of it. Totals that the shop had fixed are as they were recorded.
 * @returns null where a line or a total is not known.
 */
export async function pastQuote(database: SqlExecutor, charge: PastCharge): Promise<PastQuote | null> {
  const { siteId, pricing, recorded } = charge;
  const lines = recorded.lines.filter(isPriced);
  const { shippingTotal, taxTotal, customerId, to } = recorded;
  if (lines.length < recorded.lines.length || shippingTotal === null || taxTotal === null) return null;
  const productIds = lines.map(({ productId }) => productId);
  const past = await pricingAtVersion(database, { ...to, siteId, customerId, productIds }, pricing.ratesVersion);
  try {
    const order = quotableOrder(charge, past, { lines, shippingTotal, taxTotal });
    return { order, rates: past.rates, quote: quote(order, past.rates) };
  } catch (error) {
    // A request may have changed an Order to amounts or quantities that no order can have.
    if (error instanceof Rejected || error instanceof RangeError) return null;
    throw error;
  }
}

interface Known {
  readonly lines: readonly PricedLine[];
  readonly shippingTotal: string;
  readonly taxTotal: string;
}

function quotableOrder(
  { currencyIso, pricing, recorded: { to } }: PastCharge,
  past: Awaited<ReturnType<typeof pricingAtVersion>>,
  { lines, shippingTotal, taxTotal }: Known,
): QuotableOrder {
  const items = lines.map(({ productId, quantity, amount }, index): QuotableItem => {
    const price = pricing.unitPrices[index] ?? priceOfUnits(amount, quantity);
    const classes = past.classes.get(productId) ?? { shippingClass: null, taxClass: null };
    const product = { ...classes, availability: null, stockLevel: null, deletedUtc: null };
    return { id: null, productId, price, salePrice: null, quantity, product };
  });
  return {
    ...to,
    currencyIso,
    items,
    cycles: pricing.cycles,
    shippingTotal: minorUnitsOf(shippingTotal, currencyIso),
    taxTotal: minorUnitsOf(taxTotal, currencyIso),
    shippingTotalFixed: pricing.fixed.includes('ShippingTotal'),
    taxTotalFixed: pricing.fixed.includes('TaxTotal'),
    taxExempt: past.taxExempt,
  };
}

type PricedLine = PastLine & { readonly productId: number; readonly amount: string };

const isPriced = (line: PastLine): line is PricedLine => line.productId !== null && line.amount !== null;
