import { ApiSchema } from '@nestjs/swagger';
import {
  type Constructor,
  Flag,
  Int64,
  Percentage,
  type ReadOnly,
  ReadOnlyId,
  Reference,
  Stamps,
  Text,
} from '../../http/fields/index.js';

class TaxRateIdentity {
  @ReadOnlyId({ description: 'Identifier.' }) Id?: ReadOnly;
  @Reference({ description: 'Owning site; may be left out by an account with one site.', nullable: false })
  SiteId?: number;
}

/** Adds what a tax rate is, in the contract's order. */
export function TaxRateFields<Base extends Constructor>(base: Base) {
  class Described extends base {
    @Text(255, { description: 'Tax class the rate applies to; null: products without one.', example: 'standard' })
    TaxClass?: string | null;
    @Text(255, { description: 'ISO 3166-1 code or English name; null: everywhere.', example: 'US' })
    Country?: string | null;
    @Text(255, { description: 'Requires Country.', example: 'CA' }) State?: string | null;
    @Text(255, { description: 'Requires Country and State; `*` is any city.', example: '*' }) City?: string | null;
    @Text(255, {
      description: 'Requires Country, State and City; one that ends in `*` is the beginning of many.',
      example: '900*',
    })
    Postcode?: string | null;
    @Percentage({ description: 'Percent of the purchase, with up to 6 decimal places.' }) Rate?: string | null;
    @Flag({
      description: 'Whether it is computed on the total after the other taxes.',
      nullable: false,
      example: false,
    })
    IsCompound?: boolean;
    @Text(255, {
      description: 'Display name; of the rates of one name the most specific applies, and different names add up.',
      example: 'Sales tax',
    })
    Name?: string | null;
  }
  return Described;
}

/** What tax costs, and where. */
@ApiSchema({ name: 'TaxRate' })
export class TaxRateDto extends Stamps(TaxRateFields(TaxRateIdentity)) {}

const MAX_PRIORITY = 2_147_483_647;

/** What a tax rate has beyond the contract. */
@ApiSchema({ name: 'TaxRateTerms' })
export class TaxRateTermsDto {
  @Int64({
    max: MAX_PRIORITY,
    description:
      'What the tax is known by in place of its name: of the rates of one priority the most specific applies, different priorities add up, compound ones in their order. Null: the name.',
    example: 1,
  })
  Priority?: number | null;
  @Flag({
    description: 'Whether it taxes shipping, where the site’s ShippingTax is ByRate.',
    nullable: false,
    example: true,
  })
  AppliesToShipping?: boolean;
}
