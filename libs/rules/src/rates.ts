import { type Decimal, PERCENTAGE_PLACES, PRICE_PLACES, scaled } from './money/decimal.js';
import { type Destination, levelOf, type Place, placeOfRate, type RateLocation } from './places/places.js';
import { DEFAULT_PRICE_SETTINGS, homeOf, type PriceSettings } from './taxes/price-settings.js';
import { comparable } from './text.js';

/** A ShippingRate as stored, or as it would be; its prices are in the currency of the order that uses it. */
export interface ShippingRateRow extends RateLocation {
  readonly id: number;
  readonly shippingClass: string | null;
  readonly name: string | null;
  readonly basePrice: Decimal | null;
  readonly pricePerUnit: Decimal | null;
  readonly minUnits: number | null;
  readonly minCycles: number | null;
  readonly minSubtotal: Decimal | null;
}

/** A TaxRate as stored, or as it would be; `rate` is a percentage. */
export interface TaxRateRow extends RateLocation {
  readonly id: number;
  readonly taxClass: string | null;
  readonly name: string | null;
  readonly rate: Decimal | null;
  readonly isCompound: boolean | null;
  /** What the tax is known by in place of its name, where set. */
  readonly priority?: number | null;
  readonly appliesToShipping?: boolean;
}

export interface CompiledShippingRate {
  readonly row: ShippingRateRow;
  /** Comparable class; '' for items without one. */
  readonly class: string;
  readonly place: Place;
  readonly level: number;
  /** Scaled prices (PRICE_PLACES). */
  readonly basePrice: bigint;
  readonly pricePerUnit: bigint;
  readonly minSubtotal: bigint;
  readonly minUnits: number;
  readonly minCycles: number;
}

export interface CompiledTaxRate {
  readonly row: TaxRateRow;
  /** Identifies the tax: its priority, or its comparable name (decisions.md §8, Tax). */
  readonly tax: string;
  /** Its place among the taxes of an amount, before that of its id. */
  readonly order: number;
  /** Scaled percentage (PERCENTAGE_PLACES). */
  readonly percentage: bigint;
  readonly isCompound: boolean;
  readonly appliesToShipping: boolean;
}

/** Rates by the key of their place; within a key in the order of their ids. */
export type ByPlace<R> = ReadonlyMap<string, readonly R[]>;

export interface CompiledTaxClass {
  readonly byPlace: ByPlace<CompiledTaxRate>;
  /** The lengths of the existing postcode prefixes, the longest first. */
  readonly prefixLengths: readonly number[];
}

/** A site's rates, ready for any number of orders. Made by `compileRates`, read by `quote`. */
export interface CompiledRates {
  /** The given shipping rates by id, to explain why one was passed over. */
  readonly shippingRates: readonly CompiledShippingRate[];
  /**
   * Whether the site has any shipping rate, given here or not. A site without shipping rates ships for 0 (decisions.md
   * §8).
   */
  readonly hasShippingRates: boolean;
  readonly shipping: ReadonlyMap<string, ByPlace<CompiledShippingRate>>;
  readonly tax: ReadonlyMap<string, CompiledTaxClass>;
  readonly settings: PriceSettings;
  readonly home: Destination;
}

/**
 * Prepares the rates of one site that are not deleted, in any order, once for many orders. Then the cost of `quote`
 * does not depend on their number. It is enough to give those that can match the orders' addresses, and the home of
 * `settings` where prices depend on it (`placeKeys`), if `hasShippingRates` says whether there are others.
 * @throws RangeError when a stored price or percentage is not a decimal of its scale.
 */
export function compileRates(
  shippingRates: readonly ShippingRateRow[],
  taxRates: readonly TaxRateRow[],
  hasShippingRates: boolean = shippingRates.length > 0,
  settings: PriceSettings = DEFAULT_PRICE_SETTINGS,
): CompiledRates {
  const compiledShipping = byId(shippingRates).map(compileShippingRate);
  const shipping = groupBy(compiledShipping, (rate) => rate.class);
  const tax = groupBy(byId(taxRates), (row) => comparable(row.taxClass));
  return {
    shippingRates: compiledShipping,
    hasShippingRates,
    shipping: mapValues(shipping, (rates) => groupBy(rates, ({ place, level }) => place.keys[level]!)),
    tax: mapValues(tax, compileTaxClass),
    settings,
    home: homeOf(settings),
  };
}

/**
 * The thresholds of cycles, ascending. Between two of them an order costs the same however often it was processed,
 * because nothing else in pricing depends on that. Source: decisions.md §8, Shipping.
 */
export const minCyclesOf = ({ shippingRates }: CompiledRates): number[] =>
  [...new Set(shippingRates.map(({ minCycles }) => minCycles))].sort((one, other) => one - other);

function compileShippingRate(row: ShippingRateRow): CompiledShippingRate {
  const place = placeOfRate(row);
  return {
    row,
    class: comparable(row.shippingClass),
    place,
    level: levelOf(place),
    basePrice: scaled(row.basePrice ?? 0, PRICE_PLACES),
    pricePerUnit: scaled(row.pricePerUnit ?? 0, PRICE_PLACES),
    minSubtotal: scaled(row.minSubtotal ?? 0, PRICE_PLACES),
    minUnits: row.minUnits ?? 0,
    minCycles: row.minCycles ?? 0,
  };
}

function compileTaxClass(rows: readonly TaxRateRow[]): CompiledTaxClass {
  const prefixLengths = new Set<number>();
  const rates = rows.map((row) => {
    const place = placeOfRate(row);
    const postcode = place.parts[3];
    if (postcode.endsWith('*')) prefixLengths.add(postcode.length - 1);
    return { key: place.keys[levelOf(place)]!, rate: compileTaxRate(row) };
  });
  const byPlace = mapValues(
    groupBy(rates, ({ key }) => key),
    (group) => group.map(({ rate }) => rate),
  );
  return { byPlace, prefixLengths: [...prefixLengths].sort((one, other) => other - one) };
}

/** After every priority. */
const LAST = Number.MAX_SAFE_INTEGER;

const compileTaxRate = (row: TaxRateRow): CompiledTaxRate => ({
  row,
  // No stored text has a NUL (decisions.md §1): no name is a priority.
  tax: row.priority == null ? comparable(row.name) : `\0${row.priority}`,
  order: row.priority ?? LAST,
  percentage: scaled(row.rate ?? 0, PERCENTAGE_PLACES),
  isCompound: row.isCompound === true,
  appliesToShipping: row.appliesToShipping === true,
});

interface Identified {
  readonly id: number;
}

/**
 * Stored rates by id. After them those that are only proposed: their ids are −1, −2, and so on, and each would get the
 * next id if it was stored. Source: decisions.md §12, Tester of rates.
 */
export const compareIds = ({ id: one }: Identified, { id: other }: Identified): number =>
  Number(one < 0) - Number(other < 0) || Math.abs(one) - Math.abs(other);

const byId = <R extends Identified>(rows: readonly R[]): R[] => [...rows].sort(compareIds);

function groupBy<V>(values: readonly V[], keyOf: (value: V) => string): Map<string, V[]> {
  const groups = new Map<string, V[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

const mapValues = <V, W>(groups: ReadonlyMap<string, V>, change: (value: V) => W): Map<string, W> =>
  new Map([...groups].map(([key, value]) => [key, change(value)]));

/**
 * Of a site without rates, or for an order to which none can apply. After the functions above, which it calls at once.
 */
export const NO_RATES: CompiledRates = compileRates([], []);
