import { ApiSchema } from '@nestjs/swagger';
import { NestedObject, Reference, Stamps } from '../http/fields/index.js';
import { ShippingRateFields } from './shipping-rate.dto.js';
import { TaxRateFields } from './tax-rate.dto.js';
import { TaxRateTermsDto } from './tax-rate-terms.dto.js';

class ProposedRateIdentity {
  @Reference({
    description:
      'Of a stored rate of this kind: the proposed one is in place of it, and what is left out is as stored. Null or left out: a new rate.',
  })
  Id?: number | null;
  @Reference({ description: 'The site of the path; may be left out.', nullable: false }) SiteId?: number;
}

/** A tax rate that is calculated without being stored. */
@ApiSchema({ name: 'ProposedTaxRate' })
export class ProposedTaxRateDto extends Stamps(TaxRateFields(ProposedRateIdentity)) {
  @NestedObject(() => TaxRateTermsDto, { description: 'Its terms; those that are left out are as stored.' })
  Terms?: TaxRateTermsDto;
}

/** A shipping rate that is calculated without being stored. */
@ApiSchema({ name: 'ProposedShippingRate' })
export class ProposedShippingRateDto extends Stamps(ShippingRateFields(ProposedRateIdentity)) {}
