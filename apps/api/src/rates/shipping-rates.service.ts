import { Inject, Injectable } from '@nestjs/common';
import { ShippingRate } from '#libs/entities';
import type { Settings } from '#libs/platform';
import { Database, shippingRateView } from '#libs/records';
import { SETTINGS } from '../http/tokens.js';
import { RatesService } from './rates.service.js';

@Injectable()
export class ShippingRatesService extends RatesService<ShippingRate> {
  constructor(database: Database, @Inject(SETTINGS) { maxRatesPerSite }: Pick<Settings, 'maxRatesPerSite'>) {
    super(database, { entity: ShippingRate, view: shippingRateView, name: 'ShippingRate' }, maxRatesPerSite);
  }
}
