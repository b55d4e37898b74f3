import { Injectable } from '@nestjs/common';
import type { Transaction } from '#libs/database';
import { TaxRate } from '#libs/entities';
import {
  type AskedRecords,
  type Caller,
  chooseSite,
  Database,
  searchRows,
  SiteScopedService,
  sortById,
  taxRateView,
  together,
  type Values,
} from '#libs/records';
import { BY_ID, type Question } from '../http/asked/index.js';
import { searchedRates } from './asked-rates.js';
import { assertLocation } from './location.js';

@Injectable()
export class TaxRatesService extends SiteScopedService<TaxRate> {
  constructor(database: Database) {
    super(database, { entity: TaxRate, view: taxRateView, name: 'TaxRate' });
  }

  /** @throws Forbidden when the caller does not reach the site that it names. */
  ask(caller: Caller, { siteId, q, sort = BY_ID }: Question<null>): AskedRecords {
    const filters = q === null ? [] : [searchRows(searchedRates('tax_rates'), q)];
    return this.askFor(caller, { siteId, filters, sort: sortById(sort.isDescending) });
  }

  protected override async validate(_: Transaction, caller: Caller, sent: Values<TaxRate>, stored: TaxRate | null) {
    await together(
      () => assertLocation({ ...stored, ...sent }),
      () => stored ?? chooseSite(caller, sent.siteId),
    );
    return sent;
  }
}
