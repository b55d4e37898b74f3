import { ApiSchema } from '@nestjs/swagger';
import { Int64, NestedArray, NestedObject, Price, Reference, Stamps, Text } from '../../http/fields/index.js';
import { ShippingRateFields } from './shipping-rate.dto.js';
import { TaxRateFields, TaxRateTermsDto } from './tax-rate.dto.js';

/** The most proposed rates of a kind. */
const MOST_RATES = 20;

const proposed = (kind: string) =>
  `${kind} to calculate with, without storing them: besides the site’s, or in place of those whose Id is sent. At most ${MOST_RATES}.`;

/** A place that a cart would be shipped to. */
@ApiSchema({ name: 'RatesAddress' })
export class RatesAddressDto {
  @Text(255, { description: 'Country: ISO 3166-1 code or English name.', example: 'US' })
  ShippingCountry?: string | null;
  @Text(255, { description: 'State or province.', example: 'CA' }) ShippingState?: string | null;
  @Text(255, { description: 'City.', example: 'Los Angeles' }) ShippingCity?: string | null;
  @Text(255, { description: 'Postcode.', example: '90001' }) ShippingPostcode?: string | null;
}

/** A line of a cart. */
@ApiSchema({ name: 'RatesLine' })
export class RatesLineDto {
  @Reference({ required: true, description: 'A product of the site.' }) ProductId!: number;
  @Int64({ min: 1, max: 1_000_000, nullable: false, example: 2, description: 'Quantity; 1 unless given.' })
  Quantity?: number;
  @Price({ description: 'In place of the product’s Price and SalePrice; required where the product has no Price.' })
  Price?: string | null;
}

/** A cart, and where it would be shipped to. */
@ApiSchema({ name: 'RatesQuestion' })
export class RatesQuestionDto {
  @NestedObject(() => RatesAddressDto, { required: true, description: 'Where the cart would be shipped to.' })
  Address!: RatesAddressDto;
  @NestedArray(() => RatesLineDto, {
    required: true,
    description: 'The cart: at most MAX_ITEMS_PER_ORDER lines (500 unless set otherwise).',
  })
  Lines!: RatesLineDto[];
  @Reference({ description: 'A customer of the site, whose TaxExempt counts; nobody unless given.' })
  CustomerId?: number | null;
  @NestedArray(() => ProposedTaxRateDto, { maxItems: MOST_RATES, description: proposed('Tax rates') })
  TaxRates?: ProposedTaxRateDto[];
  @NestedArray(() => ProposedShippingRateDto, { maxItems: MOST_RATES, description: proposed('Shipping rates') })
  ShippingRates?: ProposedShippingRateDto[];
}

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
