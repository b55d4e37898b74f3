import type { ShippingRate } from '#libs/entities';
import { type Fault, Rejected, type Values, wireName } from '#libs/records';

const PARTS = ['country', 'state', 'city', 'postcode'] as const;

/** Where a rate applies, as a request leaves it. */
type Location = Values<Pick<ShippingRate, (typeof PARTS)[number]>>;

const REQUIRED = ['', 'requires Country.', 'requires Country and State.', 'requires Country, State and City.'];

const isBlank = (part: string | null | undefined) => (part ?? '').trim() === '';

/**
 * A part of a place means nothing without the places around it (contract.md, ShippingRate). A blank part is none, as where rates
 * are compared with addresses.
 * @param merged what the record will be.
 * @throws Rejected naming every part that lacks another.
 */
export function assertLocation(merged: Location): void {
  const faults = PARTS.flatMap((part, level): Fault[] => {
    const isComplete =
      (merged[part] ?? null) === null || !PARTS.slice(0, level).some((wider) => isBlank(merged[wider]));
    return isComplete ? [] : [{ field: wireName(part), message: REQUIRED[level]! }];
  });
  if (faults.length > 0) throw new Rejected(faults);
}
