import { Int64, Price } from './columns.js';
import { Check, Entity, ForeignKey, Index } from './decorators.js';
import { Product } from './product.entity.js';
import { ScheduledOrder } from './scheduled-order.entity.js';
import { SiteRow } from './site-row.js';

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
