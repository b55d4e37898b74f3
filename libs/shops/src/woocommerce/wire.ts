import { amountOf } from '../amounts.js';
import { parsePushName } from '../push-name.js';
import type { ShopLine, ShopOrder } from '../shop-receiver.js';

/** The fields of WooCommerce's answers that are read (`_fields` asks for them alone). */
export interface WooOrder {
  readonly id: number;
  readonly number: string;
  readonly status: string;
  readonly currency: string;
  readonly total: string;
  readonly total_tax: string;
  readonly date_paid_gmt: string | null;
  readonly date_completed_gmt: string | null;
  readonly line_items: readonly {
    readonly product_id: number;
    readonly variation_id: number;
    readonly quantity: number;
  }[];
  readonly meta_data: readonly { readonly key: string; readonly value: unknown }[];
  readonly created_via?: unknown;
}
export const ORDER_FIELDS =
  'id,number,status,currency,total,total_tax,date_paid_gmt,date_completed_gmt,line_items,meta_data,created_via';

export interface WooProduct {
  readonly id: number;
  readonly type: string;
  readonly status: string;
  readonly purchasable: boolean;
  readonly name: string;
  /** `parent`: of a variation whose product does. */
  readonly manage_stock: boolean | 'parent';
}
export const PRODUCT_FIELDS = 'id,type,status,purchasable,name,manage_stock';

export interface WooCustomer {
  readonly id: number;
  readonly billing: { readonly phone?: string; readonly company?: string };
  readonly shipping: { readonly phone?: string; readonly company?: string };
}

export interface WooCountry {
  readonly states: readonly { readonly code: string; readonly name: string }[];
}

/** Names an order of ours, whatever else the shop makes of it. Meta with an underscore is not shown to customers. */
export const NAME_META = '_scheduled_orders_push';

type Named = Pick<WooOrder, 'meta_data' | 'created_via'>;

/** Where a plugin hides our meta, shops since 9.9 show the name all the same. */
export const isNamed = ({ meta_data, created_via: via }: Named, name: string): boolean =>
  via === name || metaOf(meta_data).some(({ key, value }) => key === NAME_META && value === name);

/** The push name of an order; null: it has none. */
export function nameOf({ meta_data, created_via: via }: Named): string | null {
  const name = metaOf(meta_data).find(({ key }) => key === NAME_META)?.value;
  if (typeof name === 'string') return name;
  return typeof via === 'string' && parsePushName(via) !== null ? via : null;
}

/** Whether an order without a name is surely none of ours: it was made in another way than over this interface. */
export const isOthers = (order: Named): boolean =>
  nameOf(order) === null && typeof order.created_via === 'string' && !/^(rest-api)?$/.test(order.created_via);

type Meta = WooOrder['meta_data'][number];
/** Plugins make nothing of some, or of all. */
export const metaOf = (metas: unknown): readonly Meta[] =>
  ((Array.isArray(metas) ? metas : []) as readonly (Meta | null)[]).filter((one) => one !== null);

const STATES: Readonly<Record<string, ShopOrder['state']>> = {
  trash: 'Trashed',
  'checkout-draft': 'Draft',
  cancelled: 'Cancelled',
  refunded: 'Refunded',
};

/**
 * Beyond the four states above only `date_paid_gmt` tells whether it is paid: `set_paid` is answered with 200 where it
 * did nothing, and a paid one may be put on hold.
 */
export const stateOf = ({ status, date_paid_gmt }: Pick<WooOrder, 'status' | 'date_paid_gmt'>): ShopOrder['state'] =>
  STATES[status] ?? (date_paid_gmt === null ? 'Unpaid' : 'Paid');

export const orderOf = (order: WooOrder): ShopOrder => ({
  id: String(order.id),
  number: order.number,
  state: stateOf(order),
  currencyIso: order.currency,
  total: order.total,
  taxTotal: amountOf(order.total_tax) === null ? null : order.total_tax,
  lines: order.line_items.map((line: Line | null) => (line === null ? NO_LINE : lineOf(line))),
});

type Line = WooOrder['line_items'][number];
/** As plugins leave it. */
const NO_LINE: ShopLine = { productExternalId: null, quantity: 1 };

/** A variation is answered with its parent's id beside its own; a product that is gone with 0. */
const lineOf = ({ product_id, variation_id, quantity }: Line): ShopLine => ({
  productExternalId: String(variation_id || product_id || '') || null,
  quantity,
});

/** Whether a reply is an order: anything may come with 200. */
export function isOrder(json: unknown): json is WooOrder {
  const { id, status, total, line_items, meta_data } = (json ?? {}) as Partial<WooOrder>;
  const isWhole = typeof id === 'number' && typeof status === 'string' && amountOf(total) !== null;
  return isWhole && Array.isArray(line_items) && Array.isArray(meta_data);
}
