import { ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { type ReadOnly, readOnlyField, ReadOnlyId, ReadOnlyUtc } from '../../http/fields/index.js';

const MOST = 10_000;
const counted = (description: string, example: number) =>
  readOnlyField({ type: 'integer', minimum: 0, maximum: MOST, description, example });
const count = (description: string, example: number) =>
  readOnlyField({ type: 'integer', minimum: 0, description, example });
const flag = (description: string, example: boolean) => readOnlyField({ type: 'boolean', description, example });
const link = (example: string) =>
  readOnlyField({ type: 'string', format: 'uri-reference', description: 'The path of the list.', example });

/** Versions of the database's tables: numbers of migrations. */
@ApiSchema({ name: 'OperationsSchema' })
export class OperationsSchemaDto {
  @count('Of the database: its newest migration.', 42) Version?: ReadOnly;
  @count('Of the API that answers. While versions are changed it may differ.', 42) Expected?: ReadOnly;
  @count('Older processes may not use the database.', 41) Minimum?: ReadOnly;
}

/** Whether this database is the one that charges. */
@ApiSchema({ name: 'OperationsDeployment' })
export class OperationsDeploymentDto {
  @flag('Whether anything may be charged or sent from this database.', true) MayCharge?: ReadOnly;
  @readOnlyField({ type: 'string', nullable: true, description: 'Why not, and what to do.', example: null })
  Refusal?: ReadOnly;
}

/** Whether the database can be written to, as the API that answers finds by an INSERT, at most every 5 seconds. */
@ApiSchema({ name: 'OperationsWrites' })
export class OperationsWritesDto {
  @flag('Whether the database takes writes. If not, what only reads works, and nothing is charged or sent.', true)
  Accepted?: ReadOnly;
  @readOnlyField({ type: 'string', nullable: true, description: 'Why not.', example: null }) Refusal?: ReadOnly;
}

/** The processes that charge and send. */
@ApiSchema({ name: 'OperationsWorkers' })
export class OperationsWorkersDto {
  @readOnlyField({
    type: 'integer',
    minimum: 0,
    nullable: true,
    description:
      'Workers that are connected to the database and listen. Null where the API reaches it through a pooler in transaction mode, which hides them.',
    example: 2,
  })
  Connected?: ReadOnly;
  @readOnlyField({
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    description:
      'Roles (WORKER_ROLES) that are needed, and that no worker has that is connected: `processor` always, `dispatcher` where any webhook endpoint is enabled, `pushes` where Orders of any site are pushed. Null where Connected is.',
    example: [],
  })
  MissingRoles?: ReadOnly;
  @ReadOnlyUtc({
    nullable: true,
    description:
      'The last sign of life of any worker. A living one gives it every 10 to 20 seconds; null before the first.',
  })
  SeenUtc?: ReadOnly;
}

/** The list that shows exactly the orders of each figure. */
@ApiSchema({ name: 'OperationsOrdersLinks' })
export class OperationsOrdersLinksDto {
  @link('/api/ScheduledOrders?Status=Active&NextTo=2026-01-31T09%3A00%3A00.000Z') Due?: ReadOnly;
  @link('/api/ScheduledOrders?Status=Active&NextTo=2026-01-31T08%3A55%3A00.000Z') Overdue?: ReadOnly;
  @link('/api/ScheduledOrders?Problem=Retrying') Retrying?: ReadOnly;
  @link('/api/ScheduledOrders?Problem=Waiting') Waiting?: ReadOnly;
  @link('/api/ScheduledOrders?Problem=Unknown') Unknown?: ReadOnly;
}

/** Scheduled orders of the account that wait: each figure as in its sites' Overview. */
@ApiSchema({ name: 'OperationsOrders' })
export class OperationsOrdersDto {
  @counted('Active orders whose NextOccurrenceUtc has come.', 14) Due?: ReadOnly;
  @counted('Those of them that have been due for more than 5 minutes.', 0) Overdue?: ReadOnly;
  @counted('Orders whose charge failed and is tried again.', 3) Retrying?: ReadOnly;
  @counted('Orders that wait for their payment integration.', 0) Waiting?: ReadOnly;
  @counted('Orders of which nobody knows yet whether they were charged.', 1) Unknown?: ReadOnly;
  @ReadOnlyUtc({ nullable: true, description: 'Since when the oldest of Due has been due: the lag. Null: none is.' })
  OldestDueUtc?: ReadOnly;
  @readOnlyField({ type: () => OperationsOrdersLinksDto, description: 'The list of each figure.' })
  Links?: ReadOnly;
}

/** Orders of a site that wait for a payment integration, which is tried with one of them at a time. */
@ApiSchema({ name: 'OperationsWait' })
export class OperationsWaitDto {
  @ReadOnlyId({ description: 'The site.' }) SiteId?: ReadOnly;
  @readOnlyField({
    type: 'string',
    enum: ['GatewayOne', 'GatewayTwo'],
    description: 'The kind of the integration: `GatewayOne` is Stripe’s API, `GatewayTwo` Authorize.Net’s.',
    example: 'GatewayOne',
  })
  PaymentMethodType?: ReadOnly;
  @ReadOnlyUtc({ description: 'Since when.' }) WaitingSinceUtc?: ReadOnly;
  @ReadOnlyUtc({ nullable: true, description: 'When it is tried again; null while one of the orders is being tried.' })
  NextProbeUtc?: ReadOnly;
  @flag('Its credentials seem to be those of another account at the gateway.', false) WrongAccount?: ReadOnly;
}

/** Payment integrations of the account. */
@ApiSchema({ name: 'OperationsIntegrations' })
export class OperationsIntegrationsDto {
  @readOnlyField({
    type: 'array',
    items: { $ref: getSchemaPath('OperationsWait') },
    description: 'Those that orders wait for, the longest wait first; at most 100.',
  })
  Waits?: ReadOnly;
  @count(
    'Those whose charges are compared with the ledger before anything is charged through them, after a restore or an adoption.',
    0,
  )
  Uncompared?: ReadOnly;
}

/** Webhooks of the account. */
@ApiSchema({ name: 'OperationsWebhooks' })
export class OperationsWebhooksDto {
  @counted('Deliveries that wait for their first or next try, to endpoints that are enabled.', 0) Waiting?: ReadOnly;
  @ReadOnlyUtc({ nullable: true, description: 'Since when the oldest of them has waited.' })
  OldestWaitingUtc?: ReadOnly;
  @count('Endpoints to which nothing is delivered.', 0) EndpointsFailing?: ReadOnly;
  @count('Endpoints that only one delivery is tried at, while the others wait (their breaker is open).', 0)
  EndpointsHeld?: ReadOnly;
  @count('Endpoints that the service has disabled.', 0) EndpointsDisabled?: ReadOnly;
}

/** Events of the account that nobody is told of yet. */
@ApiSchema({ name: 'OperationsEvents' })
export class OperationsEventsDto {
  @counted('Events that a worker has not numbered yet: the feed and webhooks do not have them.', 0)
  Unnumbered?: ReadOnly;
  @ReadOnlyUtc({ nullable: true, description: 'When the oldest of them happened.' }) OldestUnnumberedUtc?: ReadOnly;
}

/** How much of something limited the account has. Creating more than the limit is answered 409. */
@ApiSchema({ name: 'OperationsQuota' })
export class OperationsQuotaDto {
  @readOnlyField({
    type: 'string',
    enum: ['Sites', 'TestClocks', 'ApiKeys', 'Rates', 'WebhookEndpoints'],
    description:
      'What is limited. Of the account: `Sites` real sites, `TestClocks` test clocks, `ApiKeys` API keys. Of each site: `Rates` shipping and tax rates, `WebhookEndpoints` webhook endpoints.',
    example: 'Rates',
  })
  Of?: ReadOnly;
  @ReadOnlyId({
    nullable: true,
    description:
      'Of what each site may have: the site that has the most. Null where it counts for the account, or no site has any.',
  })
  SiteId?: ReadOnly;
  @count('How many there are. More than Limit where they were there before the limit.', 1_204) Used?: ReadOnly;
  @count('The most that may be created.', 100_000) Limit?: ReadOnly;
}

/** How the installation works, and what waits in it of the account. */
@ApiSchema({ name: 'Operations' })
export class OperationsDto {
  @ReadOnlyUtc({ description: 'The time of the figures.' }) AsOfUtc?: ReadOnly;
  @readOnlyField({ type: 'string', description: 'Of the API that answers.', example: '0.1.0' }) Version?: ReadOnly;
  @readOnlyField({ type: () => OperationsSchemaDto, description: 'Of the installation.' }) Schema?: ReadOnly;
  @readOnlyField({ type: () => OperationsDeploymentDto, description: 'Of the installation.' }) Deployment?: ReadOnly;
  @readOnlyField({ type: () => OperationsWritesDto, description: 'Of the installation.' }) Writes?: ReadOnly;
  @readOnlyField({ type: () => OperationsWorkersDto, description: 'Of the installation.' }) Workers?: ReadOnly;
  @readOnlyField({ type: () => OperationsOrdersDto, description: 'Of the account.' }) Orders?: ReadOnly;
  @readOnlyField({ type: () => OperationsIntegrationsDto, description: 'Of the account.' }) Integrations?: ReadOnly;
  @readOnlyField({ type: () => OperationsWebhooksDto, description: 'Of the account.' }) Webhooks?: ReadOnly;
  @readOnlyField({ type: () => OperationsEventsDto, description: 'Of the account.' }) Events?: ReadOnly;
  @readOnlyField({
    type: 'array',
    items: { $ref: getSchemaPath('OperationsQuota') },
    description: 'What the account may create, and how much of it there is.',
  })
  Quotas?: ReadOnly;
  @readOnlyField({
    type: 'array',
    items: { type: 'string' },
    description:
      'The figures that may be larger, such as `Orders.Due`: they are counted up to 10,000. Of events, the oldest 10,000 of the installation are looked at.',
    example: [],
  })
  More?: ReadOnly;
}
