import { Injectable } from '@nestjs/common';
import { TaxRate } from '#libs/entities';
import { Database, SiteScopedService, taxRateTermsView } from '#libs/records';

@Injectable()
export class TaxRateTermsService extends SiteScopedService<TaxRate> {
  constructor(database: Database) {
    super(database, { entity: TaxRate, view: taxRateTermsView, name: 'TaxRate Terms' });
  }
}
