import { ApiSchema } from '@nestjs/swagger';
import {
  BillingAddress,
  Flag,
  Int64,
  NestedArray,
  Price,
  type ReadOnly,
  readOnlyField,
  ReadOnlyId,
  Reference,
  RefusedField,
  ShippingAddress,
  Stamps,
  Text,
  Utc,
} from '../../http/fields/index.js';
import { ProductDto } from '../catalog/product.dto.js';

class OrderItemFields {
  @Reference({
    description: 'In a PUT: the item of this order to change; without it a new one is made.',
    neverAnsweredNull: true,
  })
  Id?: number | null;
  @ReadOnlyId({ description: 'The order it belongs to.' }) OrderId?: ReadOnly;
  @Reference({ description: 'What was sold; of the order’s site.' }) ProductId?: number | null;
  @readOnlyField({
    type: () => ProductDto,
    nullable: true,
    description: 'The product, as it is now; null without one.',
  })
  Product?: ReadOnly;
  @Text(255, { description: 'As it was called then.', example: 'Coffee, 1 kg' }) Name?: string | null;
  @Price({ description: 'Taken as sent, never recalculated.', example: 25 }) Subtotal?: string | null;
  @Price({ description: 'Taken as sent, never recalculated.', example: 25 }) Total?: string | null;
  @Price({ description: 'Taken as sent, never recalculated.', example: 2.06 }) TaxTotal?: string | null;
  @Int64({ min: 1, max: 1_000_000, nullable: false, description: '1 unless sent.', example: 2 }) Quantity?: number;
  @Flag({ nullable: false, description: 'That of the order unless sent.', example: true }) IsRecurring?: boolean;
}

/** What was sold with an order. */
@ApiSchema({ name: 'OrderItem' })
export class OrderItemDto extends Stamps(OrderItemFields) {}

class OrderFields {
  @ReadOnlyId({ description: 'Identifier.' }) Id?: ReadOnly;
  @Text(255, { description: 'Order id in the external shop; unique on its site.', example: '98231' })
  ExternalId?: string | null;
  @Text(255, { description: 'Order number in the external shop.', example: 'A-98231' }) OrderNumber?: string | null;
  @Reference({ description: 'Whose order it is; required on creation.', nullable: false }) CustomerId?: number;
  @Utc({ description: 'When it was created in the shop.' }) DateCreated?: Date | null;
  @Utc({ description: 'When the shop completed it.' }) DateCompleted?: Date | null;
  @Utc({ description: 'When it was paid.' }) DatePaid?: Date | null;
  @Price({ description: 'Taken as sent, never recalculated.', example: 25 }) Subtotal?: string | null;
  @Price({ description: 'Taken as sent, never recalculated.', example: 32.06 }) Total?: string | null;
  @Price({ description: 'Taken as sent, never recalculated.', example: 5 }) ShippingTotal?: string | null;
  @Price({ description: 'Taken as sent, never recalculated.', example: 2.06 }) TaxTotal?: string | null;
  @Flag({ nullable: false, description: 'False unless sent.', example: false }) IsRecurring?: boolean;
}

class OrderWithItems extends BillingAddress(ShippingAddress(OrderFields)) {
  @NestedArray(() => OrderItemDto, {
    description:
      'Made or changed together with the order; null changes nothing, and items not named stay. At most MAX_ITEMS_PER_ORDER (500).',
  })
  OrderItems?: OrderItemDto[];
}

/** A completed order: history. */
@RefusedField('SiteId', 'is not accepted: an order is on the site of its customer. Leave it out: CustomerId says it.')
@ApiSchema({ name: 'Order' })
export class OrderDto extends Stamps(OrderWithItems) {}
