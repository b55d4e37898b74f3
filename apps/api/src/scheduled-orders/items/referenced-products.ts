import { Statement, type Transaction } from '#libs/platform';
import { assertReferences, type Caller, collectFaults, type Reference } from '#libs/records';
import type { PushableProduct } from '#libs/rules';

/** The fields of a product that an item needs. */
export interface ReferencedProduct extends PushableProduct {
  readonly id: number;
  readonly price: string | null;
  readonly salePrice: string | null;
}

/** SQL of type json for the product row called `alias`. */
export const referencedProduct = (alias: string) =>
  `json_build_object('id', ${alias}.id, 'price', ${alias}.price::text, 'salePrice', ${alias}.sale_price::text,
     'availability', ${alias}.availability, 'stockLevel', ${alias}.stock_level, 'shippingClass', ${alias}.shipping_class,
     'taxClass', ${alias}.tax_class, 'deletedUtc', ${alias}.deleted_utc, 'title', ${alias}.title, 'externalId', ${alias}.external_id,
     'sku', ${alias}.sku, 'unsellable', ${alias}.unsellable)`;

const PRODUCTS = { table: 'products', name: 'Product' };

const BY_ID = Statement.named(
  `SELECT ${referencedProduct('p')} AS product FROM products p WHERE p.id = ANY ($1::bigint[])`,
);

/**
 * The products that a request newly refers to, by id.
 * @throws like assertReferences: Rejected for one that does not exist or is on another site, Forbidden for another
 * account's.
 */
export async function productsFor(
  tx: Transaction,
  caller: Caller,
  siteId: number,
  references: readonly Reference[],
): Promise<ReadonlyMap<number, ReferencedProduct>> {
  if (references.length === 0) return new Map();
  const ids = references.map(({ id }) => id);
  const [, rows] = await collectFaults(
    () => assertReferences(tx, caller, PRODUCTS, references, siteId),
    () => tx.execute<{ product: ReferencedProduct }>(BY_ID, [ids]),
  );
  return new Map(rows.map(({ product }) => [product.id, product]));
}
