import { type CompiledRates, compileRates, type ShippingRateRow, type TaxRateRow } from '#libs/rules';

/** A site's rates as the statements return them. */
export interface RatesRow {
  readonly has_shipping_rates: boolean;
  readonly shipping_rates: ShippingRateRow[] | null;
  readonly tax_rates: TaxRateRow[] | null;
}

export const compiled = (row: RatesRow): CompiledRates =>
  compileRates(row.shipping_rates ?? [], row.tax_rates ?? [], row.has_shipping_rates);
