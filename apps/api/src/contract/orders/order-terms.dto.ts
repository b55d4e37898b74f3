import { ApiSchema } from '@nestjs/swagger';
import { type ReadOnly, readOnlyField, ReadOnlyUtc, Text } from '../../http/fields/index.js';

/** What a scheduled order has beyond the contract. */
@ApiSchema({ name: 'ScheduledOrderTerms' })
export class OrderTermsDto {
  @Text(255, {
    description: 'The shop’s own reference, unique among the orders of its site that are not deleted.',
    example: 'S-1042',
  })
  ExternalId?: string | null;
  @ReadOnlyUtc({ description: 'When it was cancelled; null: it was not.', nullable: true }) CancelledUtc?: ReadOnly;
  @readOnlyField({ type: 'string', nullable: true, description: 'As Cancel said it.', example: 'We have moved.' })
  CancelReason?: ReadOnly;
  @Text(2000, {
    description: 'For the shop’s people. A Customer token gets null, and cannot change it.',
    example: 'Leave it at the back door.',
  })
  Note?: string | null;
}

/** Why an order is cancelled. */
@ApiSchema({ name: 'Cancel' })
export class CancelDto {
  @Text(2000, { description: 'Why; the shop and the customer read it.', example: 'We have moved.' })
  Reason?: string | null;
}
