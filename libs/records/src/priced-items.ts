import type { PushableProduct, QuotableItem } from '#libs/rules';

/** An item with what its price depends on; what names its product to a shop is null unless it was asked for. */
export interface PricedItem extends QuotableItem {
  readonly product: PushableProduct;
}

/** An item as `pricedItemsSql` gives it. */
export type PricedItemRow = [
  id: number,
  productId: number,
  price: string,
  salePrice: string | null,
  quantity: number,
  title: string | null,
  availability: string | null,
  stockLevel: string | null,
  shippingClass: string | null,
  taxClass: string | null,
  deletedUtc: string | null,
  externalId: string | null,
  sku: string | null,
  unsellable: string | null,
];

/**
 * The items of an order `o` as JSON, by ix_scheduled_order_items_order and pk_products; null: it has none. $2: at most
 * so many; null: all. `title`: of the product `p`, or NULL. `isNamed`: whether what names it to a shop is read, too.
 */
export const pricedItemsSql = (title: 'p.title' | 'NULL', isNamed: string): string =>
  `(SELECT json_agg(json_build_array(i.id, i.product_id, i.price::text, i.sale_price::text, i.quantity, ${title}, p.availability,
      p.stock_level, p.shipping_class, p.tax_class, p.deleted_utc, CASE WHEN ${isNamed} THEN p.external_id END,
      CASE WHEN ${isNamed} THEN p.sku END, CASE WHEN ${isNamed} THEN p.unsellable END) ORDER BY i.id)
   FROM (SELECT i.* FROM scheduled_order_items i WHERE i.scheduled_order_id = o.id AND i.deleted_utc IS NULL ORDER BY i.id LIMIT $2) i
   JOIN products p ON p.id = i.product_id)`;

export const pricedItems = (rows: readonly PricedItemRow[] | null): PricedItem[] => (rows ?? []).map(pricedItem);

function pricedItem(row: PricedItemRow): PricedItem {
  const [id, productId, price, salePrice, quantity, title, availability, stockLevel, ...rest] = row;
  const [shippingClass, taxClass, deletedUtc, externalId, sku, unsellable] = rest;
  const named = { title, externalId, sku, unsellable };
  const product = { availability, stockLevel, shippingClass, taxClass, deletedUtc, ...named };
  return { id, productId, price, salePrice, quantity, product };
}
