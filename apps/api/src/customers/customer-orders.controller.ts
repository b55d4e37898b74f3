import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { ScheduledOrderDto } from '../contract/orders/scheduled-order.dto.js';
import { FromCaller } from '../http/caller.js';
import { Lists } from '../http/lists/lists.js';
import { Page, type PageRequest, PathId } from '../http/parameters/parameters.js';
import { List, Route } from '../http/route.js';
import { CustomersService } from './customers.service.js';

@Controller()
@ApiTags('Customers')
export class CustomerOrdersController {
  constructor(
    private readonly customers: CustomersService,
    private readonly lists: Lists,
  ) {}

  @List('/api/Customers/:customerId/ScheduledOrders', ScheduledOrderDto, {
    audience: 'both',
    operationId: 'listScheduledOrdersOfCustomer',
    summary: "Lists a customer's scheduled orders by Id, 100 a page",
    errors: [404],
  })
  async list(@FromCaller() caller: Caller, @PathId('customerId') customerId: number, @Page() page: PageRequest) {
    return this.lists.answer(page, await this.customers.scheduledOrdersOf(caller, customerId));
  }

  @Route('GET', '/api/Customers/:customerId/ScheduledOrders/PageCount', {
    audience: 'both',
    operationId: 'countScheduledOrderPagesOfCustomer',
    summary: "Counts the pages of a customer's scheduled orders",
    gives: { schema: { type: 'integer', format: 'int64', minimum: 0, example: 1 } },
    errors: [400, 404],
  })
  async pageCount(@FromCaller() caller: Caller, @PathId('customerId') customerId: number) {
    return String(await (await this.customers.scheduledOrdersOf(caller, customerId)).pageCount());
  }
}
