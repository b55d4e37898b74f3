import { Module } from '@nestjs/common';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ProductImportsController } from './product-imports.controller.js';
import { ProductImportsService } from './product-imports.service.js';
import { ShopSecretsService } from './shop-secrets.service.js';
import { ShopVerificationService } from './shop-verification.service.js';
import { ShopsController } from './shops.controller.js';
import { ShopsService } from './shops.service.js';

@Module({
  imports: [WebhooksModule],
  controllers: [ShopsController, ProductImportsController],
  providers: [ProductImportsService, ShopsService, ShopSecretsService, ShopVerificationService],
})
export class ShopsModule {}
