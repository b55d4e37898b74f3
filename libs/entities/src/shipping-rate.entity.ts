import { Int64, Price, Text } from './columns.js';
import { Check, Entity, Index } from './decorators.js';
import { LOCATION_CHECK, SiteRow, WithLocation } from './site-row.js';

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
