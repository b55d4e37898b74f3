import type { PaymentMethodType } from '#libs/gateways';
import type { FrequencyType, QuotableItem, QuotableOrder, Status } from '#libs/rules';

/** An item with what pricing needs and what the Order will show. */
export interface LoadedItem extends QuotableItem {
  readonly title: string | null;
}

/** A scheduled order as it is priced and charged. */
export interface LoadedOrder extends QuotableOrder {
  readonly id: number;
  /** Shows whether the row is unchanged. */
  readonly version: string;
  readonly customerId: number;
  readonly status: Status;
  readonly deleted: boolean;
  readonly frequencyType: FrequencyType | null;
  readonly frequency: number | null;
  readonly scheduleAnchorUtc: Date;
  readonly createdUtc: Date;
  /** No charge of a later cycle can be older than this. */
  readonly settledUntilUtc: Date;
  /** A gateway has a charge of it that has no place in the ledger yet. */
  readonly hasUnplaced: boolean;
  /** The kinds of the open differences that hold it; null: none does. */
  readonly heldBy: string | null;
  readonly total: number;
  /** The sum of the versions of the batch's sites when the order was read. */
  readonly pricesVersion: number;
  readonly paymentMethodType: PaymentMethodType | null;
  readonly paymentMethodCustomerId: string | null;
  readonly paymentMethodId: string | null;
  /** The addresses as JSON arrays, as text. */
  readonly shipping: string;
  readonly billing: string;
  readonly items: readonly LoadedItem[];
}

/** The rows of LOAD_ORDERS. */
export interface OrderRow {
  id: string;
  version: string;
  customer_id: string;
  status: Status;
  deleted: boolean;
  frequency_type: FrequencyType | null;
  frequency: string | null;
  schedule_anchor_utc: Date;
  settled_until_utc: Date;
  created_utc: Date;
  cycles: string;
  currency_iso: string;
  payment_method_type: PaymentMethodType | null;
  payment_method_customer_id: string | null;
  payment_method_id: string | null;
  shipping_total: string;
  tax_total: string;
  total: string;
  shipping_total_fixed: boolean;
  tax_total_fixed: boolean;
  shipping_country: string | null;
  shipping_state: string | null;
  shipping_city: string | null;
  shipping_postcode: string | null;
  tax_exempt: boolean;
  has_unplaced: boolean;
  held_by: string | null;
  prices_version: string;
  shipping: string;
  billing: string;
  items: ItemRow[] | null;
}

type ItemRow = [
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
];

export function loadedOrder(row: OrderRow): LoadedOrder {
  return {
    hasUnplaced: row.has_unplaced,
    heldBy: row.held_by,
    pricesVersion: Number(row.prices_version),
    id: Number(row.id),
    version: row.version,
    customerId: Number(row.customer_id),
    status: row.status,
    deleted: row.deleted,
    frequencyType: row.frequency_type,
    frequency: row.frequency === null ? null : Number(row.frequency),
    scheduleAnchorUtc: row.schedule_anchor_utc,
    settledUntilUtc: row.settled_until_utc,
    createdUtc: row.created_utc,
    cycles: Number(row.cycles),
    currencyIso: row.currency_iso,
    paymentMethodType: row.payment_method_type,
    paymentMethodCustomerId: row.payment_method_customer_id,
    paymentMethodId: row.payment_method_id,
    shippingTotal: Number(row.shipping_total),
    taxTotal: Number(row.tax_total),
    total: Number(row.total),
    shippingTotalFixed: row.shipping_total_fixed,
    taxTotalFixed: row.tax_total_fixed,
    shippingCountry: row.shipping_country,
    shippingState: row.shipping_state,
    shippingCity: row.shipping_city,
    shippingPostcode: row.shipping_postcode,
    taxExempt: row.tax_exempt,
    shipping: row.shipping,
    billing: row.billing,
    items: (row.items ?? []).map(loadedItem),
  };
}

function loadedItem(item: ItemRow): LoadedItem {
  const [
    id,
    productId,
    price,
    salePrice,
    quantity,
    title,
    availability,
    stockLevel,
    shippingClass,
    taxClass,
    deletedUtc,
  ] = item;
  return {
    id,
    productId,
    price,
    salePrice,
    quantity,
    title,
    product: { availability, stockLevel, shippingClass, taxClass, deletedUtc },
  };
}
