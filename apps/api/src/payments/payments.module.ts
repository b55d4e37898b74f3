import { Module } from '@nestjs/common';
import type { Settings } from '#libs/config';
import { Gateways } from '#libs/gateways';
import { SETTINGS } from '../http/tokens.js';
import { PaymentIntegrationsController } from './payment-integrations.controller.js';
import { PaymentIntegrations } from './payment-integrations.js';

const gateways = {
  provide: Gateways,
  inject: [SETTINGS],
  useFactory: ({ gatewayOneUrl, gatewayTwoUrl, gatewayTimeoutMs, gatewayConcurrency }: Settings) =>
    new Gateways({ gatewayOneUrl, gatewayTwoUrl, timeoutMs: gatewayTimeoutMs, concurrency: gatewayConcurrency }),
};

@Module({ controllers: [PaymentIntegrationsController], providers: [gateways, PaymentIntegrations] })
export class PaymentsModule {}
