import { ApiSchema } from '@nestjs/swagger';
import { Utc } from '../../http/fields/index.js';

/** When the order falls due next. */
@ApiSchema({ name: 'NextOccurrence' })
export class NextOccurrenceDto {
  @Utc({
    required: true,
    description: 'Exactly this instant, on the rule’s day or not; it becomes the anchor. Past: due at once.',
  })
  NextOccurrenceUtc!: Date;
  @Utc({
    description:
      'The NextOccurrenceUtc that was read; while a cycle is in progress, the occurrence after it. If what would move is another one: 409.',
  })
  ExpectedNextOccurrenceUtc?: Date | null;
}

/** What the caller has read before: it makes Skip and Process safe to repeat. */
@ApiSchema({ name: 'Expected' })
export class ExpectedDto {
  @Utc({
    description:
      'The NextOccurrenceUtc that was read. If the stored one differs: 409, so that two clicks count as one.',
  })
  ExpectedNextOccurrenceUtc?: Date | null;
}
