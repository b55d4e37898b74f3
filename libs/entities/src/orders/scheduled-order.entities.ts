import { Customer } from '../accounts/customer.entity.js';
import { Product } from '../catalog/product.entity.js';
import { Flag, Int64, Price, Text, Utc } from '../table/columns.js';
import { Check, Entity, ForeignKey, Index } from '../table/decorators.js';
import { SiteRow, WithShippingAddress } from '../table/site-row.js';

/** A recurring order. Totals are minor units of `currencyIso` (decisions.md §1). */
@Entity('scheduled_orders')
@Index('ix_scheduled_orders_due', ['nextOccurrenceUtc', 'id'], {
  where: `status = 'Active' AND deleted_utc IS NULL AND NOT simulated`,
})
@Index('ix_scheduled_orders_site_due', ['siteId', 'nextOccurrenceUtc', 'id'], {
  where: `status = 'Active' AND deleted_utc IS NULL`,
})
@Index('ix_scheduled_orders_site', ['siteId', 'id'], { where: 'deleted_utc IS NULL' })
@Index('ix_scheduled_orders_held_id', ['siteId', 'status', 'id'], {
  where: `status <> 'Active' AND deleted_utc IS NULL`,
})
@Index('ix_scheduled_orders_held', { synchronize: false }) // an expression
@Index('ix_scheduled_orders_deleted_id', ['siteId', 'status', 'id'], { where: 'deleted_utc IS NOT NULL' })
@Index('ix_scheduled_orders_deleted', { synchronize: false }) // an expression
@Index('ix_scheduled_orders_deleted_customer', ['customerId', 'id'], { where: 'deleted_utc IS NOT NULL' })
@Index('ix_scheduled_orders_customer', ['customerId', 'id'])
@Index('uq_scheduled_orders_external_id', ['siteId', 'externalId'], {
  unique: true,
  where: 'deleted_utc IS NULL AND external_id IS NOT NULL',
})
@Check('ck_scheduled_orders_status', `status IN ('Active', 'Pending', 'Paused')`)
@Check(
  'ck_scheduled_orders_frequency',
  `(frequency IS NULL) = (frequency_type IS NULL) AND frequency >= 1 AND frequency <= CASE frequency_type WHEN 'Days' THEN 3650 WHEN 'Weeks' THEN 520 WHEN 'Months' THEN 120 WHEN 'DayOfTheWeek' THEN 7 WHEN 'DayOfTheMonth' THEN 31 ELSE 0 END`,
)
@Check(
  'ck_scheduled_orders_active',
  `status <> 'Active' OR (frequency IS NOT NULL AND next_occurrence_utc IS NOT NULL)`,
)
@Check('ck_scheduled_orders_cancelled', `cancelled_utc IS NULL OR status = 'Paused'`)
@Check('ck_scheduled_orders_totals', 'shipping_total >= 0 AND tax_total >= 0 AND total >= 0 AND cycles >= 0')
@Check('ck_scheduled_orders_currency_iso', `currency_iso ~ '^[A-Z]{3}$'`)
@Check('ck_scheduled_orders_payment_method_type', `payment_method_type IN ('GatewayOne', 'GatewayTwo')`)
export class ScheduledOrder extends WithShippingAddress(SiteRow) {
  @ForeignKey(() => Customer)
  @Int64()
  customerId!: number;

  @Utc() lastOccurrenceUtc!: Date | null;
  @Utc() nextOccurrenceUtc!: Date | null;
  @Text(16, {}) status!: 'Active' | 'Pending' | 'Paused';
  @Text(16) frequencyType!: 'Days' | 'Weeks' | 'Months' | 'DayOfTheWeek' | 'DayOfTheMonth' | null;
  @Int64({ nullable: true }) frequency!: number | null;
  @Int64({ default: 0 }) cycles!: number;
  /**
   * The number of the newest cycle that was moved from the ledger to the archive. The numbers of new cycles are higher.
   */
  @Int64({ nullable: true }) archivedCycle!: number | null;
  @Text(3, {}) currencyIso!: string;
  @Text(16) paymentMethodType!: 'GatewayOne' | 'GatewayTwo' | null;
  @Text(255) paymentMethodCustomerId!: string | null;
  @Text(255) paymentMethodId!: string | null;
  @Text(2000) paymentMethodDescription!: string | null;
  @Int64({ default: 0 }) shippingTotal!: number;
  @Int64({ default: 0 }) taxTotal!: number;
  @Int64({ default: 0 }) total!: number;

  /** The instant from which occurrences are counted (decisions.md §6). */
  @Utc({}) scheduleAnchorUtc!: Date;
  /**
   * The regular occurrence that a rescheduled `nextOccurrenceUtc` replaces; null when the next occurrence is regular.
   */
  @Utc() replacedOccurrenceUtc!: Date | null;
  /** When Process was called last: two calls within a short time are one (decisions.md §9). */
  @Utc() processRequestedUtc!: Date | null;
  /** True where the shop sets the total itself (decisions.md §8). */
  @Flag() shippingTotalFixed!: boolean;
  @Flag() taxTotalFixed!: boolean;
  /** As its site: a trigger copies it. */
  @Flag() simulated!: boolean;

  // Its terms, which are a resource of their own.
  @Utc() cancelledUtc!: Date | null;
  /** The shop's own reference. */
  @Text(255) externalId!: string | null;
  @Text(2000) cancelReason!: string | null;
  /** For the shop's people: customers never read it. */
  @Text(2000) note!: string | null;
}

@Entity('scheduled_order_items')
@Index('ix_scheduled_order_items_order', ['scheduledOrderId', 'id'])
@Index('ix_scheduled_order_items_deleted', ['scheduledOrderId', 'id'], { where: 'deleted_utc IS NOT NULL' })
@Index('ix_scheduled_order_items_site', ['siteId', 'id'], { where: 'deleted_utc IS NULL' })
@Index('ix_scheduled_order_items_product', ['productId', 'scheduledOrderId'])
@Check('ck_scheduled_order_items_amounts', 'price >= 0 AND sale_price >= 0 AND quantity >= 1 AND quantity <= 1000000')
export class ScheduledOrderItem extends SiteRow {
  @ForeignKey(() => ScheduledOrder)
  @Int64()
  scheduledOrderId!: number;

  @ForeignKey(() => Product)
  @Int64()
  productId!: number;

  @Price({}) price!: string;
  @Price() salePrice!: string | null;
  @Int64({ default: 1 }) quantity!: number;
}
