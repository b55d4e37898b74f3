import { Injectable } from '@nestjs/common';
import { Product } from '#libs/entities';
import {
  type Caller,
  Database,
  type FilteredRecords,
  productView,
  type Searched,
  searchRows,
  SiteScopedService,
  sortById,
} from '#libs/records';
import { BY_ID, type Filterable, type ListFilter } from '../http/query/index.js';

const PRODUCTS: Searched = { table: 'products', whole: ['external_id'], beginnings: ['sku', 'title'] };

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
}
