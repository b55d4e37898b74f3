import { type PricedWith, pricedWith } from '#libs/ledger';
import { versionNumber } from '#libs/records';
import { decimalOf, isPriceOfUnits, type Quote } from '#libs/rules';
import type { LoadedOrder } from '../cycle/loaded-order.js';
import type { LoadedBatch } from './loader.js';

/** What an order of `batch` was priced with, for the ledger. */
export function pricedWithOf(order: LoadedOrder, siteId: number, batch: LoadedBatch, priced: Quote): PricedWith {
  const known = batch.knownRates.get(siteId);
  const ratesVersion = batch.versions.get(siteId) ?? 0;
  // The order, its products and its customer were read in another statement than the rates. A change between them has
  // raised a version.
  const pricesMixed =
    order.pricesVersion !== batch.pricesVersion ||
    (known !== undefined && versionNumber(known.version) !== ratesVersion);
  const { fixed } = priced;
  return pricedWith({ ratesVersion, pricesMixed, cycles: order.cycles, fixed, unitPrices: unitPricesOf(priced) });
}

/** Of the items that the Order will have. */
const unitPricesOf = ({ lines, currencyIso }: Quote): (string | null)[] =>
  lines
    .filter(({ available }) => available)
    .map(({ unitPrice, quantity, amount }) =>
      isPriceOfUnits(unitPrice, quantity, decimalOf(amount, currencyIso)) ? null : String(unitPrice),
    );
