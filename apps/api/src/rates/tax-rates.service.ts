import { Inject, Injectable } from '@nestjs/common';
import { TaxRate } from '#libs/entities';
import type { Settings } from '#libs/platform';
import { Database, taxRateView } from '#libs/records';
import { SETTINGS } from '../http/tokens.js';
import { RatesService } from './rates.service.js';

@Injectable()
export class TaxRatesService extends RatesService<TaxRate> {
  constructor(database: Database, @Inject(SETTINGS) { maxRatesPerSite }: Pick<Settings, 'maxRatesPerSite'>) {
    super(database, { entity: TaxRate, view: taxRateView, name: 'TaxRate' }, maxRatesPerSite);
  }
}
