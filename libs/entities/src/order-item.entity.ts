import { Amount, Flag, Int64, KeyPart, Text } from './columns.js';
import { Check, Entity, ForeignKey } from './decorators.js';
import { Order } from './order.entity.js';
import { Product } from './product.entity.js';
import { Row } from './row.js';

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
