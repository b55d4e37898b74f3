import { Injectable } from '@nestjs/common';
import type { Transaction } from '#libs/database';
import { Customer, READS_TAX_SETTINGS } from '#libs/entities';
import {
  type Caller,
  customerSettingsView,
  Database,
  requireVersion,
  SiteScopedService,
  type Values,
} from '#libs/records';

@Injectable()
export class CustomerSettingsService extends SiteScopedService<Customer> {
  constructor(database: Database) {
    super(database, { entity: Customer, view: customerSettingsView, name: 'Customer Settings' });
  }

  /** Older processes would tax the customer. */
  protected override async validate(tx: Transaction, _caller: Caller, sent: Values<Customer>) {
    if (sent.taxExempt === true) await requireVersion(tx, READS_TAX_SETTINGS);
    return sent;
  }
}
