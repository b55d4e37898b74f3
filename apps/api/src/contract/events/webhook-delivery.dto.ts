import { ApiSchema } from '@nestjs/swagger';
import { DELIVERY_STATES } from '#libs/entities';
import { EVENT_TYPES, OUTWARD_TYPES, type OutwardType } from '#libs/events';
import { OneOf, type ReadOnly, readOnlyField, ReadOnlyId, ReadOnlyUtc, Utc } from '../../http/fields/index.js';
import { explained } from '../words.js';

const number = (description: string, example: number | null, nullable = false) =>
  readOnlyField({ type: 'integer', format: 'int64', nullable, description, example });

/** An event on its way to an endpoint. */
@ApiSchema({ name: 'WebhookDelivery' })
export class WebhookDeliveryDto {
  @ReadOnlyId({ description: 'Identifier.' }) Id?: ReadOnly;
  @number('The site.', 1) SiteId?: ReadOnly;
  @number('The endpoint.', 1) WebhookEndpointId?: ReadOnly;
  @readOnlyField({
    type: 'string',
    description: 'The event: `webhook-id` of every try.',
    example: 'evt_0198c0de-0000-7000-8000-000000000001',
  })
  EventId?: ReadOnly;
  @readOnlyField({ type: 'string', description: 'Its type.', example: 'scheduled_order.processed' })
  EventType?: ReadOnly;
  @number('Its number.', 1042) Sequence?: ReadOnly;
  @number('The scheduled order that it is about.', 1, true) ScheduledOrderId?: ReadOnly;
  @readOnlyField({
    type: 'string',
    enum: [...DELIVERY_STATES],
    description: explained('How it stands.', {
      Waiting: 'it is tried at NextAttemptUtc, or waits for an earlier event of its order.',
      Delivered: 'it was answered 2xx.',
      Exhausted: 'all tries failed. Resend and Recover try again.',
    }),
    example: 'Delivered',
  })
  State?: ReadOnly;
  @number('Tries since it was made or sent again.', 1) Tries?: ReadOnly;
  @ReadOnlyUtc({
    nullable: true,
    description: 'When it is tried next. While it is being tried: when another worker may.',
  })
  NextAttemptUtc?: ReadOnly;
  @ReadOnlyUtc({ nullable: true, description: 'When it was delivered, or exhausted.' }) FinishedUtc?: ReadOnly;
  @ReadOnlyUtc({ description: 'When it was made.' }) CreatedUtc?: ReadOnly;
}

/** One try. */
@ApiSchema({ name: 'WebhookAttempt' })
class WebhookAttemptDto {
  @ReadOnlyUtc({ description: 'When it was sent.' }) StartedUtc?: ReadOnly;
  @number('How long it took.', 84) Milliseconds?: ReadOnly;
  @number('The status of the reply; null when there was none.', 200, true) Status?: ReadOnly;
  @readOnlyField({ type: 'string', nullable: true, description: 'Why it is no success.' }) Error?: ReadOnly;
  @readOnlyField({ type: 'string', nullable: true, description: 'The first KiB of the reply.', example: 'ok' })
  Reply?: ReadOnly;
}

/** A delivery with what was sent, and its tries. */
@ApiSchema({ name: 'WebhookDeliveryDetails' })
export class WebhookDeliveryDetailsDto extends WebhookDeliveryDto {
  @readOnlyField({ type: 'string', nullable: true, description: 'The bytes of every try; null before the first.' })
  Body?: ReadOnly;
  @readOnlyField({ type: () => WebhookAttemptDto, isArray: true, description: 'The last 20 tries, oldest first.' })
  Attempts?: ReadOnly;
}

const ABOUT_TYPES = Object.fromEntries(OUTWARD_TYPES.map((type) => [type, EVENT_TYPES[type].about]));

@ApiSchema({ name: 'TestWebhook' })
export class TestWebhookDto {
  @OneOf(OUTWARD_TYPES, {
    description: explained(
      'The type of the event that is sent; `scheduled_order.processed` unless given.',
      ABOUT_TYPES,
    ),
    nullable: false,
    example: 'scheduled_order.processed',
  })
  EventType?: OutwardType;
}

/** How a test went. */
@ApiSchema({ name: 'WebhookTest' })
export class WebhookTestDto {
  @number('The status of the reply; null when there was none.', 200, true) Status?: ReadOnly;
  @number('How long it took.', 84) Milliseconds?: ReadOnly;
  @readOnlyField({ type: 'string', nullable: true, description: 'The first KiB of the reply.', example: 'ok' })
  Reply?: ReadOnly;
  @readOnlyField({ type: 'string', nullable: true, description: 'Why there is no whole reply.' }) Error?: ReadOnly;
}

@ApiSchema({ name: 'RecoverWebhooks' })
export class RecoverDto {
  @Utc({ required: true, description: 'Events from this instant on.' }) SinceUtc!: Date;
  @Utc({ description: 'Events until this instant; until now unless given.' }) UntilUtc?: Date | null;
  @OneOf(['Failed', 'NotSent', 'All'], {
    required: true,
    description: explained('Which of them are sent.', {
      Failed: 'those that are exhausted.',
      NotSent: 'those that have no delivery to this endpoint: it was disabled, or not made yet.',
      All: 'both, and those that were delivered.',
    }),
    example: 'Failed',
  })
  Which!: 'Failed' | 'NotSent' | 'All';
}

/** What a Recover has set going. */
@ApiSchema({ name: 'WebhookRecovery' })
export class RecoveryDto {
  @number('How many deliveries wait to be sent now.', 12) Deliveries?: ReadOnly;
  @ReadOnlyUtc({ nullable: true, description: 'Since when the site has listened: events before it were not kept.' })
  ListensSinceUtc?: ReadOnly;
}
