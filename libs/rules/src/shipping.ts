import { roundPrice } from './currencies.js';
import { LEVELS, placeKey } from './places.js';
import { type PassedOverRate, passedOver } from './passed-over.js';
import type { CompiledRates, CompiledShippingRate } from './rates.js';
import { costOf, type Shipment, type ShippingGroup, unmetThreshold } from './shipment.js';

/** What shipping the items of one class costs, and why. */
export interface ClassShipping {
  readonly shippingClass: string | null;
  readonly units: number;
  /** The rate that won; null when none applies, or the site has none. */
  readonly shippingRateId: number | null;
  readonly name: string | null;
  /** Minor units. */
  readonly amount: number;
  /** All other rates of the site by id; worked out when read. */
  readonly passedOver: readonly PassedOverRate[];
}

/**
 * Ships one group: on the most specific level at which any rate matches, the cheapest; of equal ones the lowest id.
 * Source: decisions.md §8, Shipping.
 */
export function shipGroup(shipment: Shipment, group: ShippingGroup, rates: CompiledRates): ClassShipping {
  const winner = winnerOf(shipment, group, rates);
  const amount = winner === undefined ? 0 : Number(roundPrice(shipment.currency, costOf(winner, group)));
  return {
    shippingClass: group.shippingClass,
    units: group.units,
    shippingRateId: winner?.row.id ?? null,
    name: winner?.row.name ?? null,
    amount,
    get passedOver() {
      return rates.shippingRates
        .filter((rate) => rate !== winner)
        .map((rate) => passedOver(rate, winner, shipment, group));
    },
  };
}

function winnerOf(shipment: Shipment, group: ShippingGroup, rates: CompiledRates): CompiledShippingRate | undefined {
  const byPlace = rates.shipping.get(group.class);
  if (byPlace === undefined) return undefined;
  for (let level = LEVELS.length - 1; level >= 0; level--) {
    let winner: CompiledShippingRate | undefined;
    for (const rate of byPlace.get(placeKey(shipment.place, level)) ?? []) {
      if (unmetThreshold(rate, shipment) !== null) continue;
      if (winner === undefined || costOf(rate, group) < costOf(winner, group)) winner = rate;
    }
    if (winner !== undefined) return winner;
  }
  return undefined;
}
