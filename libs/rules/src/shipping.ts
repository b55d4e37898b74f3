import { roundPrice } from './currencies.js';
import { type PassedOverRate, missedOccurrences } from './passed-over.js';
import type { CompiledRates, CompiledShippingRate } from './rates.js';
import { costOf, type Shipment, type ShippingGroup, unmetThreshold } from './shipment.js';

/**
 * What shipping the items of one class costs, and why: the cheapest rate on the most specific level with a match; of equal ones the lowest id.
 * Source: decisions.md §8, Shipping.
 */
export class ClassShipping {
  /** In the spelling of the first item; null for none. */
  readonly shippingClass: string | null;
  readonly units: number;
  /** The rate that won; null when none applies, or the site has none. */
  readonly shippingRateId: number | null;
  readonly name: string | null;
  /** Minor units. */
  readonly amount: number;
  readonly #missedOccurrences: () => PassedOverRate[];

  constructor(shipment: Shipment, group: ShippingGroup, rates: CompiledRates) {
    const winner = winnerOf(shipment, group, rates);
    this.shippingClass = group.shippingClass;
    this.units = group.units;
    this.shippingRateId = winner?.row.id ?? null;
    this.name = winner?.row.name ?? null;
    this.amount = winner === undefined ? 0 : Number(roundPrice(shipment.currency, costOf(winner, group)));
    this.#missedOccurrences = () =>
      rates.shippingRates
        .filter((rate) => rate !== winner)
        .map((rate) => missedOccurrences(rate, winner, shipment, group));
  }

  /** Every other rate of the site by id, and why it does not apply. It is calculated when it is read, because few callers need it. */
  get missedOccurrences(): PassedOverRate[] {
    return this.#missedOccurrences();
  }
}

function winnerOf(shipment: Shipment, group: ShippingGroup, rates: CompiledRates): CompiledShippingRate | undefined {
  const byPlace = rates.shipping.get(group.class);
  if (byPlace === undefined) return undefined;
  for (const key of shipment.to.keys) {
    let winner: CompiledShippingRate | undefined;
    for (const rate of byPlace.get(key) ?? []) {
      if (unmetThreshold(rate, shipment) !== null) continue;
      if (winner === undefined || costOf(rate, group) < costOf(winner, group)) winner = rate;
    }
    if (winner !== undefined) return winner;
  }
  return undefined;
}
