import { Module } from '@nestjs/common';
import { ShippingRatesController } from './shipping-rates.controller.js';
import { ShippingRatesService } from './shipping-rates.service.js';
import { TaxRateTermsService } from './tax-rate-terms.service.js';
import { TaxRatesController } from './tax-rates.controller.js';
import { TaxRatesService } from './tax-rates.service.js';

@Module({
  controllers: [ShippingRatesController, TaxRatesController],
  providers: [ShippingRatesService, TaxRatesService, TaxRateTermsService],
})
export class RatesModule {}
export { proposedRates } from './proposed-rates.js';
