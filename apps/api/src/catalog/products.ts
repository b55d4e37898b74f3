import { Injectable } from '@nestjs/common';
import { Product } from '#libs/entities';
import { Database, productView, SiteRecords } from '#libs/records';

/** Every customer of a site may read its products. */
@Injectable()
export class Products extends SiteRecords<Product> {
  constructor(database: Database) {
    super(database, { entity: Product, view: productView, name: 'Product' });
  }
}
