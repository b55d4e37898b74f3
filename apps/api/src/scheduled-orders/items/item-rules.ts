import type { Settings } from '#libs/platform';
import { type Caller, type Fault, Forbidden, Rejected } from '#libs/records';
import { isSamePrice, type QuotableItem } from '#libs/rules';
import type { ScheduledOrderItemDto } from '../../contract/orders/scheduled-order-item.dto.js';
import { assertItemCount } from '../../http/parameters/item-limit.js';
import type { Input } from '../../http/parameters/parameters.js';
import type { ReferencedProduct } from './referenced-products.js';

export type ItemInput = Input<ScheduledOrderItemDto>;

/** The path of the item in faults: `ScheduledOrderItems[0].`, or empty when the item is the body itself. */
export type ItemPath = (index: number) => string;

/** An item with its product; `id` is null until it is stored. */
export interface ItemWithProduct extends QuotableItem {
  readonly price: string;
  readonly salePrice: string | null;
  readonly product: ReferencedProduct;
}

export type ItemValues = Pick<ItemWithProduct, 'productId' | 'price' | 'salePrice' | 'quantity'>;

interface Prices {
  readonly price: string | null;
  readonly salePrice: string | null;
}

/**
 * The item after a request (decisions.md §2). A new item, or one with another product, gets the product's prices unless
 * a Merchant token sends a Price with it. A Customer token never sets a price.
 * @param stored null on creation. `product` undefined when none was named.
 */
export function validateItem(
  caller: Caller,
  sent: ItemInput,
  stored: ItemWithProduct | null,
  product: ReferencedProduct | undefined,
  path: string,
): ItemValues {
  if (product === undefined) throw new Rejected([{ field: `${path}ProductId`, message: 'is required.' }]);
  const isNew = stored?.productId !== product.id;
  const standing: Prices = isNew ? product : stored;
  if (caller.scope === 'Customer') assertNoPrice(sent, stored, product, path);
  const { price, salePrice } = caller.scope === 'Customer' ? standing : merchantPrices(sent, standing, product, isNew);
  if (price === null) {
    const message = `Product ${product.id} has no price: send one.`;
    throw new Rejected([{ field: `${path}Price`, message }]);
  }
  return { productId: product.id, price, salePrice, quantity: sent.quantity ?? stored?.quantity ?? 1 };
}

/** With a Price of null the item gets the product's prices again. */
function merchantPrices(sent: ItemInput, standing: Prices, product: Prices, isNew: boolean): Prices {
  if (sent.price === null || (isNew && sent.price === undefined)) {
    return { price: product.price, salePrice: sent.salePrice ?? product.salePrice };
  }
  const otherwise = isNew ? null : standing.salePrice;
  return {
    price: sent.price ?? standing.price,
    salePrice: sent.salePrice === undefined ? otherwise : sent.salePrice,
  };
}

/**
 * A request may repeat the stored or default value, so that a Customer token can send back what it read (decisions.md
 * §3).
 */
function assertNoPrice(sent: ItemInput, stored: ItemWithProduct | null, product: Prices, path: string): void {
  for (const [field, value] of [
    ['price', sent.price],
    ['salePrice', sent.salePrice],
  ] as const) {
    if (value === undefined || (stored === null && value === null)) continue;
    if (isSamePrice(value, (stored ?? product)[field])) continue;
    const name = field === 'price' ? 'Price' : 'SalePrice';
    throw new Forbidden(`${path}${name} is the shop's: a Customer token may not change it.`);
  }
}

export type ItemBounds = Pick<Settings, 'maxItemsPerOrder' | 'maxQuantityPerItem'>;

/**
 * How many items an order may have, and of what quantity (decisions.md §2). A larger order that exists already may be
 * changed, but it gets no more items.
 * @param field the field that the fault about the number of items names.
 * @throws Rejected.
 */
export function assertItemBounds(
  bounds: ItemBounds,
  caller: Caller,
  stored: readonly ItemWithProduct[],
  sent: readonly ItemInput[],
  { field, pathOf }: { readonly field: string; readonly pathOf: ItemPath },
): void {
  assertItemCount(bounds.maxItemsPerOrder, stored.length, sent, field);
  if (caller.scope === 'Merchant') return;
  const quantities = new Map(stored.map(({ id, quantity }) => [id, quantity]));
  const most = bounds.maxQuantityPerItem;
  const faults = sent.flatMap(({ id, quantity }, index): Fault[] => {
    if (quantity === undefined || quantity <= most || quantity === quantities.get(id ?? null)) return [];
    const message = `${quantity} is more than a Customer token may order: send at most ${most} (MAX_QUANTITY_PER_ITEM).`;
    return [{ field: `${pathOf(index)}Quantity`, message }];
  });
  if (faults.length > 0) throw new Rejected(faults);
}
