import { Site } from '../accounts/site.entity.js';
import { Int64, Text, Utc } from './columns.js';
import { ForeignKey } from './decorators.js';
import { Row } from './row.js';

/** A row that belongs to a shop. No other shop's token can reach it. Deleting it is soft (decisions.md §11). */
export abstract class SiteRow extends Row {
  @ForeignKey(() => Site)
  @Int64()
  siteId!: number;

  @Utc() deletedUtc!: Date | null;
}

// TypeScript requires exactly this constructor type for the base of a mixin.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Constructor = abstract new (...args: any[]) => object;

/** Adds the eight shipping address columns. */
export function WithShippingAddress<Base extends Constructor>(base: Base) {
  abstract class Shipped extends base {
    @Text(255) shippingFirstName!: string | null;
    @Text(255) shippingLastName!: string | null;
    @Text(255) shippingStreet1!: string | null;
    @Text(255) shippingStreet2!: string | null;
    @Text(255) shippingCity!: string | null;
    @Text(255) shippingState!: string | null;
    @Text(255) shippingPostcode!: string | null;
    @Text(255) shippingCountry!: string | null;
  }
  return Shipped;
}

/** Adds the eight billing address columns. */
export function WithBillingAddress<Base extends Constructor>(base: Base) {
  abstract class Billed extends base {
    @Text(255) billingFirstName!: string | null;
    @Text(255) billingLastName!: string | null;
    @Text(255) billingStreet1!: string | null;
    @Text(255) billingStreet2!: string | null;
    @Text(255) billingCity!: string | null;
    @Text(255) billingState!: string | null;
    @Text(255) billingPostcode!: string | null;
    @Text(255) billingCountry!: string | null;
  }
  return Billed;
}

/**
 * Adds the place where a rate applies, coarse to fine. A finer part requires the coarser ones (contract.md,
 * ShippingRate).
 */
export function WithLocation<Base extends Constructor>(base: Base) {
  abstract class Located extends base {
    @Text(255) country!: string | null;
    @Text(255) state!: string | null;
    @Text(255) city!: string | null;
    @Text(255) postcode!: string | null;
  }
  return Located;
}

/** The check behind "requires Country", "requires Country and State", … */
export const LOCATION_CHECK =
  '(state IS NULL OR country IS NOT NULL) AND (city IS NULL OR state IS NOT NULL) AND (postcode IS NULL OR city IS NOT NULL)';
