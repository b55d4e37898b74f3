import { ApiSchema } from '@nestjs/swagger';
import { ACTION_TYPES, LOGGED_EVENT_TYPES } from '#libs/events';
import { type ReadOnly, readOnlyField, ReadOnlyId, Stamps } from '../../http/fields/index.js';
import { AccessTokenDto } from '../accounts/access-token.dto.js';
import { SiteDto } from '../accounts/site.dto.js';
import { ScheduledOrderDto } from '../orders/scheduled-order.dto.js';
import { ACTION_TYPE_WORDS, EVENT_TYPE_WORDS, explained, FAILURE_LIST } from '../words.js';

class LogEntryFields {
  @readOnlyField({
    type: 'string',
    format: 'uuid',
    description: 'Identifier of the entry.',
    example: '019c9a3e-52a1-7c3e-9b1d-0a4f3c2b1d00',
  })
  Id?: ReadOnly;
  @ReadOnlyId({ description: 'The site of the scheduled order.' }) SiteId?: ReadOnly;
  @ReadOnlyId({ description: 'The scheduled order.' }) ScheduledOrderId?: ReadOnly;
}

class ActionLogFields extends LogEntryFields {
  @readOnlyField({
    type: 'string',
    enum: [...ACTION_TYPES],
    description: explained('What was done.', ACTION_TYPE_WORDS),
    example: 'PauseScheduledOrder',
  })
  ActionType?: ReadOnly;
  @readOnlyField({
    type: () => AccessTokenDto,
    description: 'The token that was used; its TokenAuth is null. The Id 0: a command of the command line.',
  })
  AccessToken?: ReadOnly;
  @readOnlyField({ type: () => ScheduledOrderDto, nullable: true, description: 'Before; null when it was created.' })
  PreviousScheduledOrder?: ReadOnly;
  @readOnlyField({ type: () => ScheduledOrderDto, nullable: true, description: 'After; null when it was deleted.' })
  NewScheduledOrder?: ReadOnly;
  @readOnlyField({
    type: 'string',
    nullable: true,
    description: 'What was done, and by which kind of token.',
    example: 'Paused by a Customer token.',
  })
  Description?: ReadOnly;
}

/** A change by request, and the state that it replaced. */
@ApiSchema({ name: 'ActionLog' })
export class ActionLogDto extends Stamps(ActionLogFields) {}

class EventLogFields extends LogEntryFields {
  @readOnlyField({
    type: 'string',
    enum: [...LOGGED_EVENT_TYPES],
    description: explained('What happened.', EVENT_TYPE_WORDS),
    example: 'ScheduledOrderFailed',
  })
  EventType?: ReadOnly;
  @readOnlyField({ type: () => ScheduledOrderDto, description: 'As it was afterwards.' }) ScheduledOrder?: ReadOnly;
  @readOnlyField({
    type: 'string',
    nullable: true,
    description: `Customers may read it. It names the occurrence by its date, and says what to do after a decline. For a failure it begins with code and name:\n\n${FAILURE_LIST}`,
    example:
      '2000 PaymentFailed: Your card has insufficient funds. The next try is on 2026-05-16 10:00 UTC. To pay with another card, put it on the order; then Process it now, or wait until that time.',
  })
  Description?: ReadOnly;
}

/** What the processor did with a cycle. */
@ApiSchema({ name: 'EventLog' })
export class EventLogDto extends Stamps(EventLogFields) {}

/** A fault with its causes, nested. */
@ApiSchema({ name: 'ExceptionInfo' })
export class ExceptionInfoDto {
  @readOnlyField({ type: 'string', description: 'What went wrong.', example: 'Your card was declined.' })
  Message?: ReadOnly;
  @readOnlyField({ type: () => ExceptionInfoDto, nullable: true, description: 'What caused it.' })
  InnerExceptionInfo?: ReadOnly;
}

class ErrorLogFields extends LogEntryFields {
  @readOnlyField({ type: () => ExceptionInfoDto, description: 'What went wrong, and what caused it.' })
  ExceptionInfo?: ReadOnly;
  @readOnlyField({ type: () => SiteDto, description: 'The site of the order; its API keys are null.' }) Site?: ReadOnly;
  @readOnlyField({ type: () => ScheduledOrderDto, description: 'What caused the error: the scheduled order.' })
  Entity?: ReadOnly;
  @readOnlyField({
    type: 'string',
    nullable: true,
    description: `Begins with code and name of the failure:\n\n${FAILURE_LIST}`,
    example: '2000 PaymentFailed: Your card was declined.',
  })
  Description?: ReadOnly;
}

/** Why a try failed, with internal details. */
@ApiSchema({ name: 'ErrorLog' })
export class ErrorLogDto extends Stamps(ErrorLogFields) {}
