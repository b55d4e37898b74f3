import { recordSellable } from '#libs/ledger';
import type { ConnectionPool } from '#libs/platform';
import { type ChangesPlace, NOT_SOLD, type ShopProduct } from '#libs/shops';
import {
  ADD_PRODUCTS,
  ADVANCE_IMPORT,
  FOLLOW_PRODUCTS,
  FOLLOWED_PRODUCTS,
  importStepValues,
  NEW_PRODUCTS,
} from './catalogue.sql.js';

/** A page of an import. */
export interface ImportedPage {
  readonly listed: number;
  /** Null: the shop does not say. */
  readonly left: number | null;
  /** Null: that was the last page. */
  readonly next: ChangesPlace | null;
}

/** What a site sells, as its shop has it. Prices of items are their orders' own, and are never touched. */
export class Catalogue {
  constructor(
    private readonly pool: ConnectionPool,
    private readonly siteId: number,
  ) {}

  /** Products that the catalogue has get the shop's titles, prices and stock. */
  async follow(products: readonly ShopProduct[]): Promise<void> {
    if (products.length === 0) return;
    await this.pool.execute(FOLLOW_PRODUCTS, [this.siteId, ...FOLLOWED_PRODUCTS.values(products.map(followed))]);
  }

  /** Whether the shop sells them, as it would say to Verify. */
  async judge(products: readonly ShopProduct[]): Promise<void> {
    const sellable = products.map(({ externalId, unsellable }) => ({ productExternalId: externalId, unsellable }));
    await this.pool.transaction((tx) => recordSellable(tx, this.siteId, sellable));
  }

  /** Products that the shop does not have any more. */
  async followGone(ids: readonly number[]): Promise<void> {
    const rows = ids.map((id) => ({ ...NOTHING_KNOWN, external_id: String(id) }));
    if (rows.length > 0) await this.pool.execute(FOLLOW_PRODUCTS, [this.siteId, ...FOLLOWED_PRODUCTS.values(rows)]);
  }

  /** @returns how many are new. */
  async add(products: readonly ShopProduct[]): Promise<number> {
    const rows = products
      .filter(({ isPublished }) => isPublished)
      .map((product) => ({
        ...followed(product),
        type: product.type,
        sku: product.sku,
        description: product.description,
        length: product.length,
        width: product.width,
        height: product.height,
        weight: product.weight,
        shipping_class: product.shippingClass,
        tax_class: product.taxClass,
        image_url: product.imageUrl,
      }));
    if (rows.length === 0) return 0;
    return (await this.pool.execute(ADD_PRODUCTS, [this.siteId, ...NEW_PRODUCTS.values(rows)])).length;
  }

  /** Writes how far the import has come with a page. */
  async advance({ listed, left, next }: ImportedPage, created: number): Promise<void> {
    const step = {
      siteId: this.siteId,
      place: JSON.stringify(next ?? {}),
      listed,
      left,
      created,
      isDone: next === null,
    };
    await this.pool.execute(ADVANCE_IMPORT, importStepValues(step));
  }
}

const NOTHING_KNOWN = { title: null, price: null, sale_price: null, availability: NOT_SOLD, stock_level: null };

const followed = (product: ShopProduct) => ({
  external_id: product.externalId,
  title: product.title,
  price: product.price,
  sale_price: product.salePrice,
  availability: product.availability,
  stock_level: product.stockLevel,
});
