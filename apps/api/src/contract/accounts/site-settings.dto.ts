import { ApiSchema } from '@nestjs/swagger';
import { GROSS_OUTSIDE, PRICES, ROUND_TAX, SHIPPING_TAX } from '#libs/rules';
import { Flag, Int64, OneOf, Text } from '../../http/fields/index.js';
import { explained, GROSS_OUTSIDE_WORDS, PRICES_WORDS, ROUND_TAX_WORDS, SHIPPING_TAX_WORDS } from '../words.js';

const Word = (values: readonly string[], about: string, words: Readonly<Record<string, string>>, example: string) =>
  OneOf(values, { description: explained(about, words), nullable: false, example });

/** How a site's prices are meant, and which events it wants. */
@ApiSchema({ name: 'SiteSettings' })
export class SiteSettingsDto {
  @Word(PRICES, 'Prices of items.', PRICES_WORDS, 'Gross') Prices?: (typeof PRICES)[number];
  @Text(255, {
    description: 'Where the prices hold; ISO 3166-1 code or English name. Needed by RemoveTax and Adjust.',
    example: 'DE',
  })
  HomeCountry?: string | null;
  @Text(255, { description: 'Requires HomeCountry.', example: 'BE' }) HomeState?: string | null;
  @Text(255, { description: 'Requires HomeCountry.', example: 'Berlin' }) HomeCity?: string | null;
  @Text(255, { description: 'Requires HomeCountry.', example: '10115' }) HomePostcode?: string | null;
  @Word(GROSS_OUTSIDE, 'What a gross price is elsewhere.', GROSS_OUTSIDE_WORDS, 'Adjust')
  GrossOutside?: (typeof GROSS_OUTSIDE)[number];
  @Flag({
    description: 'Whether MinSubtotal of shipping rates is compared with the subtotal and its tax.',
    nullable: false,
    example: false,
  })
  MinSubtotalGross?: boolean;
  @Word(PRICES, 'Prices of shipping rates.', PRICES_WORDS, 'Net') ShippingPrices?: (typeof PRICES)[number];
  @Word(SHIPPING_TAX, 'Which taxes are on shipping.', SHIPPING_TAX_WORDS, 'ByRate')
  ShippingTax?: (typeof SHIPPING_TAX)[number];
  @Word(ROUND_TAX, 'Where tax is rounded.', ROUND_TAX_WORDS, 'Line') RoundTax?: (typeof ROUND_TAX)[number];
  @Flag({
    description: 'Whether events are kept for the event feed, also without a webhook endpoint.',
    nullable: false,
    example: true,
  })
  KeepEvents?: boolean;
  @Int64({
    min: 0,
    max: 60,
    nullable: false,
    description: 'How many days before an occurrence scheduled_order.upcoming tells of it; 0: never.',
    example: 3,
  })
  UpcomingNoticeDays?: number;
}
