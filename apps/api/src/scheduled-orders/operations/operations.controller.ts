import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { ExpectedDto, NextOccurrenceDto } from '../../contract/orders/operations.dto.js';
import { ScheduledOrderDto } from '../../contract/orders/scheduled-order.dto.js';
import { FromCaller } from '../../http/caller.js';
import { Idempotency } from '../../http/idempotency.js';
import { CheckedBody, type Input, OptionalBody, PathId } from '../../http/parameters/parameters.js';
import { Route, Update } from '../../http/route.js';
import { OperationsService } from './operations.service.js';

@Controller()
@ApiTags('Scheduled orders')
export class OperationsController {
  constructor(private readonly operations: OperationsService) {}

  @Update('/api/ScheduledOrders/:scheduledOrderId/NextOccurrenceUtc', ScheduledOrderDto, {
    audience: 'both',
    operationId: 'rescheduleScheduledOrder',
    summary: 'Moves the next occurrence',
    description:
      'It is then exactly the instant sent, from which later ones are counted; where a cycle of the order has that second already, the next free one. ' +
      'While a cycle is in progress, it is the occurrence after it that moves: to an instant before that regular occurrence only where `ExpectedNextOccurrenceUtc` names it, else 409. ' +
      'Send what you have read as `ExpectedNextOccurrenceUtc`: then the request never moves another occurrence. ' +
      'A time within the next hour counts as a Process.',
    addition: true,
  })
  reschedule(
    @FromCaller() caller: Caller,
    @PathId('scheduledOrderId') id: number,
    @CheckedBody(NextOccurrenceDto) next: Input<NextOccurrenceDto>,
  ) {
    return this.operations.reschedule(caller, id, next);
  }

  @Route('POST', '/api/ScheduledOrders/:scheduledOrderId/Skip', {
    audience: 'both',
    operationId: 'skipScheduledOrder',
    summary: 'Passes over the next occurrence without charging',
    description:
      'While a cycle is in progress, or its outcome is not known: 409. ' +
      'Send what you have read as `ExpectedNextOccurrenceUtc`, and an `Idempotency-Key`: then a repeated call never passes over a second occurrence. ' +
      'At most 20 an hour and order by Customer tokens: 429.',
    gives: ScheduledOrderDto,
    errors: [404, 409, 422],
    addition: true,
  })
  skip(
    @FromCaller() caller: Caller,
    @PathId('scheduledOrderId') id: number,
    @OptionalBody(ExpectedDto) expected: Input<ExpectedDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.operations.skip(caller, id, expected, once);
  }

  @Route('POST', '/api/ScheduledOrders/:scheduledOrderId/Process', {
    audience: 'both',
    operationId: 'processScheduledOrder',
    summary: 'Makes the order due now',
    description:
      'In place of its next occurrence; a Pending order becomes Active, a wait for another try ends. Paused, in progress, or charged with an unknown outcome: 409. ' +
      'Send what you have read as `ExpectedNextOccurrenceUtc`, and an `Idempotency-Key`: then a repeated call never charges a second occurrence. ' +
      'Without `ExpectedNextOccurrenceUtc`, two calls are one: 409 for 60 seconds after any occurrence of the order was completed. ' +
      'At most 5 an hour and order by Customer tokens: 429.',
    status: 202,
    gives: ScheduledOrderDto,
    errors: [404, 409, 422],
    addition: true,
  })
  process(
    @FromCaller() caller: Caller,
    @PathId('scheduledOrderId') id: number,
    @OptionalBody(ExpectedDto) expected: Input<ExpectedDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.operations.process(caller, id, expected, once);
  }
}
