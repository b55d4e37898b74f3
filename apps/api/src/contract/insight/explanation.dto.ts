import { ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { CYCLE_STATES, PUSH_STATES } from '#libs/entities';
import { ACTION_TYPES } from '#libs/events';
import { PAYMENT_METHOD_TYPES } from '#libs/gateways';
import { FAILURE_CODES, FREQUENCY_TYPES } from '#libs/rules';
import { type ReadOnly, readOnlyField, ReadOnlyUtc } from '../../http/fields/index.js';
import { QuoteDto } from '../orders/quote.dto.js';
import {
  ACTION_TYPE_WORDS,
  CYCLE_STATE_WORDS,
  explained,
  FAILURE_LIST,
  FREQUENCY_TYPE_WORDS,
  PAYMENT_METHOD_TYPE_WORDS,
  PUSH_STATE_WORDS,
  type Words,
} from '../words.js';

/** Why the next occurrence is when it is, or why there is none. */
export const WHEN_REASONS = [
  'Schedule',
  'Rescheduled',
  'Process',
  'Retry',
  'Integration',
  'Held',
  'InProgress',
  'Unknown',
  'Paused',
  'Cancelled',
  'GivenUp',
  'NoFrequency',
  'CalendarEnd',
  'Pending',
] as const;
export type WhenReason = (typeof WHEN_REASONS)[number];

const WHEN_WORDS: Words<WhenReason> = {
  Schedule: 'the first regular occurrence of the schedule.',
  Rescheduled: 'a request moved it.',
  Process: 'a request made the order due at once (Process).',
  Retry: 'the next try of an occurrence that was not charged.',
  Integration: 'an occurrence waits for the payment integration.',
  Held: 'an earlier payment of the order has to be settled first (1009, `Differences`), or its shop cannot take it (1010).',
  InProgress: 'the occurrence is being processed now.',
  Unknown: 'whether the occurrence was charged is being found out.',
  Paused: 'the order is `Paused`.',
  Cancelled: 'the order is `Paused`, because it was cancelled.',
  GivenUp: 'the order is `Pending`, because the service gave up on an occurrence.',
  NoFrequency: 'the order is `Pending`, because it has no frequency.',
  CalendarEnd: 'the order is `Pending`, because its schedule has no further occurrence before the year 10000.',
  Pending: 'the order is `Pending`, because a request made it so.',
};

/** The requests that an explanation answers for, before they are sent. */
export const EXPLAINED_ACTIONS = [
  'Skip',
  'Process',
  'Pause',
  'Activate',
  'Reschedule',
  'Cancel',
  'Reactivate',
] as const;
export type ExplainedAction = (typeof EXPLAINED_ACTIONS)[number];

const ACTION_WORDS: Words<ExplainedAction> = {
  Skip: '`POST …/Skip`.',
  Process: '`POST …/Process`.',
  Pause: '`PUT` with the Status `Paused`.',
  Activate: '`PUT` with the Status `Active`.',
  Reschedule: '`PUT …/NextOccurrenceUtc`.',
  Cancel: '`POST …/Cancel`.',
  Reactivate: '`POST …/Reactivate`.',
};

const MODE_WORDS = { Test: 'the integration is in TestMode.', Live: 'it is not.' };

const FOR_SHOPS = 'Null for a Customer token.';

const sentence = (description: string, example: string) => readOnlyField({ type: 'string', description, example });
const textOrNull = (description: string, example: string) =>
  readOnlyField({ type: 'string', nullable: true, description, example });
const flag = (description: string, example: boolean) => readOnlyField({ type: 'boolean', description, example });
const number = (description: string, example: number) =>
  readOnlyField({ type: 'integer', format: 'int64', minimum: 0, description, example });
const numberOrNull = (description: string, example: number) =>
  readOnlyField({ type: 'integer', format: 'int64', minimum: 0, nullable: true, description, example });
const oneOf = (words: Readonly<Record<string, string>>, values: readonly string[], about: string, example: string) =>
  readOnlyField({ type: 'string', enum: [...values], description: explained(about, words), example });
const oneOrNone = (
  words: Readonly<Record<string, string>>,
  values: readonly string[],
  about: string,
  example: string,
) =>
  readOnlyField({ type: 'string', nullable: true, enum: [...values], description: explained(about, words), example });
const listOf = (name: string, description: string) =>
  readOnlyField({ type: 'array', items: { $ref: getSchemaPath(name) }, description });

/** The request that made the next occurrence what it is. */
@ApiSchema({ name: 'ExplainedMove' })
export class ExplainedMoveDto {
  @oneOf(ACTION_TYPE_WORDS, ACTION_TYPES, 'What was asked for, as in ActionLogs.', 'SkipScheduledOrder')
  ActionType?: ReadOnly;
  @sentence('Who asked: a token, an API key or a command; for a Customer token `you` or `the shop`.', 'API key 7')
  By?: ReadOnly;
  @ReadOnlyUtc({ description: 'When.' }) AtUtc?: ReadOnly;
}

/** An occurrence that was tried, and has not been charged. */
@ApiSchema({ name: 'ExplainedRetry' })
export class ExplainedRetryDto {
  @number('Which retry the next one is: as many tries have failed.', 1) Retry?: ReadOnly;
  @numberOrNull(`The cycle, as in Cycles. ${FOR_SHOPS}`, 3) Cycle?: ReadOnly;
  @ReadOnlyUtc({ description: 'The occurrence.' }) OccurrenceUtc?: ReadOnly;
  @ReadOnlyUtc({
    nullable: true,
    description: 'When it is tried or looked up next; null while that is being done, or it is held.',
  })
  NextTryUtc?: ReadOnly;
}

/** When an order is processed next, and why then. */
@ApiSchema({ name: 'ExplainedWhen' })
export class ExplainedWhenDto {
  @sentence('All of it in words.', 'The next occurrence is Saturday 2026-01-31 09:00 UTC.') Sentence?: ReadOnly;
  @oneOf(WHEN_WORDS, WHEN_REASONS, 'Why then, or why not.', 'Schedule') Reason?: ReadOnly;
  @ReadOnlyUtc({ nullable: true, description: 'As the order has it.' }) NextOccurrenceUtc?: ReadOnly;
  @textOrNull('The schedule in words; null without a frequency.', 'Every month on the 15th at 09:00 UTC')
  Rule?: ReadOnly;
  @oneOrNone(FREQUENCY_TYPE_WORDS, FREQUENCY_TYPES, 'As the order has it.', 'Months') FrequencyType?: ReadOnly;
  @numberOrNull('As the order has it.', 1) Frequency?: ReadOnly;
  @ReadOnlyUtc({
    nullable: true,
    description: 'The instant that occurrences are counted from; null without a frequency.',
  })
  AnchorUtc?: ReadOnly;
  @flag('Whether it is on its month’s last day, because the month lacks the day of the schedule.', false)
  Clamped?: ReadOnly;
  @flag('Whether it is due, and no worker has taken it yet.', false) Overdue?: ReadOnly;
  @readOnlyField({
    type: () => ExplainedMoveDto,
    nullable: true,
    description: 'The request that it follows from: a reschedule, skip or Process; null where the schedule made it.',
  })
  MovedBy?: ReadOnly;
  @readOnlyField({
    type: () => ExplainedRetryDto,
    nullable: true,
    description: 'The occurrence that is tried again, waits or is looked up; else null.',
  })
  Retry?: ReadOnly;
}

/** What the next charge is made with; never a credential. */
@ApiSchema({ name: 'ExplainedWithWhat' })
export class ExplainedWithWhatDto {
  @sentence('All of it in words.', 'The order is charged to Visa ending in 4242.') Sentence?: ReadOnly;
  @textOrNull('The payment method’s Description, or what the order says.', 'Visa ending in 4242') Card?: ReadOnly;
  @oneOrNone(PAYMENT_METHOD_TYPE_WORDS, PAYMENT_METHOD_TYPES, `The gateway. ${FOR_SHOPS}`, 'GatewayOne')
  PaymentMethodType?: ReadOnly;
  @numberOrNull(`The integration; null where the site has none of this type. ${FOR_SHOPS}`, 1)
  PaymentIntegrationId?: ReadOnly;
  @oneOrNone(MODE_WORDS, Object.keys(MODE_WORDS), `Its mode. ${FOR_SHOPS}`, 'Test') Mode?: ReadOnly;
}

/** What came of the newest cycle that was tried, skipped or ended. */
@ApiSchema({ name: 'ExplainedLastTime' })
export class ExplainedLastTimeDto {
  @sentence(
    'All of it in words; for a Customer token those of the event.',
    'The occurrence of Thursday 2026-01-15 09:00 UTC was processed on Thursday 2026-01-15 09:00 UTC: 32.06 USD paid.',
  )
  Sentence?: ReadOnly;
  @numberOrNull(`Its number, as in Cycles. ${FOR_SHOPS}`, 3) Cycle?: ReadOnly;
  @ReadOnlyUtc({ description: 'The occurrence.' }) OccurrenceUtc?: ReadOnly;
  @oneOf(CYCLE_STATE_WORDS, CYCLE_STATES, 'How the cycle stands.', 'Completed') Result?: ReadOnly;
  @readOnlyField({
    type: 'integer',
    nullable: true,
    enum: Object.values(FAILURE_CODES).map(({ code }) => code),
    description: `Why the latest try failed.\n\n${FAILURE_LIST}`,
    example: 2000,
  })
  FailureCode?: ReadOnly;
  @textOrNull('The name of the FailureCode.', 'PaymentFailed') FailureName?: ReadOnly;
  @textOrNull(`What the gateway, or the service, said of the failure. ${FOR_SHOPS}`, 'Your card was declined.')
  Said?: ReadOnly;
  @numberOrNull(`Charges tried. ${FOR_SHOPS}`, 1) Attempts?: ReadOnly;
  @numberOrNull('What the latest charge was for, in minor units of CurrencyIso; null where none was tried.', 3206)
  Amount?: ReadOnly;
  @textOrNull('ISO 4217 code of the Amount.', 'USD') CurrencyIso?: ReadOnly;
  @numberOrNull('The Order that it made, when Completed.', 1) OrderId?: ReadOnly;
  @oneOrNone(
    PUSH_STATE_WORDS,
    PUSH_STATES,
    `How that Order stands in the shop, as in Push; null where nothing is pushed. ${FOR_SHOPS}`,
    'Pushed',
  )
  PushState?: ReadOnly;
  @ReadOnlyUtc({ description: 'When it was charged, tried, skipped or ended.' }) AtUtc?: ReadOnly;
}

/** A try that would follow a decline. */
@ApiSchema({ name: 'ExplainedTry' })
export class ExplainedTryDto {
  @number('Which retry it would be, counted as in When.', 1) Retry?: ReadOnly;
  @ReadOnlyUtc({ description: 'When.' }) AtUtc?: ReadOnly;
}

/** What follows when the next charge fails. */
@ApiSchema({ name: 'ExplainedFailure' })
export class ExplainedFailureDto {
  @sentence('All of it in words.', 'If the charge on Saturday 2026-01-31 09:00 UTC is declined, …') Sentence?: ReadOnly;
  @listOf(
    'ExplainedTry',
    'The retries after a decline, by PAYMENT_RETRY_SCHEDULE as this API has it; then the order becomes Pending. Empty where nothing is charged or no retry is left.',
  )
  Retries?: ReadOnly;
  @textOrNull(
    'What follows a failure that is not the card’s; null while the order is not Active.',
    'If the gateway cannot be reached, …',
  )
  Technical?: ReadOnly;
}

/** What a request would be answered now. */
@ApiSchema({ name: 'ExplainedAction' })
export class ExplainedActionDto {
  @oneOf(ACTION_WORDS, EXPLAINED_ACTIONS, 'The request.', 'Skip') Action?: ReadOnly;
  @flag('Whether it would be done. One that changes nothing is.', true) Allowed?: ReadOnly;
  @sentence('What would happen; or the `detail` of the refusal.', 'The order is Paused already: nothing changes.')
  Because?: ReadOnly;
}

/** Why an order stands as it does, and what comes next. */
@ApiSchema({ name: 'Explanation' })
export class ExplanationDto {
  @ReadOnlyUtc({ description: 'The instant that it is true of; HowMuch was calculated just before.' })
  AsOfUtc?: ReadOnly;
  @readOnlyField({ type: () => ExplainedWhenDto, description: 'When it is processed next, and why then.' })
  When?: ReadOnly;
  @readOnlyField({ type: () => QuoteDto, description: 'What it would cost now, and why: exactly Quote.' })
  HowMuch?: ReadOnly;
  @readOnlyField({ type: () => ExplainedWithWhatDto, description: 'What it is charged with.' }) WithWhat?: ReadOnly;
  @readOnlyField({
    type: () => ExplainedLastTimeDto,
    nullable: true,
    description: 'What came of the last time; null before the first.',
  })
  LastTime?: ReadOnly;
  @readOnlyField({ type: () => ExplainedFailureDto, description: 'What follows when the next charge fails.' })
  IfItFails?: ReadOnly;
  @listOf('ExplainedAction', 'What requests would be answered now. Limits (429) are not counted.') MayNow?: ReadOnly;
}
