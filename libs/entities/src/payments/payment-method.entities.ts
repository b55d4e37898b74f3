import { Customer } from '../accounts/customer.entity.js';
import { Int64, KeyPart, StampUtc, Text } from '../table/columns.js';
import { Check, Entity, ForeignKey, Index, PrimaryColumn } from '../table/decorators.js';
import { SiteRow, WithBillingAddress } from '../table/site-row.js';

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

/**
 * A gateway's customer id that a Merchant token has recorded for a customer. A Customer token may use these and no
 * other: gateway ids can be guessed (decisions.md §3, "Whose card").
 */
@Entity('gateway_customers')
export class GatewayCustomer {
  @ForeignKey(() => Customer)
  @KeyPart()
  customerId!: number;

  @PrimaryColumn({ type: 'varchar', length: 16 }) type!: 'GatewayOne' | 'GatewayTwo';
  @PrimaryColumn({ type: 'varchar', length: 255 }) gatewayCustomerId!: string;
  @StampUtc() createdUtc!: Date;
}
