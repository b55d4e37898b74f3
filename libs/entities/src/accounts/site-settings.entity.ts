import { Flag, KeyPart, Text } from '../table/columns.js';
import { Check, Column, Entity, ForeignKey } from '../table/decorators.js';
import { Site } from './site.entity.js';

/** One of a few words, which a check of the table names. */
const Word = (word: string) => Column({ type: 'text', default: word });

/** The notice of a site without settings, in days. */
export const UPCOMING_NOTICE_DAYS = 3;

/**
 * How a site's prices are meant, and which events it wants; a site without a row has the defaults. Writing it raises
 * the site's version of rates.
 */
@Entity('site_settings')
@Check('ck_site_settings_prices', `prices IN ('Net', 'Gross')`)
@Check('ck_site_settings_gross_outside', `gross_outside IN ('Keep', 'RemoveTax', 'Adjust')`)
@Check('ck_site_settings_shipping_prices', `shipping_prices IN ('Net', 'Gross')`)
@Check('ck_site_settings_shipping_tax', `shipping_tax IN ('None', 'ByRate', 'Proportional', 'HighestRate')`)
@Check('ck_site_settings_round_tax', `round_tax IN ('Line', 'Total')`)
@Check('ck_site_settings_upcoming_notice_days', `upcoming_notice_days BETWEEN 0 AND 60`)
export class SiteSettings {
  @ForeignKey(() => Site)
  @KeyPart()
  siteId!: number;

  @Word('Net') prices!: 'Net' | 'Gross';
  @Text(255) homeCountry!: string | null;
  @Text(255) homeState!: string | null;
  @Text(255) homeCity!: string | null;
  @Text(255) homePostcode!: string | null;
  @Word('Keep') grossOutside!: 'Keep' | 'RemoveTax' | 'Adjust';
  @Flag() minSubtotalGross!: boolean;
  @Word('Net') shippingPrices!: 'Net' | 'Gross';
  @Word('None') shippingTax!: 'None' | 'ByRate' | 'Proportional' | 'HighestRate';
  @Word('Line') roundTax!: 'Line' | 'Total';
  /** Events are kept for the feed, even when no endpoint receives them. */
  @Flag() keepEvents!: boolean;
  /** How many days before an occurrence it is announced; 0: never. */
  @Column({ type: 'integer', default: UPCOMING_NOTICE_DAYS }) upcomingNoticeDays!: number;
}
