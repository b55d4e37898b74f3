/** What every list has of its records. */
export interface WooListed {
  readonly id: number;
  readonly date_modified_gmt: string;
}

export const isListed = (json: unknown): json is WooListed => {
  const { id, date_modified_gmt: modified } = (json ?? {}) as Partial<WooListed>;
  return typeof id === 'number' && typeof modified === 'string' && !Number.isNaN(Date.parse(`${modified}Z`));
};

/** A product, or a variation, which lacks some of it. */
export interface WooCatalogueProduct extends WooListed {
  readonly type?: string;
  readonly status?: string;
  readonly purchasable?: boolean;
  readonly name?: string;
  readonly sku?: string;
  readonly short_description?: string;
  readonly price?: string;
  readonly regular_price?: string;
  readonly sale_price?: string;
  readonly on_sale?: boolean;
  readonly stock_status?: string;
  /** Of a variation also `parent`: then the quantity is the parent's. */
  readonly manage_stock?: boolean | string;
  readonly stock_quantity?: number | null;
  readonly weight?: string;
  readonly dimensions?: { readonly length?: string; readonly width?: string; readonly height?: string };
  readonly shipping_class?: string;
  readonly tax_class?: string;
  readonly images?: readonly { readonly src?: string }[];
  readonly image?: { readonly src?: string } | null;
  readonly attributes?: readonly { readonly option?: string }[];
}
export const CATALOGUE_FIELDS =
  'id,type,status,purchasable,name,sku,short_description,price,regular_price,sale_price,on_sale,stock_status,manage_stock,' +
  'stock_quantity,weight,dimensions,shipping_class,tax_class,images,image,attributes,date_modified_gmt';

/** What the shop sells, in the catalogue's words. Null: the shop does not say, or in another currency. */
export interface ShopProduct {
  readonly externalId: string;
  readonly isPublished: boolean;
  /** Why it cannot be bought, as a sentence; null: it can. */
  readonly unsellable: string | null;
  readonly type: string;
  readonly sku: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly price: string | null;
  readonly salePrice: string | null;
  readonly availability: string;
  readonly stockLevel: string | null;
  readonly length: string | null;
  readonly width: string | null;
  readonly height: string | null;
  readonly weight: string | null;
  readonly shippingClass: string | null;
  readonly taxClass: string | null;
  readonly imageUrl: string | null;
}

/** schema.org's ItemAvailability, as the catalogue reads it (decisions.md §1). */
const AVAILABILITY: Readonly<Record<string, string>> = {
  instock: 'InStock',
  outofstock: 'OutOfStock',
  onbackorder: 'BackOrder',
};
/** Of a product that the shop has, but sells to nobody. */
export const NOT_SOLD = 'Unavailable';

/** Nobody can pack these: a group is bought as its products, an external one elsewhere. */
const NOT_BOUGHT = new Set(['grouped', 'external']);

export const isProduct = (one: WooListed): one is WooCatalogueProduct =>
  !NOT_BOUGHT.has((one as WooCatalogueProduct).type ?? '');

/** Why nobody can pack or buy a product, as a sentence; undefined: the shop has none. */
export function unsellable(
  product: Pick<WooCatalogueProduct, 'type' | 'status' | 'purchasable'> | undefined,
  name: string,
): string | null {
  if (product === undefined) return `The shop has no product for "${name}".`;
  if (product.type === 'variable') return `"${name}" has variations, and the product names none of them.`;
  if (product.status !== 'publish') return `"${name}" is not published in the shop (${product.status}).`;
  // A trashed product says that it can be purchased.
  return product.purchasable === true ? null : `"${name}" cannot be bought in the shop.`;
}

/** `parent`: of a variation that was read with it. */
export function productOf(product: WooCatalogueProduct, parent?: WooCatalogueProduct): ShopProduct {
  const { id, type = 'simple', status, sku, manage_stock, stock_quantity, stock_status = 'instock' } = product;
  const isPublished = status === 'publish' && (parent ?? product).status === 'publish';
  const { length, width, height } = product.dimensions ?? {};
  const hasOwnStock = manage_stock === true && typeof stock_quantity === 'number';
  const title = text(titleOf(product, parent), 255);
  return {
    externalId: String(id),
    isPublished,
    unsellable: unsellable(product, title ?? String(id)),
    type: parent === undefined ? type : 'variation',
    sku: text(sku, 255),
    title,
    description: text((product.short_description || parent?.short_description)?.replace(/<[^>]*>/g, ''), 2_000),
    ...pricesOf(product),
    availability: isPublished ? (AVAILABILITY[stock_status] ?? 'InStock') : NOT_SOLD,
    stockLevel: hasOwnStock ? String(stock_quantity) : null,
    ...{ length: text(length, 255), width: text(width, 255), height: text(height, 255) },
    weight: text(product.weight, 255),
    shippingClass: text(product.shipping_class, 255),
    taxClass: text(product.tax_class, 255),
    imageUrl: urlOf(product.image?.src ?? product.images?.[0]?.src ?? parent?.images?.[0]?.src),
  };
}

/** Older shops give a variation no name: then it is its parent's, with what was chosen. */
function titleOf({ name, attributes = [] }: WooCatalogueProduct, parent?: WooCatalogueProduct): string | undefined {
  const chosen = attributes.flatMap(({ option }) => option || []).join(', ');
  if (parent?.name === undefined || name?.startsWith(parent.name)) return name;
  return [parent.name, name || chosen].filter(Boolean).join(' - ');
}

/** A sale that is over, or has not begun, still has its price. */
function pricesOf({ price, regular_price: regular, sale_price: sale, on_sale: isOnSale }: WooCatalogueProduct) {
  return { price: priceOf(regular || price), salePrice: isOnSale === true ? priceOf(sale) : null };
}

/** With the four places that prices have here, where it has no more; else null, and the catalogue's stays. */
const priceOf = (value = ''): string | null => /^\d{1,11}(\.\d{1,4})?(?=0*$)/.exec(value)?.[0] ?? null;

/** The shop's entities of HTML are left as they are where they are not the usual ones. */
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#039': `'`, nbsp: ' ' };

function text(value: string | undefined, length: number): string | null {
  const plain = (value ?? '').replace(/&(#039|\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole).trim();
  return plain === '' ? null : plain.slice(0, length);
}

const urlOf = (url: string | undefined): string | null =>
  url !== undefined && url.length <= 2_000 && URL.canParse(url) ? url : null;
