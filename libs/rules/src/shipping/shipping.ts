import { roundPrice } from '../money/currencies.js';
import type { CompiledRates, CompiledShippingRate } from '../rates.js';
import type { LineTax, PriceSteps } from '../taxes/taxes.js';
import { type PassedOverRate, passedOverRate } from './passed-over-rate.js';
import { costOf, type Shipment, type ShippingGroup, unmetThreshold } from './shipment.js';

export interface ShippingSteps extends Omit<PriceSteps, 'takenOut'> {
  readonly taxes: readonly LineTax[];
}

/** The rate that ships a class, and what it comes to. */
export interface ChosenRate {
  readonly winner: CompiledShippingRate | undefined;
  /** Minor units, without tax. */
  readonly amount: number;
  readonly steps: ShippingSteps | undefined;
}

/**
 * What shipping the items of one class costs, and why. Source: decisions.md §8, Shipping.
 */
export class ClassShipping {
  /** In the spelling of the first item; null for none. */
  readonly shippingClass: string | null;
  readonly units: number;
  /** The rate that won; null when none applies, or the site has none. */
  readonly shippingRateId: number | null;
  readonly name: string | null;
  /** Minor units, without tax. */
  readonly amount: number;
  /** Only where the quote has steps. */
  readonly steps?: ShippingSteps;
  readonly #rates: CompiledRates;
  readonly #passedOverRates: () => PassedOverRate[];

  constructor(shipment: Shipment, group: ShippingGroup, rates: CompiledRates, chosen: ChosenRate) {
    const { winner, amount, steps } = chosen;
    this.shippingClass = group.shippingClass;
    this.units = group.units;
    this.shippingRateId = winner?.row.id ?? null;
    this.name = winner?.row.name ?? null;
    this.amount = amount;
    if (steps !== undefined) this.steps = steps;
    this.#rates = rates;
    this.#passedOverRates = () =>
      rates.shippingRates
        .filter((rate) => rate !== winner)
        .map((rate) => passedOverRate(rate, winner, shipment, group));
  }

  /** How many rates `passedOverRates` looks at, the winner as well. */
  get rates(): number {
    return this.#rates.shippingRates.length;
  }

  /**
   * Every other rate of the site by id, and why it does not apply. It is calculated when it is read, because few
   * callers need it.
   */
  get passedOverRates(): PassedOverRate[] {
    return this.#passedOverRates();
  }
}

/** On the most specific level at which any rate matches, the cheapest; of equal ones the lowest id. */
export function winnerOf(
  shipment: Shipment,
  group: ShippingGroup,
  rates: CompiledRates,
): CompiledShippingRate | undefined {
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

/** What a rate charges for a group, in minor units; nothing where there is none. */
export const listedOf = (
  { currency }: Shipment,
  group: ShippingGroup,
  rate: CompiledShippingRate | undefined,
): bigint => (rate === undefined ? 0n : roundPrice(currency, costOf(rate, group)));
