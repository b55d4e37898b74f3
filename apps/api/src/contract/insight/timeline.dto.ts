import { ApiSchema } from '@nestjs/swagger';
import { type ReadOnly, readOnlyField, ReadOnlyUtc } from '../../http/fields/index.js';
import { explained } from '../words.js';

/** What a timeline is made of. In this order among entries of the same millisecond; the last of them is shown first. */
export const TIMELINE_KINDS = ['Action', 'Cycle', 'Delivery', 'Difference', 'Error', 'Event', 'Push'] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** One thing that happened to a scheduled order. */
@ApiSchema({ name: 'TimelineEntry' })
export class TimelineEntryDto {
  @ReadOnlyUtc({
    description: 'When it happened. Of a Cycle: when it was taken up. Of a Delivery or a Push: when it was made.',
  })
  AtUtc?: ReadOnly;

  @readOnlyField({
    type: 'string',
    enum: [...TIMELINE_KINDS],
    description: explained('What it is. Later versions may add more.', {
      Action: 'a change by request, as in ActionLogs.',
      Event: 'what the processor did, as in EventLogs.',
      Error: 'a failed try, as in ErrorLog.',
      Cycle: 'an occurrence that was taken up, as it stands now, as in Cycles.',
      Difference:
        'what the gateway’s books and the ledger say differently of a payment, as it stands now; AtUtc is when it was seen. For merchants.',
      Delivery: 'an event that is sent to a webhook endpoint, as it stands now.',
      Push: 'an Order on its way into the shop, as it stands now. For merchants.',
    }),
    example: 'Cycle',
  })
  Kind?: ReadOnly;

  @readOnlyField({
    type: 'string',
    description:
      'Of an Action its ActionType, of an Event its EventType, of an Error the name of its failure code, of a Cycle its State, of a Delivery its EventType, of a Difference its Kind, of a Push its State.',
    example: 'Completed',
  })
  Type?: ReadOnly;

  @readOnlyField({
    type: 'string',
    description: 'What happened, in a sentence or two. Dates are in UTC. For people: do not take it apart.',
    example: 'Cycle 3, due on 2026-05-16 10:00 UTC, was charged: 32.06 USD by GatewayOne, transaction pi_1.',
  })
  Sentence?: ReadOnly;

  @readOnlyField({
    type: 'string',
    description:
      'Of the log entry, delivery or difference; of a Cycle or a Push the number of the cycle. Unique among the entries of a Kind.',
    example: '3',
  })
  Id?: ReadOnly;

  @readOnlyField({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'The number of the cycle, where the Kind is Cycle, Difference or Push.',
    example: 3,
  })
  Cycle?: ReadOnly;

  @readOnlyField({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'The Order that the cycle made.',
    example: 1,
  })
  OrderId?: ReadOnly;

  @readOnlyField({
    type: 'string',
    nullable: true,
    description:
      'Who did it: a user with the number of its token, an API key with its name, a customer, a command, the Processor, the Dispatcher, the Pusher; of a Difference who has settled it. For Customer tokens: Customer, Shop or Processor. Null where an entry of another kind says so.',
    example: 'Processor',
  })
  By?: ReadOnly;
}
