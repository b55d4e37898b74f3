import { Utc } from '../http/fields/index.js';

/** When the order falls due next. */
export class NextOccurrence {
  @Utc({
    required: true,
    description: 'Exactly this instant, on the rule’s day or not; it becomes the anchor. Past: due at once.',
  })
  NextOccurrenceUtc!: Date;
}

/** What the caller has read before: it makes Skip and Process safe to repeat. */
export class Expected {
  @Utc({
    description:
      'The NextOccurrenceUtc that was read. If the stored one differs: 409, so that two clicks count as one.',
  })
  ExpectedNextOccurrenceUtc?: Date | null;
}
