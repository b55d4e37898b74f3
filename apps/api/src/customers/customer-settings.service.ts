import { Injectable } from '@nestjs/common';
import { Customer } from '#libs/entities';
import { customerSettingsView, Database, SiteScopedService } from '#libs/records';

@Injectable()
export class CustomerSettingsService extends SiteScopedService<Customer> {
  constructor(database: Database) {
    super(database, { entity: Customer, view: customerSettingsView, name: 'Customer Settings' });
  }
}
