import { Module } from '@nestjs/common';
import { ShippingRatesService, TaxRatesService, TaxRateTermsService } from './rates.service.js';
import { ShippingRatesController } from './shipping-rates.controller.js';
import { TaxRatesController } from './tax-rates.controller.js';

@Module({
  controllers: [ShippingRatesController, TaxRatesController],
  providers: [ShippingRatesService, TaxRatesService, TaxRateTermsService],
})
export class RatesModule {}
