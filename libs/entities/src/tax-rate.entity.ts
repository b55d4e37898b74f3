import { Flag, Percentage, Text } from './columns.js';
import { Check, Column, Entity, Index } from './decorators.js';
import { LOCATION_CHECK, SiteRow, WithLocation } from './site-row.js';

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
