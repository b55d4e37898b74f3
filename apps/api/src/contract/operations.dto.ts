import { Utc } from '../http/fields/index.js';

/** When the order shall fall due next. */
export class NextOccurrence {
  @Utc({
    required: true,
    description: 'Exactly this instant, on the rule’s day or not; it becomes the anchor. Past: due at once.',
  })
  NextOccurrenceUtc!: Date;
}

/** What the caller saw before it asked: the safe way to Skip and Process. */
export class Expected {
  @Utc({
    description: 'The NextOccurrenceUtc that was read; another one than the stored: 409, so that two clicks are one.',
  })
  ExpectedNextOccurrenceUtc?: Date | null;
}
