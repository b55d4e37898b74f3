import { ApiSchema } from '@nestjs/swagger';
import {
  type Constructor,
  Int64,
  Price,
  type ReadOnly,
  ReadOnlyId,
  Reference,
  Stamps,
  Text,
} from '../../http/fields/index.js';

class ShippingRateIdentity {
  @ReadOnlyId({ description: 'Identifier.' }) Id?: ReadOnly;
  @Reference({ description: 'Owning site; may be left out by an account with one site.', nullable: false })
  SiteId?: number;
}

/** Adds what a shipping rate is, in the contract's order. */
export function ShippingRateFields<Base extends Constructor>(base: Base) {
  class Described extends base {
    @Text(255, { description: 'Shipping class the rate applies to; null: products without one.', example: 'parcel' })
    ShippingClass?: string | null;
    @Text(255, { description: 'ISO 3166-1 code or English name; null: everywhere.', example: 'US' })
    Country?: string | null;
    @Text(255, { description: 'Requires Country.', example: 'CA' }) State?: string | null;
    @Text(255, { description: 'Requires Country and State.', example: 'Los Angeles' }) City?: string | null;
    @Text(255, { description: 'Requires Country, State and City.', example: '90001' }) Postcode?: string | null;
    @Price({ description: 'Charge per unit on the order.', example: 0.5 }) PricePerUnit?: string | null;
    @Price({ description: 'Charge regardless of other factors.', example: 4.9 }) BasePrice?: string | null;
    @Int64({ description: 'Fewest items for eligibility.', example: 1 }) MinUnits?: number | null;
    @Int64({ description: 'How often the scheduled order must have been processed before eligibility.', example: 3 })
    MinCycles?: number | null;
    @Price({ description: 'Least subtotal for eligibility.', example: 100 }) MinSubtotal?: string | null;
    @Text(255, { description: 'Display name.', example: 'Parcel, US' }) Name?: string | null;
  }
  return Described;
}

/** What shipping costs, and where. */
@ApiSchema({ name: 'ShippingRate' })
export class ShippingRateDto extends Stamps(ShippingRateFields(ShippingRateIdentity)) {}
