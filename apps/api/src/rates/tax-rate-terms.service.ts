import { Injectable } from '@nestjs/common';
import type { Transaction } from '#libs/database';
import { READS_TAX_SETTINGS, TaxRate } from '#libs/entities';
import { type Caller, Database, requireVersion, SiteScopedService, taxRateTermsView, type Values } from '#libs/records';

@Injectable()
export class TaxRateTermsService extends SiteScopedService<TaxRate> {
  constructor(database: Database) {
    super(database, { entity: TaxRate, view: taxRateTermsView, name: 'TaxRate Terms' });
  }

  /** Older processes know a tax by its name alone: they must not price with a priority. */
  protected override async validate(tx: Transaction, _caller: Caller, sent: Values<TaxRate>) {
    if (sent.priority != null) await requireVersion(tx, READS_TAX_SETTINGS);
    return sent;
  }
}
