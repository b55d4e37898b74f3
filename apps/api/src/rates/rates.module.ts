import { Module } from '@nestjs/common';
import { ShippingRatesController } from './shipping-rates.controller.js';
import { ShippingRates } from './shipping-rates.js';
import { TaxRatesController } from './tax-rates.controller.js';
import { TaxRates } from './tax-rates.js';

@Module({ controllers: [ShippingRatesController, TaxRatesController], providers: [ShippingRates, TaxRates] })
export class RatesModule {}
