import { Injectable } from '@nestjs/common';
import { Customer } from '#libs/entities';
import type { Transaction } from '#libs/platform';
import {
  assertShippingCountry,
  type Caller,
  CUSTOMERS_SEARCHED,
  customerView,
  Database,
  type FilteredRecords,
  Forbidden,
  type Listing,
  searchRows,
  SiteScopedService,
  sortById,
  type Values,
} from '#libs/records';
import { BY_ID, type Filterable, type ListFilter } from '../http/query/index.js';
import { ScheduledOrdersService } from '../scheduled-orders/scheduled-orders.service.js';

/** How to filter the list of customers. */
export const FILTERABLE: Filterable<null> = {
  file: 'Customers',
  sorts: ['Id'],
  searched: 'its Id or ExternalId (whole), or how its Email or LastName begins, in any case.',
  sought: 'ada@',
  parameters: [],
  read: () => null,
};

@Injectable()
export class CustomersService extends SiteScopedService<Customer> {
  constructor(
    database: Database,
    private readonly orders: ScheduledOrdersService,
  ) {
    super(database, {
      entity: Customer,
      view: customerView,
      name: 'Customer',
      ownedBy: (alias, customerId) => `${alias}.id = ${customerId}`,
    });
  }

  /** @throws Forbidden when the caller does not reach the site that it names. */
  filter(caller: Caller, { siteId, q, sort = BY_ID }: ListFilter<null>): Promise<FilteredRecords> {
    const filters = q === null ? [] : [searchRows(CUSTOMERS_SEARCHED, q)];
    return this.filtered(caller, { siteId, filters, sort: sortById(sort.isDescending) });
  }

  /** The scheduled orders of a customer whom the caller may reach. */
  async scheduledOrdersOf(caller: Caller, customerId: number): Promise<Listing> {
    await this.selectOne(caller, customerId, { name: 'ofScheduledOrders', columns: 'x.id' });
    return this.orders.listOf(customerId);
  }

  /**
   * The shipping country must be a country. A Customer token can change neither its customer's identity in the shop nor
   * whether it is taxed (decisions.md §3).
   */
  protected override validate(_tx: Transaction, caller: Caller, sent: Values<Customer>, stored: Customer | null) {
    const renamed = sent.externalId !== undefined && sent.externalId !== stored?.externalId;
    if (caller.scope === 'Customer' && renamed) {
      throw new Forbidden('ExternalId is the shop’s: only a Merchant token may change it.');
    }
    const { shippingCountry: standing = null } = stored ?? {};
    if (sent.shippingCountry !== undefined) assertShippingCountry(caller, sent.shippingCountry, standing);
    return Promise.resolve(sent);
  }

  protected override deleted(tx: Transaction, caller: Caller, { id }: Customer): Promise<void> {
    return this.orders.deleteOfCustomer(tx, caller, id);
  }
}
