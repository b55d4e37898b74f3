import { Controller, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Caller } from '#libs/records';
import { WebhookDeliveryDetailsDto, WebhookDeliveryDto } from '../contract/events/webhook-delivery.dto.js';
import { FromCaller } from '../http/caller.js';
import { Idempotency } from '../http/idempotency.js';
import { nextPath } from '../http/lists/lists.js';
import { PathId } from '../http/parameters/parameters.js';
import { List, Read, Route } from '../http/route.js';
import { type DeliveriesQuery, FromDeliveriesQuery } from './deliveries-query.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

@Controller()
@ApiTags('Additions')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @List('/api/WebhookEndpoint/:webhookEndpointId/Deliveries', WebhookDeliveryDto, {
    audience: 'merchant',
    operationId: 'listWebhookDeliveries',
    summary: 'Lists what was sent, or is to be sent, newest first, 100 a page',
    errors: [404],
    addition: true,
  })
  async list(
    @FromCaller() caller: Caller,
    @PathId('webhookEndpointId') id: number,
    @FromDeliveriesQuery() query: DeliveriesQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { json, next } = await this.deliveries.page(caller, id, query);
    if (next !== null) void reply.header('link', `<${nextPath(reply.request.url, next)}>; rel="next"`);
    return json;
  }

  @Read('/api/WebhookDelivery/:webhookDeliveryId', WebhookDeliveryDetailsDto, {
    audience: 'merchant',
    operationId: 'getWebhookDelivery',
    summary: 'Gets a delivery with its body and its tries',
    addition: true,
  })
  get(@FromCaller() caller: Caller, @PathId('webhookDeliveryId') id: number) {
    return this.deliveries.get(caller, id);
  }

  @Route('POST', '/api/WebhookDelivery/:webhookDeliveryId/Resend', {
    audience: 'merchant',
    operationId: 'resendWebhookDelivery',
    summary: 'Sends the same bytes under the same id again',
    status: 202,
    gives: WebhookDeliveryDetailsDto,
    errors: [400, 404, 409, 422],
    addition: true,
  })
  resend(@FromCaller() caller: Caller, @PathId('webhookDeliveryId') id: number, @Idempotency() once: Idempotency) {
    return this.deliveries.resend(caller, id, once);
  }
}
