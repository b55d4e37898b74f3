import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { RecoverDto, RecoveryDto, TestWebhookDto, WebhookTestDto } from '../contract/events/webhook-delivery.dto.js';
import { RotateSecretDto, WebhookEndpointDto, WebhookSecretDto } from '../contract/events/webhook-endpoint.dto.js';
import { FromCaller } from '../http/caller.js';
import { Idempotency } from '../http/idempotency.js';
import { Lists } from '../http/lists/lists.js';
import {
  CheckedBody,
  type Input,
  OptionalBody,
  PageOrWhole,
  type PageRequest,
  PathId,
} from '../http/parameters/parameters.js';
import { Create, List, Read, Remove, Route, Update } from '../http/route.js';
import { type EndpointsQuery, FromEndpointsQuery } from './endpoints-query.js';
import { RecoveryService } from './recovery.service.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { WebhookTestsService } from './webhook-tests.service.js';

@Controller()
@ApiTags('Additions')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly secrets: WebhookSecretsService,
    private readonly tests: WebhookTestsService,
    private readonly recovery: RecoveryService,
    private readonly lists: Lists,
  ) {}

  @Create('/api/WebhookEndpoints', WebhookEndpointDto, {
    audience: 'merchant',
    needsPassword: true,
    operationId: 'createWebhookEndpoint',
    summary: 'Creates a webhook endpoint',
    description: 'At most 20 a site: 409. What happened before is not sent by itself.',
    collection: '/api/WebhookEndpoint',
    addition: true,
  })
  create(
    @FromCaller() caller: Caller,
    @CheckedBody(WebhookEndpointDto) endpoint: Input<WebhookEndpointDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.endpoints.create(caller, endpoint, once);
  }

  @List('/api/WebhookEndpoints', WebhookEndpointDto, {
    audience: 'merchant',
    operationId: 'listWebhookEndpoints',
    summary: 'Lists webhook endpoints by Id',
    addition: true,
  })
  async list(
    @FromCaller() caller: Caller,
    @PageOrWhole() page: PageRequest,
    @FromEndpointsQuery() query: EndpointsQuery,
  ) {
    return this.lists.answer(page, await this.endpoints.listOnly(caller, query));
  }

  @Update('/api/WebhookEndpoint/:webhookEndpointId', WebhookEndpointDto, {
    audience: 'merchant',
    operationId: 'updateWebhookEndpoint',
    summary: 'Updates the fields sent',
    description:
      'Status Enabled also forgets earlier failures. In a session another Url needs the password, entered within the last 10 minutes.',
    addition: true,
  })
  update(
    @FromCaller() caller: Caller,
    @PathId('webhookEndpointId') id: number,
    @CheckedBody(WebhookEndpointDto) endpoint: Input<WebhookEndpointDto>,
  ) {
    return this.endpoints.update(caller, id, endpoint);
  }

  @Read('/api/WebhookEndpoint/:webhookEndpointId', WebhookEndpointDto, {
    audience: 'merchant',
    operationId: 'getWebhookEndpoint',
    summary: 'Gets a webhook endpoint',
    addition: true,
  })
  get(@FromCaller() caller: Caller, @PathId('webhookEndpointId') id: number) {
    return this.endpoints.get(caller, id);
  }

  @Remove('/api/WebhookEndpoint/:webhookEndpointId', {
    audience: 'merchant',
    operationId: 'deleteWebhookEndpoint',
    summary: 'Deletes a webhook endpoint',
    description: 'Nothing more is sent to it.',
    addition: true,
  })
  delete(@FromCaller() caller: Caller, @PathId('webhookEndpointId') id: number) {
    return this.endpoints.delete(caller, id);
  }

  @Read('/api/WebhookEndpoint/:webhookEndpointId/Secret', WebhookSecretDto, {
    audience: 'merchant',
    needsPassword: true,
    operationId: 'getWebhookSecret',
    summary: 'Gets the secret that messages are signed with',
    addition: true,
  })
  secret(@FromCaller() caller: Caller, @PathId('webhookEndpointId') id: number) {
    return this.secrets.get(caller, id);
  }

  @Route('POST', '/api/WebhookEndpoint/:webhookEndpointId/RotateSecret', {
    audience: 'account',
    needsPassword: true,
    operationId: 'rotateWebhookSecret',
    summary: 'Makes a new secret',
    description: 'Until the end of the overlap both sign. A second rotation before that: 409.',
    gives: WebhookSecretDto,
    errors: [404, 409, 422],
    addition: true,
  })
  rotate(
    @FromCaller() caller: Caller,
    @PathId('webhookEndpointId') id: number,
    @OptionalBody(RotateSecretDto) { overlapSeconds }: Input<RotateSecretDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.secrets.rotate(caller, id, overlapSeconds, once);
  }

  @Route('POST', '/api/WebhookEndpoint/:webhookEndpointId/Test', {
    audience: 'merchant',
    operationId: 'testWebhookEndpoint',
    summary: 'Sends a synthetic event now, and answers how it went',
    description:
      'Its data are examples, with Simulated true. At most 60 a minute and account: 429. From a database that is a copy nothing is sent: 409.',
    gives: WebhookTestDto,
    errors: [404, 409, 422],
    addition: true,
  })
  test(
    @FromCaller() caller: Caller,
    @PathId('webhookEndpointId') id: number,
    @OptionalBody(TestWebhookDto) { eventType = 'scheduled_order.processed' }: Input<TestWebhookDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.tests.test(caller, id, eventType, once);
  }

  @Route('POST', '/api/WebhookEndpoint/:webhookEndpointId/Recover', {
    audience: 'merchant',
    operationId: 'recoverWebhooks',
    summary: 'Sends the events of a time again, or for the first time',
    description: 'At most 100,000 events a call: 409.',
    status: 202,
    gives: RecoveryDto,
    errors: [404, 409, 422],
    addition: true,
  })
  recover(
    @FromCaller() caller: Caller,
    @PathId('webhookEndpointId') id: number,
    @CheckedBody(RecoverDto) sent: Input<RecoverDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.recovery.recover(caller, id, sent, once);
  }
}
