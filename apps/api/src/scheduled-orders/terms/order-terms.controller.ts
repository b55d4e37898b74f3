import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { CancelDto, OrderTermsDto } from '../../contract/orders/order-terms.dto.js';
import { ScheduledOrderDto } from '../../contract/orders/scheduled-order.dto.js';
import { FromCaller } from '../../http/caller.js';
import { Idempotency } from '../../http/idempotency.js';
import { CheckedBody, type Input, OptionalBody, PathId } from '../../http/parameters/parameters.js';
import { Read, Route, Update } from '../../http/route.js';
import { OrderTermsService } from './order-terms.service.js';

/** An order of the demo that no other example needs. */
const CANCELLED = 2;

@Controller()
@ApiTags('Scheduled orders')
export class OrderTermsController {
  constructor(private readonly terms: OrderTermsService) {}

  @Update('/api/ScheduledOrders/:scheduledOrderId/Terms', OrderTermsDto, {
    audience: 'both',
    operationId: 'updateScheduledOrderTerms',
    summary: 'Updates the terms sent: the shop’s own reference and note',
    description: 'They are the shop’s: what differs from what a Customer token reads is 403 for it.',
    addition: true,
  })
  update(
    @FromCaller() caller: Caller,
    @PathId('scheduledOrderId') id: number,
    @CheckedBody(OrderTermsDto) terms: Input<OrderTermsDto>,
  ) {
    return this.terms.update(caller, id, terms);
  }

  @Read('/api/ScheduledOrders/:scheduledOrderId/Terms', OrderTermsDto, {
    audience: 'both',
    operationId: 'getScheduledOrderTerms',
    summary: 'Gets the terms of a scheduled order',
    addition: true,
  })
  get(@FromCaller() caller: Caller, @PathId('scheduledOrderId') id: number) {
    return this.terms.get(caller, id);
  }

  @Route('POST', '/api/ScheduledOrders/:scheduledOrderId/Cancel', {
    audience: 'both',
    operationId: 'cancelScheduledOrder',
    summary: 'Cancels a scheduled order for good',
    description:
      'It is Paused, has no next occurrence, and stays readable. A wait for another try ends; what was sent to the gateway is still recorded. ' +
      'A cancelled order stays as it is. Until it is reactivated, its Status, its frequency and its dates cannot be changed: 409.',
    gives: ScheduledOrderDto,
    errors: [404, 409, 422],
    addition: true,
  })
  cancel(
    @FromCaller() caller: Caller,
    @PathId('scheduledOrderId', CANCELLED) id: number,
    @OptionalBody(CancelDto) sent: Input<CancelDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.terms.cancel(caller, id, sent.reason ?? null, once);
  }

  @Route('POST', '/api/ScheduledOrders/:scheduledOrderId/Reactivate', {
    audience: 'merchant',
    operationId: 'reactivateScheduledOrder',
    summary: 'Takes the cancellation of a scheduled order back',
    description:
      'It stays Paused: made Active, it goes on with the first occurrence after that. One that was not cancelled stays as it is.',
    gives: ScheduledOrderDto,
    errors: [404, 409, 422],
    addition: true,
  })
  reactivate(
    @FromCaller() caller: Caller,
    @PathId('scheduledOrderId', CANCELLED) id: number,
    @Idempotency() once: Idempotency,
  ) {
    return this.terms.reactivate(caller, id, once);
  }
}
