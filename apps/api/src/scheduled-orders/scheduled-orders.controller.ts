import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { ListCountDto } from '../contract/orders/list-count.dto.js';
import { ScheduledOrderDto } from '../contract/orders/scheduled-order.dto.js';
import { FromCaller } from '../http/caller.js';
import { ExternalId } from '../http/external-id.js';
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
import { FILTERABLE_ORDERS, type OrderFilters } from './filters/order-query.js';
import { ScheduledOrdersService } from './scheduled-orders.service.js';

@Controller()
@ApiTags('Scheduled orders')
export class ScheduledOrdersController {
  constructor(
    private readonly orders: ScheduledOrdersService,
    private readonly lists: Lists,
  ) {}

  @List('/api/ScheduledOrders', ScheduledOrderDto, {
    audience: 'both',
    operationId: 'listScheduledOrders',
    summary: 'Lists scheduled orders by Id',
    description: CAN_BE_FILTERED,
  })
  list(@FromCaller() caller: Caller, @ListParameters(FILTERABLE_ORDERS) request: ListRequest<OrderFilters>) {
    return this.lists.query(request, {
      plain: () => this.orders.list(caller),
      filtered: (query) => this.orders.filter(caller, query),
    });
  }

  @Route('GET', '/api/ScheduledOrders/Count', {
    audience: 'both',
    operationId: 'countScheduledOrders',
    summary: 'Counts scheduled orders, exactly up to 10,000',
    gives: ListCountDto,
    errors: [400],
    addition: true,
  })
  async count(@FromCaller() caller: Caller, @CountParameters(FILTERABLE_ORDERS) filter: ListFilter<OrderFilters>) {
    return this.lists.count(caller, await this.orders.filter(caller, filter));
  }

  @Create('/api/ScheduledOrders', ScheduledOrderDto, {
    audience: 'both',
    operationId: 'createScheduledOrder',
    summary: 'Creates a scheduled order, with its items if they are sent along',
    description:
      'If the site has tax rates, a Customer token cannot create an order whose shipping country is not a country.',
  })
  create(
    @FromCaller() caller: Caller,
    // A client that posts a copy of a GET's answer gets new items.
    @CheckedBody(ScheduledOrderDto, 'UpdatedUtc', 'ScheduledOrderItems.Id', 'ScheduledOrderItems.ScheduledOrderId')
    order: Input<ScheduledOrderDto>,
    @ExternalId() externalId: string | null,
    @Idempotency() once: Idempotency,
  ) {
    return this.orders.create(caller, { ...order, externalId }, once);
  }

  @Update('/api/ScheduledOrders/:scheduledOrderId', ScheduledOrderDto, {
    audience: 'both',
    operationId: 'updateScheduledOrder',
    summary: 'Updates the fields sent',
    description:
      'A Customer token may not change CustomerId, CurrencyIso, Cycles, prices or totals. It may not clear ShippingCountry, which is a country (ISO 3166-1 code or English name), or stays what it is. An UpdatedUtc that is not the stored one is a stale write: 409.',
  })
  update(
    @FromCaller() caller: Caller,
    @PathId('scheduledOrderId') id: number,
    @CheckedBody(ScheduledOrderDto, 'ScheduledOrderItems.ScheduledOrderId') order: Input<ScheduledOrderDto>,
  ) {
    return this.orders.update(caller, id, order);
  }

  @Read('/api/ScheduledOrders/:scheduledOrderId', ScheduledOrderDto, {
    audience: 'both',
    operationId: 'getScheduledOrder',
    summary: 'Gets a scheduled order',
  })
  get(@FromCaller() caller: Caller, @PathId('scheduledOrderId') id: number) {
    return this.orders.get(caller, id);
  }

  @Remove('/api/ScheduledOrders/:scheduledOrderId', {
    audience: 'both',
    operationId: 'deleteScheduledOrder',
    summary: 'Deletes a scheduled order with its items',
  })
  delete(@FromCaller() caller: Caller, @PathId('scheduledOrderId') id: number) {
    return this.orders.delete(caller, id);
  }
}
