import { ApiSchema } from '@nestjs/swagger';
import { type ReadOnly, readOnlyField, ReadOnlyUtc } from '../../http/fields/index.js';

/** Something that happened, as the event feed and webhooks tell it. */
@ApiSchema({ name: 'Event' })
export class EventDto {
  @readOnlyField({
    type: 'integer',
    format: 'int64',
    minimum: 1,
    description:
      'The cursor: send the highest one that was read as After. Numbers rise, and may be missing in between.',
    example: 1042,
  })
  Sequence?: ReadOnly;

  @readOnlyField({
    type: 'string',
    description: 'The same in the feed and in every webhook delivery of the event (`webhook-id`).',
    example: 'evt_019c12a4-6f3e-7cc1-8f0b-6b1d3c5a9e21',
  })
  Id?: ReadOnly;

  @readOnlyField({
    type: 'string',
    description:
      'The type of the event. Each is described under *webhooks* of this document. Ignore types that you do not know.',
    example: 'scheduled_order.processed',
  })
  Type?: ReadOnly;

  @ReadOnlyUtc({ description: 'When it happened.' }) TimestampUtc?: ReadOnly;

  @readOnlyField({
    type: 'object',
    additionalProperties: true,
    description:
      'The facts of the event, by its type: those of every event, null where they do not apply, and its own.',
    example: {
      Sequence: 1042,
      SiteId: 1,
      ScheduledOrderId: 1,
      Cycle: 3,
      OrderId: 98,
      Amount: 3206,
      CurrencyIso: 'USD',
      Simulated: false,
    },
  })
  Data?: ReadOnly;
}
