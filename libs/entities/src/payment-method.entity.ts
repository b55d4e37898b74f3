import { Int64, Text } from './columns.js';
import { Customer } from './customer.entity.js';
import { Check, Entity, ForeignKey, Index } from './decorators.js';
import { SiteRow, WithBillingAddress } from './site-row.js';

/**
 * A card or account of a customer, by its ids in the gateway: one record per customer, type and pair of gateway ids.
 */
@Entity('payment_methods')
@Index('ix_payment_methods_customer', ['customerId', 'id'])
@Index('uq_payment_methods_gateway_ids', ['customerId', 'type', 'gatewayCustomerId', 'gatewayPaymentId'], {
  unique: true,
  where: 'deleted_utc IS NULL',
})
@Check('ck_payment_methods_type', `type IN ('GatewayOne', 'GatewayTwo')`)
export class PaymentMethod extends WithBillingAddress(SiteRow) {
  @ForeignKey(() => Customer)
  @Int64()
  customerId!: number;

  @Text(16) type!: 'GatewayOne' | 'GatewayTwo' | null;
  @Text(255) gatewayCustomerId!: string | null;
  @Text(255) gatewayPaymentId!: string | null;
  @Text(2000) description!: string | null;
}
