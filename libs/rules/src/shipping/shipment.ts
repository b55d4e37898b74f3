import type { Currency } from '../money/currencies.js';
import type { Destination } from '../places/places.js';
import type { CompiledShippingRate } from '../rates.js';

/** The values that shipping rates depend on, the same for every class of one order. */
export interface Shipment {
  readonly currency: Currency;
  readonly to: Destination;
  /** How often the order has been processed. */
  readonly cycles: number;
  /** The units of all available items. */
  readonly units: number;
  /** Minor units. */
  readonly subtotal: number;
}

/** The available items of one shipping class. */
export interface ShippingGroup {
  /** Comparable class; '' for none. */
  readonly class: string;
  /** The class in the spelling of the first item. */
  readonly shippingClass: string | null;
  units: number;
}

/** The price of a rate for a group; a scaled price. */
export const costOf = ({ basePrice, pricePerUnit }: CompiledShippingRate, { units }: ShippingGroup): bigint =>
  basePrice + pricePerUnit * BigInt(units);

/** The first threshold of a rate that an order does not reach. An equal value reaches it. Source: decisions.md §8. */
export function unmetThreshold(
  rate: CompiledShippingRate,
  { currency, cycles, units, subtotal }: Shipment,
): 'MinCycles' | 'MinUnits' | 'MinSubtotal' | null {
  if (rate.minCycles > cycles) return 'MinCycles';
  if (rate.minUnits > units) return 'MinUnits';
  if (rate.minSubtotal > BigInt(subtotal) * currency.scaledPerMinorUnit) return 'MinSubtotal';
  return null;
}
