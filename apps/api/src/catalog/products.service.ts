import { Injectable } from '@nestjs/common';
import { Product } from '#libs/entities';
import { judgePushableAnew } from '#libs/ledger';
import type { Transaction } from '#libs/platform';
import {
  type Caller,
  Database,
  type FilteredRecords,
  productView,
  type Searched,
  searchRows,
  SiteScopedService,
  sortById,
  type Values,
} from '#libs/records';
import { BY_ID, type Filterable, type ListFilter } from '../http/query/index.js';

const PRODUCTS: Searched = { table: 'products', whole: ['external_id'], beginnings: ['sku', 'title'] };

/** What decides whether a shop can take it, or whether it is ordered at all. */
const PUSHED_BY = ['externalId', 'sku', 'availability', 'stockLevel'] as const;

/** How to filter the list of products. */
export const FILTERABLE: Filterable<null> = {
  file: 'Products',
  sorts: ['Id'],
  searched: 'its Id or ExternalId (whole), or how its Sku or Title begins, in any case.',
  sought: 'coffee',
  parameters: [],
  read: () => null,
};

/** Every customer of a site may read its products. */
@Injectable()
export class ProductsService extends SiteScopedService<Product> {
  constructor(database: Database) {
    super(database, { entity: Product, view: productView, name: 'Product' });
  }

  /** @throws Forbidden when the caller does not reach the site that it names. */
  filter(caller: Caller, { siteId, q, sort = BY_ID }: ListFilter<null>): Promise<FilteredRecords> {
    const filters = q === null ? [] : [searchRows(PRODUCTS, q)];
    return this.filtered(caller, { siteId, filters, sort: sortById(sort.isDescending) });
  }

  protected override async validate(
    tx: Transaction,
    _: Caller,
    sent: Values<Product>,
    stored: Product | null,
  ): Promise<Values<Product>> {
    if (stored === null) return sent;
    const isChanged = (field: keyof Product) => sent[field] !== undefined && sent[field] !== stored[field];
    if (PUSHED_BY.some(isChanged)) await judgePushableAnew(tx, stored.siteId, null);
    // Of another product in the shop it is not known.
    return isChanged('externalId') ? { ...sent, unsellable: null } : sent;
  }

  protected override deleted(tx: Transaction, _: Caller, { siteId }: Product): Promise<void> {
    return judgePushableAnew(tx, siteId, null);
  }
}
