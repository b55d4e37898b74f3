import type { Decimal } from '../money/decimal.js';
import type { ShippingAddress } from '../places/places.js';
import type { ClassShipping } from '../shipping/shipping.js';
import type { PriceSettings } from '../taxes/price-settings.js';
import type { LineTax, PriceSteps } from '../taxes/taxes.js';
import type { StockedProduct, StockRule } from './availability.js';
import type { Failure } from './failures.js';

/** The fields of a product that pricing needs, with the names of its entity. */
export interface QuotableProduct extends StockedProduct {
  readonly shippingClass: string | null;
  readonly taxClass: string | null;
}

/** The fields of a scheduled order's item that pricing needs. */
export interface QuotableItem {
  /** Null before the item is stored. */
  readonly id: number | null;
  readonly productId: number;
  readonly price: Decimal;
  /** Replaces `price` when it is set, even to 0. */
  readonly salePrice: Decimal | null;
  readonly quantity: number;
  /** It is left out of the next cycle. */
  readonly skipNext?: boolean;
  readonly product: QuotableProduct;
}

/**
 * The fields of a scheduled order that pricing needs, with the names of its entity; `items` without the deleted ones.
 */
export interface QuotableOrder extends ShippingAddress {
  readonly currencyIso: string;
  /** How often the order has been processed. */
  readonly cycles: number;
  /** Minor units; used only if fixed. */
  readonly shippingTotal: number;
  readonly taxTotal: number;
  /** The shop set the total itself (decisions.md §8). */
  readonly shippingTotalFixed: boolean;
  readonly taxTotalFixed: boolean;
  /** The customer pays no tax. */
  readonly taxExempt?: boolean;
  /** Of its site; left out where that has said nothing. */
  readonly stock?: StockRule;
  readonly items: readonly QuotableItem[];
}

/** What a quote says besides where a site's prices are not simply net, or its customer pays no tax. */
export interface QuoteSteps {
  readonly settings: PriceSettings;
  readonly taxExempt: boolean;
  /** Minor units: the lines with their taxes. */
  readonly grossSubtotal: number;
  /** On all shipping together; part of the tax total. */
  readonly shippingTaxes: readonly LineTax[];
}

export interface QuoteLine {
  readonly itemId: number | null;
  readonly productId: number;
  /** The sale price if set, else the price; the stored decimal. */
  readonly unitPrice: Decimal;
  readonly quantity: number;
  /** The line's part of the subtotal, in minor units, without tax: 0 when it is not available. */
  readonly amount: number;
  readonly available: boolean;
  /** A sentence; null when available. */
  readonly unavailableBecause: string | null;
  /** In the order of calculation. Empty when the shop fixed the tax total. */
  readonly taxes: readonly LineTax[];
  /**
   * Sum of `taxes` in minor units; null when the shop fixed the tax total, because then a line's share is not known.
   */
  readonly taxTotal: number | null;
  /** Only where `Quote` has steps. */
  readonly steps?: PriceSteps;
}

/** Totals that the shop set itself, by their contract's names. */
export type FixedTotal = 'ShippingTotal' | 'TaxTotal';

/** All amounts in minor units of `currencyIso`. */
export interface Quote {
  readonly currencyIso: string;
  /** One per item, in the order given. */
  readonly lines: readonly QuoteLine[];
  /**
   * One per shipping class of the available items, in the order they first occur. Empty when the shop fixed the
   * shipping total.
   */
  readonly shipping: readonly ClassShipping[];
  readonly fixed: readonly FixedTotal[];
  readonly subtotal: number;
  readonly shippingTotal: number;
  readonly taxTotal: number;
  readonly total: number;
  /** The failures that processing would meet because of the price: 1000, 1001 or 1002. Payment is not checked. */
  readonly problems: readonly Failure[];
  /**
   * What is left out of this cycle alone leaves nothing to ship: the occurrence is passed over, and that is no problem.
   * Left out where something ships.
   */
  readonly nothingShips?: true;
  /** Left out where taxes simply come on top of net prices, and shipping is not taxed. */
  readonly steps?: QuoteSteps;
}
