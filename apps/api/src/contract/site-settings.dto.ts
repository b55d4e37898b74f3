import { GROSS_OUTSIDE, PRICES, ROUND_TAX, SHIPPING_TAX } from '#libs/rules';
import { Flag, OneOf, Text } from '../http/fields/index.js';

/** How a site's prices are meant. */
export class SiteSettings {
  @OneOf(PRICES, { description: '`Gross`: prices of items have tax in them.', nullable: false, example: 'Gross' })
  Prices?: (typeof PRICES)[number];
  @Text(255, {
    description: 'Where the prices hold; ISO 3166-1 code or English name. Needed by RemoveTax and Adjust.',
    example: 'DE',
  })
  HomeCountry?: string | null;
  @Text(255, { description: 'Requires HomeCountry.', example: 'BE' }) HomeState?: string | null;
  @Text(255, { description: 'Requires HomeCountry.', example: 'Berlin' }) HomeCity?: string | null;
  @Text(255, { description: 'Requires HomeCountry.', example: '10115' }) HomePostcode?: string | null;
  @OneOf(GROSS_OUTSIDE, {
    description:
      'What a gross price is elsewhere. `Keep`: the same at every address. `RemoveTax`: without the tax of home where no tax applies. `Adjust`: the tax of home is taken out, that of the address added.',
    nullable: false,
    example: 'Adjust',
  })
  GrossOutside?: (typeof GROSS_OUTSIDE)[number];
  @Flag({
    description: 'Whether MinSubtotal of shipping rates is compared with the subtotal and its tax.',
    nullable: false,
    example: false,
  })
  MinSubtotalGross?: boolean;
  @OneOf(PRICES, { description: '`Gross`: shipping rates have tax in them.', nullable: false, example: 'Net' })
  ShippingPrices?: (typeof PRICES)[number];
  @OneOf(SHIPPING_TAX, {
    description:
      'Which tax is on shipping. `None`. `ByRate`: of the goods’ class, by rates with AppliesToShipping. `Proportional`: as on the goods, by their net value. `HighestRate`: the highest on the goods.',
    nullable: false,
    example: 'ByRate',
  })
  ShippingTax?: (typeof SHIPPING_TAX)[number];
  @OneOf(ROUND_TAX, {
    description: 'Where tax is rounded: on each line, or once in total.',
    nullable: false,
    example: 'Line',
  })
  RoundTax?: (typeof ROUND_TAX)[number];
}
