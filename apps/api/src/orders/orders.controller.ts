import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { OrderDto } from '../contract/order.dto.js';
import { FromCaller } from '../http/caller.js';
import { Idempotency } from '../http/idempotency.js';
import { Lists } from '../http/lists.js';
import { Body, Id, type Input, PageOrWhole, type PageRequest } from '../http/parameters.js';
import { Create, List, Read, Remove, Update } from '../http/route.js';
import { OrderId } from './order-id.js';
import { OrdersService } from './orders.service.js';

@Controller()
@ApiTags('Orders')
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly lists: Lists,
  ) {}

  @Create('/api/Orders', OrderDto, {
    audience: 'merchant',
    operationId: 'createOrder',
    summary: 'Records a completed order',
    description: 'Its amounts are history: taken as sent. OrderItems are made with it.',
  })
  create(
    @FromCaller() caller: Caller,
    // A client that posts a copy of a GET's answer gets new items.
    @Body(OrderDto, 'OrderItems.Id') order: Input<OrderDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.orders.create(caller, order, once);
  }

  @List('/api/Orders', OrderDto, {
    audience: 'both',
    operationId: 'listOrders',
    summary: 'Lists completed orders by Id',
  })
  list(@FromCaller() caller: Caller, @PageOrWhole() page: PageRequest) {
    return this.lists.answer(page, this.orders.list(caller));
  }

  @Update('/api/Orders/:orderId', OrderDto, {
    audience: 'merchant',
    operationId: 'updateOrder',
    summary: 'Updates the fields sent',
    description: 'An element of OrderItems with an Id changes that item, one without makes a new one; others stay.',
  })
  update(@FromCaller() caller: Caller, @OrderId() id: number, @Body(OrderDto) order: Input<OrderDto>) {
    return this.orders.update(caller, id, order);
  }

  @Read('/api/Orders/:orderId', OrderDto, {
    audience: 'both',
    operationId: 'getOrder',
    summary: 'Gets a completed order',
  })
  get(@FromCaller() caller: Caller, @OrderId() id: number) {
    return this.orders.get(caller, id);
  }

  @Remove('/api/Orders/:orderId', {
    audience: 'merchant',
    operationId: 'deleteOrder',
    summary: 'Deletes a completed order',
  })
  delete(@FromCaller() caller: Caller, @Id('orderId') id: number) {
    return this.orders.delete(caller, id);
  }
}
