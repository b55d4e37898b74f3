import { Inject, Injectable } from '@nestjs/common';
import { ShippingRate, TaxRate } from '#libs/entities';
import { type Settings, Statement, type Transaction } from '#libs/platform';
import {
  type Caller,
  Conflict,
  Database,
  type FilteredRecords,
  type Resource,
  searchRows,
  shippingRateView,
  SiteScopedService,
  sortById,
  taxRateTermsView,
  taxRateView,
  type Values,
} from '#libs/records';
import { BY_ID, type ListFilter } from '../http/query/index.js';
import { SETTINGS } from '../http/tokens.js';
import { assertLocation } from './location.js';
import { searchedRates } from './rates-query.js';

/** The row is locked by the insertion before. pk_rate_versions. $1 site. */
const RATES = Statement.named(`SELECT v.rates FROM rate_versions v WHERE v.site_id = $1`);

/** Rates of either kind: what both have in common. */
export abstract class RatesService<E extends ShippingRate | TaxRate> extends SiteScopedService<E> {
  protected constructor(
    database: Database,
    resource: Resource<E>,
    private readonly maxRatesPerSite: number,
  ) {
    super(database, resource);
  }

  /** @throws Forbidden when the caller does not reach the site that it names. */
  filter(caller: Caller, { siteId, q, sort = BY_ID }: ListFilter<null>): Promise<FilteredRecords> {
    const { table } = this.resource.view;
    const filters = q === null ? [] : [searchRows(searchedRates(table), q)];
    return this.filtered(caller, { siteId, filters, sort: sortById(sort.isDescending) });
  }

  protected override validate(_: Transaction, __: Caller, sent: Values<E>, stored: E | null): Promise<Values<E>> {
    assertLocation({ ...stored, ...sent });
    return Promise.resolve(sent);
  }

  /** @throws Conflict when the site has too many. */
  protected override async created(tx: Transaction, _: Caller, { siteId }: Values<E>): Promise<void> {
    const [row] = await tx.execute<{ rates: number }>(RATES, [siteId]);
    const before = row!.rates - 1;
    if (before < this.maxRatesPerSite) return;
    throw new Conflict(
      `Site ${siteId} has ${before} shipping and tax rates; at most ${this.maxRatesPerSite} may be created (MAX_RATES_PER_SITE): delete one first.`,
    );
  }
}

@Injectable()
export class TaxRatesService extends RatesService<TaxRate> {
  constructor(database: Database, @Inject(SETTINGS) { maxRatesPerSite }: Pick<Settings, 'maxRatesPerSite'>) {
    super(database, { entity: TaxRate, view: taxRateView, name: 'TaxRate' }, maxRatesPerSite);
  }
}

@Injectable()
export class ShippingRatesService extends RatesService<ShippingRate> {
  constructor(database: Database, @Inject(SETTINGS) { maxRatesPerSite }: Pick<Settings, 'maxRatesPerSite'>) {
    super(database, { entity: ShippingRate, view: shippingRateView, name: 'ShippingRate' }, maxRatesPerSite);
  }
}

@Injectable()
export class TaxRateTermsService extends SiteScopedService<TaxRate> {
  constructor(database: Database) {
    super(database, { entity: TaxRate, view: taxRateTermsView, name: 'TaxRate Terms' });
  }
}
