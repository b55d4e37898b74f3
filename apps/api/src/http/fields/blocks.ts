import type { ReadOnly } from './field.js';
import { Text } from './texts.js';
import { ReadOnlyUtc } from './times.js';

/** TypeScript requires exactly this constructor type for the base of a mixin. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Constructor = new (...args: any[]) => object;

/** Adds the eight shipping address fields, in the contract's order. */
export function ShippingAddress<Base extends Constructor>(base: Base) {
  class Shipped extends base {
    @Text(255, { description: 'First name of the delivery address.', example: 'Ada' }) ShippingFirstName?:
      string | null;
    @Text(255, { description: 'Last name of the delivery address.', example: 'Lovelace' }) ShippingLastName?:
      string | null;
    @Text(255, { description: 'Street and number of the delivery address.', example: '12 St James Square' })
    ShippingStreet1?: string | null;
    @Text(255, { description: 'Second line of the street of the delivery address.' }) ShippingStreet2?: string | null;
    @Text(255, { description: 'City of the delivery address.', example: 'Los Angeles' }) ShippingCity?: string | null;
    @Text(255, { description: 'State or province of the delivery address.', example: 'CA' }) ShippingState?:
      string | null;
    @Text(255, { description: 'Postcode of the delivery address.', example: '90001' }) ShippingPostcode?: string | null;
    @Text(255, { description: 'Country of the delivery address: ISO 3166-1 code or English name.', example: 'US' })
    ShippingCountry?: string | null;
  }
  return Shipped;
}

/** Adds the eight billing address fields, in the contract's order. */
export function BillingAddress<Base extends Constructor>(base: Base) {
  class Billed extends base {
    @Text(255, { description: 'First name of the billing address.', example: 'Ada' }) BillingFirstName?: string | null;
    @Text(255, { description: 'Last name of the billing address.', example: 'Lovelace' }) BillingLastName?:
      string | null;
    @Text(255, { description: 'Street and number of the billing address.', example: '12 St James Square' })
    BillingStreet1?: string | null;
    @Text(255, { description: 'Second line of the street of the billing address.' }) BillingStreet2?: string | null;
    @Text(255, { description: 'City of the billing address.', example: 'Los Angeles' }) BillingCity?: string | null;
    @Text(255, { description: 'State or province of the billing address.', example: 'CA' }) BillingState?:
      string | null;
    @Text(255, { description: 'Postcode of the billing address.', example: '90001' }) BillingPostcode?: string | null;
    @Text(255, { description: 'Country of the billing address: ISO 3166-1 code or English name.', example: 'US' })
    BillingCountry?: string | null;
  }
  return Billed;
}

/** Adds the times of the record's creation and last change. */
export function Stamps<Base extends Constructor>(base: Base) {
  class Stamped extends base {
    @ReadOnlyUtc({ description: 'When the record was created.' }) CreatedUtc?: ReadOnly;
    @ReadOnlyUtc({ description: 'When the record last changed.' }) UpdatedUtc?: ReadOnly;
  }
  return Stamped;
}
