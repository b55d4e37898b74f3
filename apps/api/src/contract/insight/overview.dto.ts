import { ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { SHOP_STATES } from '#libs/entities';
import { type ReadOnly, readOnlyField, ReadOnlyUtc } from '../../http/fields/index.js';
import { explained, SHOP_STATE_WORDS } from '../words.js';

const orders = (description: string, example: number) =>
  readOnlyField({ type: 'integer', minimum: 0, maximum: 10_000, description, example });
const count = (description: string, example: number) =>
  readOnlyField({ type: 'integer', minimum: 0, description, example });
const link = (example: string) =>
  readOnlyField({ type: 'string', format: 'uri-reference', description: 'The path of the list.', example });

/** What was processed today, in one currency. */
@ApiSchema({ name: 'OverviewToday' })
export class OverviewTodayDto {
  @readOnlyField({ type: 'string', description: 'ISO 4217.', example: 'USD' }) CurrencyIso?: ReadOnly;
  @count('Orders that processing has written today.', 118) Processed?: ReadOnly;
  @readOnlyField({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    description: 'Their totals. An integer, in minor units of CurrencyIso.',
    example: 294010,
  })
  Charged?: ReadOnly;
  @count('Cycles that failed for good today.', 2) Failed?: ReadOnly;
}

/** The list that shows exactly the records of each figure. */
@ApiSchema({ name: 'OverviewLinks' })
export class OverviewLinksDto {
  @link('/api/ScheduledOrders?SiteId=1&Status=Active&NextTo=2026-01-31T09%3A00%3A00.000Z') Due?: ReadOnly;
  @link('/api/ScheduledOrders?SiteId=1&Status=Active&NextTo=2026-01-31T08%3A55%3A00.000Z') Overdue?: ReadOnly;
  @link('/api/ScheduledOrders?SiteId=1&Problem=Retrying') Retrying?: ReadOnly;
  @link('/api/ScheduledOrders?SiteId=1&Problem=Waiting') Waiting?: ReadOnly;
  @link('/api/ScheduledOrders?SiteId=1&Problem=Unknown') Unknown?: ReadOnly;
  @link('/api/ScheduledOrders?SiteId=1&Status=Pending') Pending?: ReadOnly;
  @link('/api/Site/1/Differences?State=Open') Differences?: ReadOnly;
  @link('/api/Site/1/Pushes?State=Differs') PushesThatDiffer?: ReadOnly;
  @link('/api/Site/1/Pushes?State=Failed') PushesFailed?: ReadOnly;
  @link('/api/Site/1/Pushes?State=Unknown') PushesUnknown?: ReadOnly;
  @link('/api/Site/1/Pushes?State=Waiting') PushesWaiting?: ReadOnly;
  @link('/api/WebhookEndpoints?SiteId=1&Failing=true') EndpointsFailing?: ReadOnly;
  @link('/api/Site/1/Calendar?From=2026-01-31&To=2026-02-01') Today?: ReadOnly;
}

/** What needs attention on a site now. */
@ApiSchema({ name: 'Overview' })
export class OverviewDto {
  @ReadOnlyUtc({ description: 'The time of the figures.' }) AsOfUtc?: ReadOnly;
  @orders('Active orders whose NextOccurrenceUtc has come; those that a worker is just processing included.', 14)
  Due?: ReadOnly;
  @orders('Those of them that have been due for more than 5 minutes.', 0) Overdue?: ReadOnly;
  @orders('Orders whose charge failed and is tried again.', 3) Retrying?: ReadOnly;
  @orders('Orders that wait for their payment integration.', 0) Waiting?: ReadOnly;
  @orders('Orders of which nobody knows yet whether they were charged.', 1) Unknown?: ReadOnly;
  @orders('Orders that are not ready: somebody has to act.', 5) Pending?: ReadOnly;
  @orders('Open differences between the gateways’ books and the ledger.', 0) Differences?: ReadOnly;
  @orders('Orders that one of them holds: nothing is charged for them.', 0) HeldOrders?: ReadOnly;
  @ReadOnlyUtc({ nullable: true, description: 'When the oldest open difference was seen; null without one.' })
  OldestDifferenceUtc?: ReadOnly;
  @orders('Orders that the shop has otherwise than they were charged: somebody decides.', 0)
  PushesThatDiffer?: ReadOnly;
  @orders('Orders that could not be pushed into the shop, and are not tried again by themselves.', 0)
  PushesFailed?: ReadOnly;
  @orders('Orders that were sent into the shop, and of which nobody knows yet what came of it.', 0)
  PushesUnknown?: ReadOnly;
  @orders('Orders that are to be pushed, or pushed again. Where Push is Off by now, they stay so.', 0)
  PushesWaiting?: ReadOnly;
  @readOnlyField({
    type: 'string',
    enum: [...SHOP_STATES],
    nullable: true,
    description: explained(
      'Whether the shop takes Orders; in any other state than `Ready` they wait. Null where Push is Off.',
      SHOP_STATE_WORDS,
    ),
    example: null,
  })
  ShopState?: ReadOnly;
  @readOnlyField({
    type: 'array',
    items: { type: 'string' },
    description: 'The figures that are larger: they are counted up to 10,000.',
    example: [],
  })
  More?: ReadOnly;
  @count('Webhook endpoints to which nothing is delivered.', 0) EndpointsFailing?: ReadOnly;
  @readOnlyField({
    type: 'array',
    items: { $ref: getSchemaPath('OverviewToday') },
    description: 'By currency, since midnight UTC.',
  })
  Today?: ReadOnly;
  @readOnlyField({ type: () => OverviewLinksDto, description: 'The list of each figure.' })
  Links?: ReadOnly;
}
