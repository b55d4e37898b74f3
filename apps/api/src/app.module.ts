import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from './auth/auth.module.js';
import { CatalogModule } from './catalog/catalog.module.js';
import { CustomersModule } from './customers/customers.module.js';
import { EventsModule } from './events/events.module.js';
import { ExplainModule } from './explain/explain.module.js';
import { type ApiContext, CoreModule } from './http/core.module.js';
import { LogsModule } from './logs/logs.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { RatesModule } from './rates/rates.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { ScheduledOrdersModule } from './scheduled-orders/scheduled-orders.module.js';
import { ShopsModule } from './shops/shops.module.js';
import { SitesModule } from './sites/sites.module.js';
import { SystemModule } from './system/system.module.js';
import { TestClocksModule } from './test-clocks/test-clocks.module.js';
import { TimelineModule } from './timeline/timeline.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

@Module({
  imports: [
    SystemModule,
    AuthModule,
    CustomersModule,
    CatalogModule,
    OrdersModule,
    PaymentsModule,
    RatesModule,
    SitesModule,
    ShopsModule,
    ScheduledOrdersModule,
    ExplainModule,
    LogsModule,
    TimelineModule,
    WebhooksModule,
    EventsModule,
    ReportsModule,
    TestClocksModule,
  ],
})
export class AppModule {
  static with(context: ApiContext): DynamicModule {
    return { module: AppModule, imports: [CoreModule.with(context)] };
  }
}
