import {
  type CompiledRates,
  compileRates,
  homeAddress,
  needsHomeRates,
  placeKeys,
  type PriceSettings,
  type ShippingRateRow,
  type TaxRateRow,
} from '#libs/rules';

/** A site's rates as the statements return them. */
export interface RatesRow {
  readonly hasShippingRates: boolean;
  readonly shippingRates: ShippingRateRow[] | null;
  readonly taxRates: TaxRateRow[] | null;
  /** Null for a site that has said nothing of its prices. */
  readonly settings?: PriceSettings | null;
}

export const compiled = (row: RatesRow): CompiledRates =>
  compileRates(row.shippingRates ?? [], row.taxRates ?? [], row.hasShippingRates, row.settings ?? undefined);

/** The place keys of the shop's home, where its prices ask for the rates there; none where they do not. */
export function homeKeys({ settings }: Pick<RatesRow, 'settings'>): readonly string[] {
  return settings != null && needsHomeRates(settings) ? placeKeys(homeAddress(settings)) : [];
}

/**
 * The number in a version of a site (`RATE_VERSIONS`): the same number means the same prices, until the database is put
 * back to an earlier time.
 */
export const versionNumber = (version: string): number => Number(version.split('@')[0]);
