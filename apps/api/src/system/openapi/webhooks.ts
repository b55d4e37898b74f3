import type { OpenAPIObject } from '@nestjs/swagger';
import {
  dataSchemaOf,
  EVENT_TYPES,
  exampleDataOf,
  mayHaveLogEntry,
  OUTWARD_TYPES,
  type OutwardType,
} from '#libs/events';

/** `scheduled_order.created` → `ScheduledOrderCreated`. */
const nameOf = (type: OutwardType): string =>
  type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Only in the `Full` payload, and only of an event with a log entry that is not too large. */
const SCHEDULED_ORDER = {
  $ref: '#/components/schemas/ScheduledOrder',
  description: 'The scheduled order as its log entry has it: only with the Payload `Full`.',
};

/** `Data`, as the feed has it, and the scheduled order besides. */
function sentDataOf(type: OutwardType) {
  const data = dataSchemaOf(type);
  if (!mayHaveLogEntry(type)) return data;
  return { ...data, properties: { ...data.properties, ScheduledOrder: SCHEDULED_ORDER } };
}

/** What a receiver gets of one type, as the table of types says (libs/events/src/outbox). */
function webhookOf(type: OutwardType) {
  const schema = {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', const: type, description: 'The type of the event.' },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
      data: sentDataOf(type),
    },
  };
  const example = { type, timestamp: '2026-01-31T09:00:00.000Z', data: exampleDataOf(type) };
  return {
    post: {
      operationId: `on${nameOf(type)}`,
      summary: `Tells ${type}`,
      description: EVENT_TYPES[type].about,
      tags: ['Additions'],
      security: [],
      requestBody: { required: true, content: { 'application/json': { schema, example } } },
      responses: { '2XX': { description: 'Received.' } },
    },
  };
}

/** Adds the `webhooks` of the document: one for each type of event, with its schema and an example. */
export function describeWebhooks(document: OpenAPIObject): void {
  const webhooks = Object.fromEntries(OUTWARD_TYPES.map((type) => [type, webhookOf(type)]));
  Object.assign(document, { webhooks });
}
