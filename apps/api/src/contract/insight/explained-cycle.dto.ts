import { ApiSchema } from '@nestjs/swagger';
import { type ReadOnly, readOnlyField, ReadOnlyUtc } from '../../http/fields/index.js';
import { QuoteDto } from '../orders/quote.dto.js';

const amount = (description: string, example: number) =>
  readOnlyField({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    nullable: true,
    description: `${description} In minor units; null: not known.`,
    example,
  });

/** The amounts of the Order that a cycle wrote. */
@ApiSchema({ name: 'RecordedAmounts' })
export class RecordedAmountsDto {
  @amount('Sum of the lines.', 2500) Subtotal?: ReadOnly;
  @amount('Shipping.', 500) ShippingTotal?: ReadOnly;
  @amount('Tax.', 206) TaxTotal?: ReadOnly;
  @amount('What was charged.', 3206) Total?: ReadOnly;
}

/** Why a past charge was what it was. */
@ApiSchema({ name: 'ExplainedCycle' })
export class ExplainedCycleDto {
  @readOnlyField({ type: 'integer', format: 'int64', minimum: 1, description: 'The cycle’s number.', example: 1 })
  Cycle?: ReadOnly;
  @ReadOnlyUtc({ description: 'When it was priced, shortly before it was charged.' }) AtUtc?: ReadOnly;
  @readOnlyField({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    nullable: true,
    description:
      'The site’s version of what prices are made of, which rises with every change of it; null where it is not known.',
    example: 7,
  })
  RatesVersion?: ReadOnly;
  @readOnlyField({
    type: () => QuoteDto,
    nullable: true,
    description:
      'What was charged, calculated again with the prices of RatesVersion: a line for each item of the Order, without ScheduledOrderItemId. Items that were not available are not part of it. Null where it cannot be calculated.',
  })
  Quote?: ReadOnly;
  @readOnlyField({
    type: () => RecordedAmountsDto,
    description: 'The amounts of its Order as they are now. Of a cycle that is being charged, the amounts sent.',
  })
  Recorded?: ReadOnly;
  @readOnlyField({
    type: 'boolean',
    nullable: true,
    description:
      'Whether every amount of Recorded, and of each line, was calculated again and is the same. Null where nothing was charged.',
    example: true,
  })
  Equal?: ReadOnly;
  @readOnlyField({
    type: 'string',
    nullable: true,
    description: 'Why not, or what the cycle is when it is not completed; null when a completed cycle is Equal.',
    example: 'The Order was changed by a request, last on 2026-05-16 10:00 UTC.',
  })
  Because?: ReadOnly;
}
