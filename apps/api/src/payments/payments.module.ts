import { Module } from '@nestjs/common';
import { Gateways } from '#libs/gateways';
import type { Settings } from '#libs/platform';
import { CustomersModule } from '../customers/customers.module.js';
import { SETTINGS } from '../http/tokens.js';
import { DifferencesController } from './differences/differences.controller.js';
import { DifferencesService } from './differences/differences.service.js';
import { PaymentIntegrationsController } from './payment-integrations.controller.js';
import { PaymentIntegrationsService } from './payment-integrations.service.js';
import { PaymentMethodsController } from './payment-methods.controller.js';
import { PaymentMethodsService } from './payment-methods.service.js';

const gateways = {
  provide: Gateways,
  inject: [SETTINGS],
  useFactory: (settings: Settings) =>
    new Gateways({
      gatewayOneUrl: settings.gatewayOneUrl,
      gatewayTwoUrl: settings.gatewayTwoUrl,
      gatewayTwoSandboxUrl: settings.gatewayTwoSandboxUrl,
      timeoutMs: settings.gatewayTimeoutMs,
      concurrency: settings.gatewayConcurrency,
    }),
};

@Module({
  imports: [CustomersModule],
  controllers: [PaymentIntegrationsController, PaymentMethodsController, DifferencesController],
  providers: [gateways, PaymentIntegrationsService, PaymentMethodsService, DifferencesService],
})
export class PaymentsModule {}
