import { RowFault, textCell } from '../cells.js';
import { amountCell } from './amounts.js';

/** The contract's bound (decisions.md §1). */
const MAX_QUANTITY = 1_000_000;

/** Only these begin a further part: names of products may have any of the separators in them. */
const PART = /\|(?=(?:product_id|sku|name|quantity|subtotal_tax|subtotal|total|tax|meta):)/;
const ITEM = /;(?=(?:product_id|sku):)/;

/** An item of a subscription; amounts in minor units. */
export interface SubscriptionItem {
  /** The product's id in the shop, else its SKU. */
  readonly external_id: string | null;
  readonly sku: string | null;
  readonly name: string;
  readonly quantity: number;
  /** Without tax, after discounts. */
  readonly net: number;
  readonly tax: number;
  readonly has_meta: boolean;
}

/**
 * The items of a cell such as `product_id:12|name:Coffee|quantity:2|total:10.00|meta:|tax:0.70`, separated by `;`.
 * @throws RowFault.
 */
export function orderItems(cell: string, currencyIso: string): SubscriptionItem[] {
  if (cell === '') throw new RowFault('order_items is empty');
  return cell.split(ITEM).map((item, index) => {
    const parts = new Map<string, string>();
    for (const part of item.split(PART)) {
      const colon = part.indexOf(':');
      if (colon > 0) parts.set(part.slice(0, colon).trim(), part.slice(colon + 1).trim());
    }
    return itemOf(parts, `order_items: item ${index + 1}`, currencyIso);
  });
}

function itemOf(parts: ReadonlyMap<string, string>, where: string, currencyIso: string): SubscriptionItem {
  const productId = parts.get('product_id') ?? '';
  const externalId = productId === '0' ? null : textCell(`${where}: product_id`, productId);
  const sku = textCell(`${where}: sku`, parts.get('sku') ?? '');
  if (externalId === null && sku === null) {
    throw new RowFault(`${where} has no product_id, for its product was deleted in the shop`);
  }
  const total = parts.get('total') ?? '';
  if (total === '') throw new RowFault(`${where} has no total`);
  return {
    external_id: externalId,
    sku,
    name: parts.get('name') ?? '',
    quantity: quantityOf(where, parts.get('quantity') ?? ''),
    net: amountCell(`${where}: total`, total, currencyIso),
    tax: amountCell(`${where}: tax`, parts.get('tax') ?? '', currencyIso),
    has_meta: (parts.get('meta') ?? '') !== '',
  };
}

function quantityOf(where: string, text: string): number {
  const quantity = text === '' ? 1 : Number(text);
  if (/^\d*$/.test(text) && quantity >= 1 && quantity <= MAX_QUANTITY) return quantity;
  throw new RowFault(
    `${where}: quantity "${text}" is not a whole number from 1 to ${MAX_QUANTITY.toLocaleString('en')}`,
  );
}
