import { Customer } from '../accounts/customer.entity.js';
import { Product } from '../catalog/product.entity.js';
import { Amount, Flag, Int64, KeyPart, Text, Utc } from '../table/columns.js';
import { Check, Entity, ForeignKey, Index } from '../table/decorators.js';
import { Row } from '../table/row.js';
import { SiteRow, WithBillingAddress, WithShippingAddress } from '../table/site-row.js';
import { ScheduledOrder } from './scheduled-order.entities.js';

/**
 * A completed order: history, never recalculated. Amounts are decimals of its currency. Its foreign keys are not
 * checked.
 */
@Entity('orders')
@Index('ix_orders_site', ['siteId', 'id'], { where: 'deleted_utc IS NULL' })
@Index('ix_orders_customer', ['customerId', 'id'], { where: 'deleted_utc IS NULL' })
@Index('uq_orders_external_id', ['siteId', 'externalId'], {
  unique: true,
  where: 'deleted_utc IS NULL AND external_id IS NOT NULL',
})
@Index('ix_orders_order_number', ['siteId', 'orderNumber'], {
  where: 'deleted_utc IS NULL AND order_number IS NOT NULL',
})
@Index('ix_orders_processed', { synchronize: false }) // a BRIN
@Index('uq_orders_cycle', ['scheduledOrderId', 'cycle'], { unique: true, where: 'scheduled_order_id IS NOT NULL' })
@Index('uq_orders_transaction', ['siteId', 'paymentMethodType', 'gatewayTransactionId'], {
  unique: true,
  where: 'gateway_transaction_id IS NOT NULL',
})
@Check('ck_orders_amounts', 'subtotal >= 0 AND total >= 0 AND shipping_total >= 0 AND tax_total >= 0')
@Check('ck_orders_cycle', '(scheduled_order_id IS NULL) = (cycle IS NULL)')
export class Order extends WithBillingAddress(WithShippingAddress(SiteRow)) {
  @Text(255) externalId!: string | null;
  @Text(255) orderNumber!: string | null;

  @ForeignKey(() => Customer)
  @Int64()
  customerId!: number;

  @Utc() dateCreated!: Date | null;
  @Utc() dateCompleted!: Date | null;
  @Utc() datePaid!: Date | null;
  @Amount() subtotal!: string | null;
  @Amount() total!: string | null;
  @Amount() shippingTotal!: string | null;
  @Amount() taxTotal!: string | null;
  @Flag() isRecurring!: boolean;

  /** The cycle that wrote this order. It is unique, so that no cycle is recorded twice. */
  @ForeignKey(() => ScheduledOrder)
  @Int64({ nullable: true })
  scheduledOrderId!: number | null;

  @Int64({ nullable: true }) cycle!: number | null;

  /** Of what processing has written. */
  @Text(3) currencyIso!: string | null;

  /**
   * The transaction that paid it, and its gateway: it can pay no other Order of the site. Of what processing has
   * written.
   */
  @Text(255) gatewayTransactionId!: string | null;
  @Text(16) paymentMethodType!: string | null;
}

/** Its foreign keys are not checked. */
@Entity('order_items')
@Check('ck_order_items_amounts', 'subtotal >= 0 AND total >= 0 AND tax_total >= 0 AND quantity >= 1')
export class OrderItem extends Row {
  @Int64() siteId!: number;

  /** First in the primary key, which is the index of an Order's items. */
  @ForeignKey(() => Order)
  @KeyPart()
  orderId!: number;

  @ForeignKey(() => Product)
  @Int64({ nullable: true })
  productId!: number | null;

  @Text(255) name!: string | null;
  @Amount() subtotal!: string | null;
  @Amount() total!: string | null;
  @Amount() taxTotal!: string | null;
  @Int64({ default: 1 }) quantity!: number;
  @Flag() isRecurring!: boolean;
}
