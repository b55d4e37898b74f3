import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/records';
import { ShopDto, ShopVerificationDto } from '../contract/accounts/shop.dto.js';
import { RotateSecretDto, WebhookSecretDto } from '../contract/events/webhook-endpoint.dto.js';
import { FromCaller } from '../http/caller.js';
import { Idempotency } from '../http/idempotency.js';
import { CheckedBody, type Input, OptionalBody, PathId } from '../http/parameters/parameters.js';
import { Read, Route, Update } from '../http/route.js';
import { ShopSecretsService } from './shop-secrets.service.js';
import { ShopVerificationService } from './shop-verification.service.js';
import { ShopsService } from './shops.service.js';

@Controller()
@ApiTags('Additions')
export class ShopsController {
  constructor(
    private readonly shops: ShopsService,
    private readonly secrets: ShopSecretsService,
    private readonly verification: ShopVerificationService,
  ) {}

  @Update('/api/Site/:siteId/Shop', ShopDto, {
    audience: 'merchant',
    operationId: 'updateShop',
    summary: 'Updates the fields sent: whether and how Orders are pushed into the shop',
    description: 'Another Receiver or Path is Unverified. So is another Url, ApiKey1 or ApiKey2 of the site.',
    addition: true,
  })
  update(@FromCaller() caller: Caller, @PathId('siteId') id: number, @CheckedBody(ShopDto) shop: Input<ShopDto>) {
    return this.shops.update(caller, id, shop);
  }

  @Read('/api/Site/:siteId/Shop', ShopDto, {
    audience: 'merchant',
    operationId: 'getShop',
    summary: 'Gets where a site’s Orders are pushed to',
    addition: true,
  })
  get(@FromCaller() caller: Caller, @PathId('siteId') id: number) {
    return this.shops.get(caller, id);
  }

  @Route('POST', '/api/Site/:siteId/Shop/Verify', {
    audience: 'merchant',
    needsPassword: true,
    operationId: 'verifyShop',
    summary: 'Tries the shop, and lets waiting pushes go where it takes them',
    description:
      'It sends the keys to the Url of the site, and makes a probe order that it deletes again. At most 20 a minute and account: 429. From a database that is a copy, where the Url cannot be called, and where the shop is changed meanwhile: 409.',
    gives: ShopVerificationDto,
    errors: [404, 409, 422],
    addition: true,
  })
  verify(@FromCaller() caller: Caller, @PathId('siteId') id: number, @Idempotency() once: Idempotency) {
    return this.verification.verify(caller, id, once);
  }

  @Read('/api/Site/:siteId/Shop/Secret', WebhookSecretDto, {
    audience: 'merchant',
    needsPassword: true,
    operationId: 'getShopSecret',
    summary: 'Gets the secret that requests to an Http receiver are signed with',
    description: 'Before the shop was written there is none: 404.',
    addition: true,
  })
  secret(@FromCaller() caller: Caller, @PathId('siteId') id: number) {
    return this.secrets.get(caller, id);
  }

  @Route('POST', '/api/Site/:siteId/Shop/RotateSecret', {
    audience: 'account',
    needsPassword: true,
    operationId: 'rotateShopSecret',
    summary: 'Makes a new secret',
    description: 'Until the end of the overlap both sign. A second rotation before that: 409.',
    gives: WebhookSecretDto,
    errors: [404, 409, 422],
    addition: true,
  })
  rotate(
    @FromCaller() caller: Caller,
    @PathId('siteId') id: number,
    @OptionalBody(RotateSecretDto) { overlapSeconds }: Input<RotateSecretDto>,
    @Idempotency() once: Idempotency,
  ) {
    return this.secrets.rotate(caller, id, overlapSeconds, once);
  }
}
