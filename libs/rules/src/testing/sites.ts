import {
  compileRates,
  DEFAULT_PRICE_SETTINGS,
  type PriceSettings,
  type QuotableOrder,
  quote,
  type TaxRateRow,
} from '../index.js';
import { order, shippingRate, taxRate } from './quotables.js';

/** The rates of a site with these settings; tax rates get ids from 1 and a name each. */
export const site = (
  settings: Partial<PriceSettings>,
  taxes: readonly Partial<TaxRateRow>[],
  shipping: string | null = null,
) =>
  compileRates(
    shipping === null ? [] : [shippingRate({ id: 9, basePrice: shipping })],
    taxes.map((rate, index) => taxRate({ id: index + 1, name: `tax ${index + 1}`, ...rate })),
    shipping !== null,
    { ...DEFAULT_PRICE_SETTINGS, ...settings },
  );

/** Amounts in minor units: subtotal, shipping, tax and total. */
export function totals(rates: ReturnType<typeof site>, fields: Partial<QuotableOrder>): number[] {
  const { subtotal, shippingTotal, taxTotal, total } = quote(order(fields), rates);
  return [subtotal, shippingTotal, taxTotal, total];
}
