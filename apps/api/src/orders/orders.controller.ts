import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { ListCountDto } from '../contract/orders/list-count.dto.js';
import { OrderDto } from '../contract/orders/order.dto.js';
import { FromCaller } from '../http/caller.js';
import { Idempotency } from '../http/idempotency.js';
import { Lists } from '../http/lists/lists.js';
import { CheckedBody, type Input, PathId } from '../http/parameters/parameters.js';
import {
  CAN_BE_FILTERED,
  CountParameters,
  type ListFilter,
  ListParameters,
  type ListRequest,
} from '../http/query/index.js';
import { Create, List, Read, Remove, Route, Update } from '../http/route.js';
import { OrderId } from './order-id.js';
import { FILTERABLE, type OrderFilters } from './order-query.js';
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
    @CheckedBody(OrderDto, 'OrderItems.Id') order: Input<OrderDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.orders.create(caller, order, once);
  }

  @List('/api/Orders', OrderDto, {
    audience: 'both',
    operationId: 'listOrders',
    summary: 'Lists completed orders by Id',
    description: CAN_BE_FILTERED,
  })
  list(@FromCaller() caller: Caller, @ListParameters(FILTERABLE) request: ListRequest<OrderFilters>) {
    return this.lists.query(request, {
      plain: () => this.orders.list(caller),
      filtered: (query) => this.orders.filter(caller, query),
    });
  }

  @Route('GET', '/api/Orders/Count', {
    audience: 'both',
    operationId: 'countOrders',
    summary: 'Counts completed orders, exactly up to 10,000',
    gives: ListCountDto,
    errors: [400],
    addition: true,
  })
  async count(@FromCaller() caller: Caller, @CountParameters(FILTERABLE) filter: ListFilter<OrderFilters>) {
    return this.lists.count(caller, await this.orders.filter(caller, filter));
  }

  @Update('/api/Orders/:orderId', OrderDto, {
    audience: 'merchant',
    operationId: 'updateOrder',
    summary: 'Updates the fields sent',
    description: 'An element of OrderItems with an Id changes that item, one without makes a new one; others stay.',
  })
  update(@FromCaller() caller: Caller, @OrderId() id: number, @CheckedBody(OrderDto) order: Input<OrderDto>) {
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
  delete(@FromCaller() caller: Caller, @PathId('orderId') id: number) {
    return this.orders.delete(caller, id);
  }
}
