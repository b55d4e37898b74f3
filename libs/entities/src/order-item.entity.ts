import { Check, Entity, ForeignKey, Index } from 'typeorm';
import { Amount, Flag, Int64, Text } from './columns.js';
import { Order } from './order.entity.js';
import { Product } from './product.entity.js';
import { Row } from './row.js';

/** Its foreign keys are not checked (migration 18). */
@Entity('order_items')
@Index('ix_order_items_order', ['orderId', 'id'])
@Check('ck_order_items_amounts', 'subtotal >= 0 AND total >= 0 AND tax_total >= 0 AND quantity >= 1')
export class OrderItem extends Row {
  @Int64() siteId!: number;

  @ForeignKey(() => Order)
  @Int64()
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
