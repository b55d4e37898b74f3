import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { PushState } from '#libs/entities';
import type { Caller } from '#libs/records';
import { ListCountDto } from '../contract/orders/list-count.dto.js';
import { LinkPushDto, PushDto } from '../contract/orders/push.dto.js';
import { FromCaller } from '../http/caller.js';
import { Idempotency } from '../http/idempotency.js';
import { CheckedBody, type Input, PathId } from '../http/parameters/parameters.js';
import { List, Read, Route } from '../http/route.js';
import { ACCEPT, linkTo, PushesService, RETRY } from './pushes.service.js';
import { FromPushesRequest, FromPushState, type PushesRequest } from './pushes-query.js';

const OF_CYCLE = '/api/ScheduledOrders/:scheduledOrderId/Cycles/:cycle/Push';
const OF_ORDER = '/api/Orders/:orderId/Push';

const DECISION = { audience: 'merchant', gives: PushDto, errors: [404, 409, 422], addition: true } as const;

@Controller()
@ApiTags('Additions')
export class PushesController {
  constructor(private readonly pushes: PushesService) {}

  @List('/api/Site/:siteId/Pushes', PushDto, {
    audience: 'merchant',
    operationId: 'listPushes',
    summary: 'Lists the Orders that were pushed, or are to be, newest first, 100 a page',
    description: 'With `Accept: text/csv` it is a table: all of it, or a page where `cursor` is sent.',
    errors: [404],
    addition: true,
  })
  list(@FromCaller() caller: Caller, @PathId('siteId') siteId: number, @FromPushesRequest() request: PushesRequest) {
    return this.pushes.list(caller, siteId, request);
  }

  @Route('GET', '/api/Site/:siteId/Pushes/Count', {
    audience: 'merchant',
    operationId: 'countPushes',
    summary: 'Counts them, exactly up to 10,000',
    gives: ListCountDto,
    errors: [404],
    addition: true,
  })
  count(@FromCaller() caller: Caller, @PathId('siteId') siteId: number, @FromPushState() state: PushState | null) {
    return this.pushes.count(caller, siteId, state);
  }

  @Read(OF_CYCLE, PushDto, {
    audience: 'merchant',
    operationId: 'getPushOfCycle',
    summary: 'Says how the Order of a cycle stands in the shop',
    addition: true,
  })
  ofCycle(
    @FromCaller() caller: Caller,
    @PathId('scheduledOrderId') scheduledOrderId: number,
    @PathId('cycle') cycle: number,
  ) {
    return this.pushes.ofCycle(caller, { scheduledOrderId, cycle });
  }

  @Route('POST', `${OF_CYCLE}/Retry`, {
    operationId: 'retryPush',
    summary: 'Tries a push again at once',
    description:
      'One that Differs or Failed, or whose EndedInShop is Trashed or Deleted, begins again: the shop is looked through first. Of one that is Unknown the look-up comes at once, and nothing is sent before PUSH_UNKNOWN_WAIT is over. Pushed otherwise: 409.',
    ...DECISION,
  })
  retry(
    @FromCaller() caller: Caller,
    @PathId('scheduledOrderId', 101) scheduledOrderId: number,
    @PathId('cycle') cycle: number,
    @Idempotency() once: Idempotency,
  ) {
    return this.pushes.decide(caller, { scheduledOrderId, cycle }, RETRY, once);
  }

  @Route('POST', `${OF_CYCLE}/Accept`, {
    operationId: 'acceptPush',
    summary: 'Takes the order of the shop as it is',
    description: 'Only of a push that Differs: else 409.',
    ...DECISION,
  })
  accept(
    @FromCaller() caller: Caller,
    @PathId('scheduledOrderId', 102) scheduledOrderId: number,
    @PathId('cycle') cycle: number,
    @Idempotency() once: Idempotency,
  ) {
    return this.pushes.decide(caller, { scheduledOrderId, cycle }, ACCEPT, once);
  }

  @Route('POST', `${OF_CYCLE}/Link`, {
    operationId: 'linkPush',
    summary: 'Names the order of the shop, which somebody has made or found there',
    description:
      'What was begun for it there, and nobody has paid, is deleted. While something that was sent may still arrive, and when it is Pushed and neither Trashed nor Deleted there: 409.',
    ...DECISION,
  })
  link(
    @FromCaller() caller: Caller,
    @PathId('scheduledOrderId', 103) scheduledOrderId: number,
    @PathId('cycle') cycle: number,
    @CheckedBody(LinkPushDto) { shopOrderId }: Input<LinkPushDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.pushes.decide(caller, { scheduledOrderId, cycle }, linkTo(shopOrderId), once);
  }

  @Read(OF_ORDER, PushDto, {
    audience: 'merchant',
    operationId: 'getPushOfOrder',
    summary: 'Says how an Order stands in the shop',
    addition: true,
  })
  ofOrder(@FromCaller() caller: Caller, @PathId('orderId') id: number) {
    return this.pushes.ofOrder(caller, id);
  }
}
