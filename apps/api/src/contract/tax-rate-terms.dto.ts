import { ApiSchema } from '@nestjs/swagger';
import { Flag, Int64 } from '../http/fields/index.js';

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
