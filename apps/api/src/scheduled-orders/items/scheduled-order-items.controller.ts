import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { ScheduledOrderItemDto } from '../../contract/orders/scheduled-order-item.dto.js';
import { FromCaller } from '../../http/caller.js';
import { Idempotency } from '../../http/idempotency.js';
import { Lists } from '../../http/lists/lists.js';
import { CheckedBody, type Input, PageOrWhole, type PageRequest, PathId } from '../../http/parameters/parameters.js';
import { Create, List, Read, Remove, Update } from '../../http/route.js';
import { ScheduledOrderItemsService } from './scheduled-order-items.service.js';

@Controller()
@ApiTags('Scheduled order items')
export class ScheduledOrderItemsController {
  constructor(
    private readonly items: ScheduledOrderItemsService,
    private readonly lists: Lists,
  ) {}

  @List('/api/ScheduledOrderItems', ScheduledOrderItemDto, {
    audience: 'both',
    operationId: 'listScheduledOrderItems',
    summary: 'Lists items of scheduled orders by Id',
  })
  list(@FromCaller() caller: Caller, @PageOrWhole() page: PageRequest) {
    return this.lists.answer(page, this.items.list(caller));
  }

  @Create('/api/ScheduledOrderItems', ScheduledOrderItemDto, {
    audience: 'both',
    operationId: 'createScheduledOrderItem',
    summary: 'Adds an item to a scheduled order',
  })
  create(
    @FromCaller() caller: Caller,
    @CheckedBody(ScheduledOrderItemDto, 'Id') item: Input<ScheduledOrderItemDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.items.create(caller, item, once);
  }

  @Update('/api/ScheduledOrderItems/:scheduledOrderItemId', ScheduledOrderItemDto, {
    audience: 'both',
    operationId: 'updateScheduledOrderItem',
    summary: 'Updates the fields sent',
    description: 'A Customer token may not change prices.',
  })
  update(
    @FromCaller() caller: Caller,
    @PathId('scheduledOrderItemId') id: number,
    @CheckedBody(ScheduledOrderItemDto, 'Id', 'ScheduledOrderId') item: Input<ScheduledOrderItemDto>,
  ) {
    return this.items.update(caller, id, item);
  }

  @Read('/api/ScheduledOrderItems/:scheduledOrderItemId', ScheduledOrderItemDto, {
    audience: 'both',
    operationId: 'getScheduledOrderItem',
    summary: 'Gets an item',
  })
  get(@FromCaller() caller: Caller, @PathId('scheduledOrderItemId') id: number) {
    return this.items.get(caller, id);
  }

  @Remove('/api/ScheduledOrderItems/:scheduledOrderItemId', {
    audience: 'both',
    operationId: 'deleteScheduledOrderItem',
    summary: 'Takes an item out of its scheduled order',
  })
  delete(@FromCaller() caller: Caller, @PathId('scheduledOrderItemId') id: number) {
    return this.items.delete(caller, id);
  }
}
