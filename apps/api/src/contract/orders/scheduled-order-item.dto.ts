import { ApiSchema } from '@nestjs/swagger';
import { Int64, Price, type ReadOnly, readOnlyField, Reference, Stamps } from '../../http/fields/index.js';
import { ProductDto } from '../catalog/product.dto.js';

class ScheduledOrderItemFields {
  @Reference({
    description: "Identifier. In an order's array it names the item to update; elsewhere it is the service's.",
    neverAnsweredNull: true,
  })
  Id?: number | null;
  @Reference({
    description: 'Parent scheduled order. Required on creation; ignored afterwards.',
    neverAnsweredNull: true,
  })
  ScheduledOrderId?: number | null;
  @Reference({
    description:
      'Referenced product. Another product sets its own prices on the item, unless a Merchant token sends a Price with it.',
    nullable: false,
  })
  ProductId?: number;
  @readOnlyField({ type: () => ProductDto, description: 'The product, as it is now.' }) Product?: ReadOnly;
  @Price({
    description: "Regular price of the item; left out on creation, the product's prices at that moment.",
    neverAnsweredNull: true,
  })
  Price?: string | null;
  @Price({ description: 'Sale price; replaces Price when set.', example: 9.99 }) SalePrice?: string | null;
  @Int64({
    min: 1,
    max: 1_000_000,
    nullable: false,
    example: 2,
    description: 'Quantity; 1 unless given. A Customer token may set up to MAX_QUANTITY_PER_ITEM (999).',
  })
  Quantity?: number;
}

/** A line of a scheduled order. */
@ApiSchema({ name: 'ScheduledOrderItem' })
export class ScheduledOrderItemDto extends Stamps(ScheduledOrderItemFields) {}
