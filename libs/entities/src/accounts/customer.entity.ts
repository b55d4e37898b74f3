import { Flag, ReadyMadeJson, Text, Utc } from '../table/columns.js';
import { Entity, Index } from '../table/decorators.js';
import { SiteRow, WithBillingAddress, WithShippingAddress } from '../table/site-row.js';

@Entity('customers')
@Index('ix_customers_site', ['siteId', 'id'], { where: 'deleted_utc IS NULL' })
@Index('ix_customers_email', { synchronize: false }) // expressions
@Index('ix_customers_last_name', { synchronize: false })
@Index('uq_customers_external_id', ['siteId', 'externalId'], { unique: true, where: 'deleted_utc IS NULL' })
export class Customer extends WithBillingAddress(WithShippingAddress(SiteRow)) {
  @Text(255) externalId!: string | null;
  @Text(255) email!: string | null;
  @Text(255) firstName!: string | null;
  @Text(255) lastName!: string | null;
  @Utc() created!: Date | null;
  @Flag() taxExempt!: boolean;
  @Text(255) vatNumber!: string | null;
  @ReadyMadeJson() json?: unknown;
}
