import { type Currency, roundPrice } from '../money/currencies.js';
import { PRICE_PLACES, scaled } from '../money/decimal.js';
import { largestRemainder } from '../money/largest-remainder.js';
import { type Ratio, ratio } from '../money/ratio.js';
import { type AppliedTaxes, NO_TAXES, type TaxesOfClass } from '../taxes/applied-taxes.js';
import { type Charged, charged, sumOfTaxes } from '../taxes/charges.js';
import type { PriceSettings } from '../taxes/price-settings.js';
import { comparable } from '../text.js';
import { leftOutBecause } from './availability.js';
import type { QuotableItem, QuotableOrder, QuoteLine } from './quote-shapes.js';

/** An item with what it comes to; `quoted` is null where it is not available. */
export interface GoodsLine {
  readonly item: QuotableItem;
  readonly unavailableBecause: string | null;
  readonly applied: AppliedTaxes;
  /** Minor units, as the prices say. */
  readonly listed: number;
  readonly charged: Charged;
}

export interface Goods {
  readonly lines: readonly GoodsLine[];
  /** What rounding took from the gross amount of those that are available, for shipping to go on from. */
  readonly rest: Ratio;
}

const SKIPPED = 'The item is left out of the next cycle.';
const UNTAXED: AppliedTaxes = { inPrice: false, takenOut: null, taxes: NO_TAXES };
const NOTHING: Charged = { net: 0, gross: 0, taxes: [] };

/**
 * What each item costs. `fixedTax` is the tax that the shop fixed: no rates are looked for, and prices with tax in them
 * have it in them. Source: decisions.md §8, Fixed totals.
 */
export function goodsLines(
  currency: Currency,
  { items, stock }: Pick<QuotableOrder, 'items' | 'stock'>,
  taxesOf: TaxesOfClass,
  settings: PriceSettings,
  fixedTax: number | null,
): Goods {
  const lines = items.map((item) => {
    const reason = item.skipNext === true ? SKIPPED : leftOutBecause(item.product, item.quantity, stock);
    const applied = fixedTax === null ? taxesOf(comparable(item.product.taxClass)) : UNTAXED;
    return { item, unavailableBecause: reason, applied, price: scaledPrice(item) };
  });
  const available = lines.filter((line) => line.unavailableBecause === null);
  const charges = available.map(({ price, applied }) => ({
    listed: ratio(price, currency.scaledPerMinorUnit),
    isRounded: false,
    applied,
  }));
  const { each, rest } = charged(currency, charges, settings.roundTax);
  const final = fixedTax !== null && settings.prices === 'Gross' ? containing(currency, each, fixedTax) : each;
  const chargedOf = new Map(available.map((line, index) => [line, final[index]!]));
  return {
    rest,
    lines: lines.map((line) => {
      // Named one by one: rest and spread of objects cost more time, and more memory, than all the rest.
      const { item, unavailableBecause, applied, price } = line;
      const found = chargedOf.get(line);
      const listed = found ? Number(roundPrice(currency, price)) : 0;
      return { item, unavailableBecause, applied, listed, charged: found ?? NOTHING };
    }),
  };
}

export const unitPriceOf = ({ price, salePrice }: QuotableItem) => salePrice ?? price;

const scaledPrice = (item: QuotableItem): bigint => scaled(unitPriceOf(item), PRICE_PLACES) * BigInt(item.quantity);

/** Lines with a tax in them that is known only as a whole: it is taken from each in proportion. */
function containing({ step }: Currency, lines: readonly Charged[], tax: number): Charged[] {
  const gross = lines.reduce((sum, line) => sum + line.gross, 0);
  const net = BigInt(Math.max(0, gross - tax));
  const shares = largestRemainder(
    net,
    lines.map((line) => ratio(BigInt(line.gross))),
    step,
  );
  return lines.map((line, index) => ({ ...line, net: Number(shares[index]) }));
}

/** The same as a quote shows it: `areStepsShown` where it says more than that taxes come on top of net prices. */
export function quoteLine(line: GoodsLine, isTaxFixed: boolean, areStepsShown: boolean): QuoteLine {
  const { item, listed, applied, charged: amounts } = line;
  return {
    itemId: item.id,
    productId: item.productId,
    unitPrice: unitPriceOf(item),
    quantity: item.quantity,
    amount: amounts.net,
    available: line.unavailableBecause === null,
    unavailableBecause: line.unavailableBecause,
    taxes: amounts.taxes,
    taxTotal: isTaxFixed ? null : sumOfTaxes(amounts.taxes),
    ...(areStepsShown && {
      steps: { listed, takenOut: applied.takenOut?.rates.map(({ row }) => row) ?? [], gross: amounts.gross },
    }),
  };
}
