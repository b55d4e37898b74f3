import { Module } from '@nestjs/common';
import { ScheduledOrdersModule } from '../scheduled-orders/scheduled-orders.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ProductImportsController } from './product-imports.controller.js';
import { ProductImportsService } from './product-imports.service.js';
import { PushesController } from './pushes.controller.js';
import { PushesService } from './pushes.service.js';
import { ShopSecretsService } from './shop-secrets.service.js';
import { ShopVerificationService } from './shop-verification.service.js';
import { ShopsController } from './shops.controller.js';
import { ShopsService } from './shops.service.js';

@Module({
  imports: [ScheduledOrdersModule, WebhooksModule],
  controllers: [ShopsController, PushesController, ProductImportsController],
  providers: [ShopsService, ShopSecretsService, ShopVerificationService, PushesService, ProductImportsService],
})
export class ShopsModule {}
