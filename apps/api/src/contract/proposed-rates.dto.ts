import { ApiSchema } from '@nestjs/swagger';
import { NestedObject, Reference, Stamps } from '../http/fields/index.js';
import { ShippingRateFields } from './shipping-rate.dto.js';
import { TaxRateFields } from './tax-rate.dto.js';
import { TaxRateTermsDto } from './tax-rate-terms.dto.js';

const standsFor = (name: string) =>
  `A ${name} of the site, in place of which this one is calculated; fields that are left out are as stored. Null or left out: a new rate.`;

class ProposedTaxRateId {
  @Reference({ description: standsFor('tax rate') }) Id?: number | null;
}

/** A tax rate that is calculated without being stored. */
@ApiSchema({ name: 'ProposedTaxRate' })
export class ProposedTaxRateDto extends Stamps(TaxRateFields(ProposedTaxRateId)) {
  @NestedObject(() => TaxRateTermsDto, { description: 'Its terms; those that are left out are as stored.' })
  Terms?: TaxRateTermsDto;
}

class ProposedShippingRateId {
  @Reference({ description: standsFor('shipping rate') }) Id?: number | null;
}

/** A shipping rate that is calculated without being stored. */
@ApiSchema({ name: 'ProposedShippingRate' })
export class ProposedShippingRateDto extends Stamps(ShippingRateFields(ProposedShippingRateId)) {}
