import { Module } from '@nestjs/common';
import { AddressRule, OutboundClient, type Settings } from '#libs/platform';
import { SETTINGS } from '../http/tokens.js';
import { RecoveryService } from './recovery.service.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { WebhookTestsService } from './webhook-tests.service.js';

const rule = {
  provide: AddressRule,
  inject: [SETTINGS],
  useFactory: ({ outboundAllowedAddresses }: Settings) => new AddressRule(outboundAllowedAddresses),
};
const client = {
  provide: OutboundClient,
  inject: [AddressRule],
  useFactory: (addresses: AddressRule) => new OutboundClient(addresses),
};

@Module({
  controllers: [WebhookEndpointsController, WebhookDeliveriesController],
  providers: [
    rule,
    client,
    WebhookEndpointsService,
    WebhookSecretsService,
    WebhookTestsService,
    WebhookDeliveriesService,
    RecoveryService,
  ],
  exports: [WebhookEndpointsService, AddressRule, OutboundClient],
})
export class WebhooksModule {}
