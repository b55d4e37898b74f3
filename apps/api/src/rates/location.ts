import type { ShippingRate } from '#libs/entities';
import { type Fault, Rejected, type Values, wireName } from '#libs/records';

const PARTS = ['country', 'state', 'city', 'postcode'] as const;

/** The place of a rate after a request. */
type Location = Values<Pick<ShippingRate, (typeof PARTS)[number]>>;

const REQUIRED = ['', 'requires Country.', 'requires Country and State.', 'requires Country, State and City.'];

const isBlank = (part: string | null | undefined) => (part ?? '').trim() === '';

/**
 * A part of a place needs the larger parts around it (contract.md, ShippingRate). A blank part counts as missing, as in
 * the comparison of rates with addresses.
 * @param merged the record after the change.
 * @param path of the record in the body: `TaxRates[0].`, or empty when it is the body itself.
 * @throws Rejected that names every part that lacks another.
 */
export function assertLocation(merged: Location, path = ''): void {
  const faults = PARTS.flatMap((part, level): Fault[] => {
    const isComplete =
      (merged[part] ?? null) === null || !PARTS.slice(0, level).some((wider) => isBlank(merged[wider]));
    return isComplete ? [] : [{ field: path + wireName(part), message: REQUIRED[level]! }];
  });
  if (faults.length > 0) throw new Rejected(faults);
}
