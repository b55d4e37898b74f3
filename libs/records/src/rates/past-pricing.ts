import type { SqlExecutor } from '#libs/platform';
import { type CompiledRates, placeKeys, type ShippingAddress } from '#libs/rules';
import { CLASSES_AT_VERSION, RATES_AT_VERSION } from './rates-at-version.sql.js';
import { compiled, homeKeys, type RatesRow } from './rates-row.js';

/** What an order was priced with. */
export interface PastPurchase extends ShippingAddress {
  readonly siteId: number;
  readonly customerId: number;
  readonly productIds: readonly number[];
}

export interface ProductClasses {
  readonly shippingClass: string | null;
  readonly taxClass: string | null;
}

/** What prices were made of at a version of a site. */
export interface PastPricing {
  readonly rates: CompiledRates;
  /** The customer paid no tax. */
  readonly taxExempt: boolean;
  /** By product. */
  readonly classes: ReadonlyMap<number, ProductClasses>;
}

/**
 * What a purchase was priced with at a version of its site. Later changes are of later versions: so several statements
 * see the same.
 */
export async function pricingAtVersion(
  database: SqlExecutor,
  purchase: PastPurchase,
  version: number,
): Promise<PastPricing> {
  const rates = await ratesAtVersion(database, purchase, version);
  const [row] = await database.execute<ClassesRow>(CLASSES_AT_VERSION, [
    purchase.siteId,
    version,
    purchase.productIds,
    purchase.customerId,
  ]);
  return {
    rates,
    taxExempt: row!.taxExempt === true,
    classes: new Map(row!.products?.map(([id, shippingClass, taxClass]) => [id, { shippingClass, taxClass }])),
  };
}

interface ClassesRow {
  readonly taxExempt: boolean | null;
  readonly products: [id: number, shippingClass: string | null, taxClass: string | null][] | null;
}

/** Read again with the rates of the shop's home, where its settings then ask for them. */
async function ratesAtVersion(database: SqlExecutor, purchase: PastPurchase, version: number): Promise<CompiledRates> {
  const read = async (keys: readonly string[]) =>
    (await database.execute<RatesRow>(RATES_AT_VERSION, [purchase.siteId, version, keys]))[0]!;
  const keys = placeKeys(purchase);
  const row = await read(keys);
  const home = homeKeys(row);
  return compiled(home.every((key) => keys.includes(key)) ? row : await read([...new Set([...keys, ...home])]));
}
