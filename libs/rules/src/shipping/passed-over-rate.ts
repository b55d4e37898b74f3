import { roundPrice } from '../money/currencies.js';
import { formatAmount } from '../money/money.js';
import { LEVELS, mismatchOf } from '../places/places.js';
import type { CompiledShippingRate } from '../rates.js';
import { costOf, type Shipment, type ShippingGroup, unmetThreshold } from './shipment.js';

export interface PassedOverRate {
  readonly shippingRateId: number;
  readonly name: string | null;
  /** A sentence. */
  readonly reason: string;
}

/**
 * Why `rate` does not apply to `group`, but `winner` does; without a winner no rate matches. Source: decisions.md §12,
 * Quote.
 */
export function passedOverRate(
  rate: CompiledShippingRate,
  winner: CompiledShippingRate | undefined,
  shipment: Shipment,
  group: ShippingGroup,
): PassedOverRate {
  const mismatch = otherClass(rate, group) ?? otherPlace(rate, shipment) ?? belowThreshold(rate, shipment);
  const reason = mismatch ?? lossTo(winner!, rate, shipment, group);
  return { shippingRateId: rate.row.id, name: rate.row.name, reason };
}

/** The name of a class's items in a sentence. */
export const nameOfClass = (shippingClass: string | null): string =>
  shippingClass === null || shippingClass.trim() === '' ? 'items without a shipping class' : `class "${shippingClass}"`;

function otherClass(rate: CompiledShippingRate, group: ShippingGroup): string | null {
  if (rate.class === group.class) return null;
  return `It is for ${nameOfClass(rate.row.shippingClass)}, not for ${nameOfClass(group.shippingClass)}.`;
}

function otherPlace({ row, place }: CompiledShippingRate, shipment: Shipment): string | null {
  const part = mismatchOf(place, shipment.to);
  if (part === -1) return null;
  const named = [row.country, row.state, row.city, row.postcode][part];
  return `Its ${LEVELS[part + 1]} is "${named}", the shipping address has another or none.`;
}

function belowThreshold(rate: CompiledShippingRate, shipment: Shipment): string | null {
  switch (unmetThreshold(rate, shipment)) {
    case 'MinCycles':
      return `Its MinCycles is ${rate.minCycles}, the order has been processed ${shipment.cycles} times.`;
    case 'MinUnits':
      return `Its MinUnits is ${rate.minUnits}, the order has ${shipment.units}.`;
    case 'MinSubtotal':
      return `Its MinSubtotal is ${rate.row.minSubtotal}, the subtotal is ${formatAmount(shipment.currency, shipment.subtotal)}.`;
    case null:
      return null;
  }
}

function lossTo(
  winner: CompiledShippingRate,
  rate: CompiledShippingRate,
  shipment: Shipment,
  group: ShippingGroup,
): string {
  if (rate.level < winner.level) {
    return `A rate for a ${LEVELS[winner.level]} goes before one for ${rate.level === 0 ? 'no location' : `a ${LEVELS[rate.level]}`}.`;
  }
  if (costOf(rate, group) === costOf(winner, group)) return 'It costs the same as the rate with the lower id.';
  const [dear, cheap] = [rate, winner].map((each) =>
    formatAmount(shipment.currency, Number(roundPrice(shipment.currency, costOf(each, group)))),
  );
  return `It costs ${dear}, another rate ${cheap}.`;
}
