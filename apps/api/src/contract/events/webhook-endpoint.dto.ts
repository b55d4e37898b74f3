import { ApiSchema } from '@nestjs/swagger';
import { patternFault } from '#libs/events';
import {
  Flag,
  Int64,
  OneOf,
  type ReadOnly,
  readOnlyField,
  ReadOnlyId,
  ReadOnlyUtc,
  Reference,
  Stamps,
  Text,
  Texts,
} from '../../http/fields/index.js';
import { explained } from '../words.js';

const MOST_PATTERNS = 100;
const MOST_PER_SECOND = 100;

class WebhookEndpointFields {
  @ReadOnlyId({ description: 'Identifier.' }) Id?: ReadOnly;
  @Reference({ description: 'Owning site; may be left out by an account with one site.', nullable: false })
  SiteId?: number;
  @Text(2000, {
    description:
      'Where events are sent to: https:, without user name, password and fragment. It must lead to a public address when it is called. Required on creation.',
    nullable: false,
    example: 'https://shop.example/hooks',
  })
  Url?: string;
  @Text(255, { description: 'For people.', example: 'Order system' }) Description?: string | null;
  @Texts(MOST_PATTERNS, patternFault, {
    description: 'The types of events that are sent: exact ones, or a prefix such as `order.*`. Empty: all.',
    nullable: false,
    example: ['scheduled_order.*', 'order.created'],
  })
  EventTypes?: string[];
  @OneOf(['Thin', 'Full'], {
    description: explained('What an event carries.', {
      Thin: 'facts that never change.',
      Full: 'the scheduled order besides, as its log entry has it (up to 1 MiB).',
    }),
    nullable: false,
    example: 'Thin',
  })
  Payload?: 'Thin' | 'Full';
  @Flag({
    description: 'Whether an event waits until the one before of the same scheduled order is delivered or exhausted.',
    nullable: false,
    example: false,
  })
  Ordered?: boolean;
  @Int64({ min: 1, max: MOST_PER_SECOND, description: 'The most events a second.', nullable: false, example: 10 })
  RatePerSecond?: number;
  @OneOf(['Enabled', 'Disabled'], {
    description: explained('Whether it is sent to.', {
      Enabled:
        'events are sent; what has waited goes at its next try, and Resend sends one at once. Recover sends what happened in between.',
      Disabled: 'nothing is sent: by request, after an answer 410, or after 5 days without success.',
    }),
    nullable: false,
    example: 'Enabled',
  })
  Status?: 'Enabled' | 'Disabled';
  @readOnlyField({ type: 'string', nullable: true, description: 'Why the service has disabled it.' })
  DisabledReason?: ReadOnly;
  @readOnlyField({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'The first failure since the last success.',
  })
  FailingSinceUtc?: ReadOnly;
}

/** Where a site's events are sent to. */
@ApiSchema({ name: 'WebhookEndpoint' })
export class WebhookEndpointDto extends Stamps(WebhookEndpointFields) {}

/** What an endpoint's messages are signed with. */
@ApiSchema({ name: 'WebhookSecret' })
export class WebhookSecretDto {
  @readOnlyField({
    type: 'string',
    nullable: true,
    description: '`whsec_` and base64 of 32 bytes. Null for an API key.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  })
  Secret?: ReadOnly;
  @readOnlyField({ type: 'string', nullable: true, description: 'It signs as well, until PreviousUntilUtc.' })
  PreviousSecret?: ReadOnly;
  @ReadOnlyUtc({ nullable: true, description: 'The end of the overlap.' }) PreviousUntilUtc?: ReadOnly;
}

const LONGEST_OVERLAP = 604_800;

@ApiSchema({ name: 'RotateWebhookSecret' })
export class RotateSecretDto {
  @Int64({
    min: 0,
    max: LONGEST_OVERLAP,
    description: 'For how long both secrets sign. 86400 unless given.',
    nullable: false,
    example: 86_400,
  })
  OverlapSeconds?: number;
}
