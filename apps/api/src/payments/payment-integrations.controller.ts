import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { PaymentIntegrationDto, VERIFICATION } from '../contract/payments/payment-integration.dto.js';
import { FromCaller } from '../http/caller.js';
import { Idempotency } from '../http/idempotency.js';
import { Lists } from '../http/lists/lists.js';
import { CheckedBody, type Input, PageOrWhole, type PageRequest, PathId } from '../http/parameters/parameters.js';
import { Create, List, Read, Remove, Route, Update } from '../http/route.js';
import { PaymentIntegrationsService } from './payment-integrations.service.js';
import { FromSiteQuery } from './site-query.js';

@Controller()
@ApiTags('Payment integrations')
export class PaymentIntegrationsController {
  constructor(
    private readonly integrations: PaymentIntegrationsService,
    private readonly lists: Lists,
  ) {}

  @Create('/api/PaymentIntegrations', PaymentIntegrationDto, {
    audience: 'merchant',
    needsPassword: true,
    operationId: 'createPaymentIntegration',
    summary: 'Creates a payment integration',
    description: 'Orders that wait for it are tried again at once.',
    collection: '/api/PaymentIntegration',
  })
  create(
    @FromCaller() caller: Caller,
    @CheckedBody(PaymentIntegrationDto) integration: Input<PaymentIntegrationDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.integrations.create(caller, integration, once);
  }

  @List('/api/PaymentIntegrations', PaymentIntegrationDto, {
    audience: 'merchant',
    operationId: 'listPaymentIntegrations',
    summary: 'Lists payment integrations by Id',
  })
  async list(@FromCaller() caller: Caller, @PageOrWhole() page: PageRequest, @FromSiteQuery() siteId: number | null) {
    return this.lists.answer(page, await this.integrations.listOfSite(caller, siteId));
  }

  @Update('/api/PaymentIntegration/:paymentIntegrationId', PaymentIntegrationDto, {
    audience: 'merchant',
    needsPassword: true,
    operationId: 'updatePaymentIntegration',
    summary: 'Updates the fields sent',
    description: 'Orders that wait for it are tried again at once.',
  })
  update(
    @FromCaller() caller: Caller,
    @PathId('paymentIntegrationId') id: number,
    @CheckedBody(PaymentIntegrationDto) integration: Input<PaymentIntegrationDto>,
  ) {
    return this.integrations.update(caller, id, integration);
  }

  @Read('/api/PaymentIntegration/:paymentIntegrationId', PaymentIntegrationDto, {
    audience: 'merchant',
    operationId: 'getPaymentIntegration',
    summary: 'Gets a payment integration',
    addition: true,
  })
  get(@FromCaller() caller: Caller, @PathId('paymentIntegrationId') id: number) {
    return this.integrations.get(caller, id);
  }

  @Remove('/api/PaymentIntegration/:paymentIntegrationId', {
    audience: 'merchant',
    needsPassword: true,
    operationId: 'deletePaymentIntegration',
    summary: 'Deletes a payment integration',
    description: 'Orders that fall due without one wait for the next.',
    addition: true,
  })
  delete(@FromCaller() caller: Caller, @PathId('paymentIntegrationId') id: number) {
    return this.integrations.delete(caller, id);
  }

  @Route('POST', '/api/PaymentIntegration/:paymentIntegrationId/Verify', {
    audience: 'merchant',
    operationId: 'verifyPaymentIntegration',
    summary: 'Asks the gateway, harmlessly, whether the credentials work',
    description:
      'If they do, orders that wait for the integration are tried again at once. At most 60 a minute and account, with changes of integrations: 429.',
    gives: VERIFICATION,
    errors: [400, 404],
    addition: true,
  })
  verify(@FromCaller() caller: Caller, @PathId('paymentIntegrationId') id: number) {
    return this.integrations.verify(caller, id);
  }
}
