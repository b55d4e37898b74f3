import { Controller, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type Caller, eachInTurn } from '#libs/records';
import { ActionLogDto, ErrorLogDto, EventLogDto } from '../contract/insight/log-entries.dto.js';
import { CycleDto } from '../contract/orders/cycle.dto.js';
import { FromCaller } from '../http/caller.js';
import { Lists } from '../http/lists/lists.js';
import { Page, type PageRequest, PathId } from '../http/parameters/parameters.js';
import { List } from '../http/route.js';
import { type LogAnswer, OrderLogsService } from './order-logs.service.js';

/** Nest sends the value that a handler returns. */
const Sending = () => Res({ passthrough: true });

@Controller()
@ApiTags('Logs')
export class OrderLogsController {
  constructor(
    private readonly logs: OrderLogsService,
    private readonly lists: Lists,
  ) {}

  @List('/api/ScheduledOrders/:scheduledOrderId/ActionLogs', ActionLogDto, {
    audience: 'both',
    operationId: 'listActionLogs',
    summary: 'Lists the last 20 changes by request, newest first',
    errors: [404],
  })
  async actions(@FromCaller() caller: Caller, @PathId('scheduledOrderId') id: number, @Sending() reply: FastifyReply) {
    return this.sent(reply, await this.logs.actions(caller, id));
  }

  @List('/api/ScheduledOrders/:scheduledOrderId/EventLogs', EventLogDto, {
    audience: 'both',
    operationId: 'listEventLogs',
    summary: 'Lists the last 20 events of processing, newest first',
    errors: [404],
  })
  async events(@FromCaller() caller: Caller, @PathId('scheduledOrderId') id: number, @Sending() reply: FastifyReply) {
    return this.sent(reply, await this.logs.events(caller, id));
  }

  @List('/api/ScheduledOrders/:scheduledOrderId/ErrorLog', ErrorLogDto, {
    audience: 'merchant',
    operationId: 'listErrorLog',
    summary: 'Lists the last 20 failed tries, newest first',
    errors: [404],
  })
  async errors(@FromCaller() caller: Caller, @PathId('scheduledOrderId') id: number, @Sending() reply: FastifyReply) {
    return this.sent(reply, await this.logs.errors(caller, id));
  }

  @List('/api/ScheduledOrders/:scheduledOrderId/Cycles', CycleDto, {
    audience: 'merchant',
    operationId: 'listCycles',
    summary: 'Lists the cycles of the ledger, newest first, 100 a page',
    errors: [404],
    addition: true,
  })
  async cycles(@FromCaller() caller: Caller, @PathId('scheduledOrderId') id: number, @Page() page: PageRequest) {
    return this.lists.paged(page, await this.logs.cycles(caller, id, page.number ?? 1));
  }

  private sent(reply: FastifyReply, answer: LogAnswer): string | AsyncGenerator<Buffer> {
    return typeof answer === 'string' ? answer : this.lists.stream(reply, (inTurn) => eachInTurn(answer, inTurn));
  }
}
