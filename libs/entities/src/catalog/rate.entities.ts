import { Site } from '../accounts/site.entity.js';
import { Flag, Int64, KeyPart, Percentage, Price, Text, Utc } from '../table/columns.js';
import { Check, Column, Entity, ForeignKey, Index } from '../table/decorators.js';
import { LOCATION_CHECK, SiteRow, WithLocation } from '../table/site-row.js';

@Entity('tax_rates')
@Index('ix_tax_rates_site', ['siteId', 'id'], { where: 'deleted_utc IS NULL' })
@Index('ix_tax_rates_place', { synchronize: false }) // by place_key, an expression
@Check('ck_tax_rates_location', LOCATION_CHECK)
@Check('ck_tax_rates_rate', 'rate >= 0')
export class TaxRate extends WithLocation(SiteRow) {
  @Text(255) taxClass!: string | null;
  @Percentage() rate!: string | null;
  @Flag() isCompound!: boolean;
  @Text(255) name!: string | null;
  /** What the tax is known by in place of its name, where set. */
  @Column({ type: 'integer', nullable: true }) priority!: number | null;
  @Flag() appliesToShipping!: boolean;
}

@Entity('shipping_rates')
@Index('ix_shipping_rates_site', ['siteId', 'id'], { where: 'deleted_utc IS NULL' })
@Index('ix_shipping_rates_place', { synchronize: false }) // by place_key, an expression
@Check('ck_shipping_rates_location', LOCATION_CHECK)
@Check(
  'ck_shipping_rates_amounts',
  'price_per_unit >= 0 AND base_price >= 0 AND min_units >= 0 AND min_cycles >= 0 AND min_subtotal >= 0',
)
export class ShippingRate extends WithLocation(SiteRow) {
  @Text(255) shippingClass!: string | null;
  @Price() pricePerUnit!: string | null;
  @Price() basePrice!: string | null;
  @Int64({ nullable: true }) minUnits!: number | null;
  @Int64({ nullable: true }) minCycles!: number | null;
  @Price() minSubtotal!: string | null;
  @Text(255) name!: string | null;
}

/**
 * Triggers raise it with every statement that writes rates of a site. While the version is unchanged, rates that were
 * read under it are the site's rates. The instant distinguishes it from the same number in a restored database. They
 * count the rates that are not deleted as well.
 */
@Entity('rate_versions')
export class RateVersion {
  @ForeignKey(() => Site)
  @KeyPart()
  siteId!: number;

  @Int64() version!: number;
  @Utc({}) changedUtc!: Date;
  @Int64({ default: 0 }) rates!: number;
}
