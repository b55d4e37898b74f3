import { Injectable } from '@nestjs/common';
import type { Transaction } from '#libs/database';
import { TaxRate } from '#libs/entities';
import {
  type Caller,
  chooseSite,
  Database,
  SiteScopedService,
  taxRateView,
  together,
  type Values,
} from '#libs/records';
import { assertLocation } from './location.js';

@Injectable()
export class TaxRatesService extends SiteScopedService<TaxRate> {
  constructor(database: Database) {
    super(database, { entity: TaxRate, view: taxRateView, name: 'TaxRate' });
  }

  protected override async validate(_: Transaction, caller: Caller, sent: Values<TaxRate>, stored: TaxRate | null) {
    await together(
      () => assertLocation({ ...stored, ...sent }),
      () => stored ?? chooseSite(caller, sent.siteId),
    );
    return sent;
  }
}
