import { Injectable } from '@nestjs/common';
import { Product } from '#libs/entities';
import { Database, productView, SiteScopedService } from '#libs/records';

/** Every customer of a site may read its products. */
@Injectable()
export class ProductsService extends SiteScopedService<Product> {
  constructor(database: Database) {
    super(database, { entity: Product, view: productView, name: 'Product' });
  }
}
