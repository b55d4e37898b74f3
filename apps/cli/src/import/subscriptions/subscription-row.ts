import { currencyFault } from '#libs/rules';
import { address, type AddressColumns, checkCountries } from '../addresses.js';
import { type Cells, customerIdCell, emailCell, instantCell, RowFault, textCell } from '../cells.js';
import { amountCell } from './amounts.js';
import { orderItems, type SubscriptionItem } from './order-items.js';
import { type Payment, paymentOf } from './payment.js';
import { anchorOf, ruleOf } from './schedule.js';

/** What is imported; all other statuses have ended, or have never begun. */
const IMPORTED = ['active', 'on-hold'];
export const LEFT_OUT = [
  'cancelled',
  'expired',
  'pending-cancel',
  'pending',
  'switched',
  'trash',
  'draft',
  'auto-draft',
];

/**
 * The status of a row, without WooCommerce's prefix; with whether it is imported. @throws RowFault for an unknown one.
 */
export function statusOf(cells: Cells): { readonly status: string; readonly isImported: boolean } {
  const cell = cells('subscription_status') ?? '';
  const status = cell.toLowerCase().replace(/^wc-/, '');
  const isImported = IMPORTED.includes(status);
  if (!isImported && !LEFT_OUT.includes(status)) {
    throw new RowFault(`subscription_status "${cell}" must be one of ${[...IMPORTED, ...LEFT_OUT].join(', ')}`);
  }
  return { status, isImported };
}

/** What reading a row needs besides its cells. */
export interface Reading {
  /** The site's, for files without the column. */
  readonly currencyIso: string;
  /** The discounts of coupons are part of the prices, and may stay so. */
  readonly keepDiscounts: boolean;
  /** When the file was made: a trial that ends later goes on. */
  readonly exportedUtc: Date;
}

/** A row of `staged`: amounts in minor units, instants in ISO 8601. */
export interface SubscriptionRow {
  readonly line: number;
  readonly source_id: string;
  readonly source_status: string;
  readonly external_id: string | null;
  readonly email: string | null;
  readonly frequency_type: string;
  readonly frequency: number;
  readonly anchor_utc: string;
  readonly next_utc: string | null;
  readonly currency_iso: string;
  readonly items: readonly SubscriptionItem[];
  readonly file_shipping: number;
  /** Null where the file does not say it. */
  readonly file_shipping_tax: number | null;
  readonly file_tax: number;
  readonly file_total: number;
  readonly payment_type: string | null;
  readonly gateway_customer_id: string | null;
  readonly gateway_card_id: string | null;
  readonly payment_description: string | null;
  /** The customer does not want to be charged by the card that is stored. */
  readonly is_manual: boolean;
  /** Why a person has to decide; null when nothing speaks against going live. */
  readonly reason: string | null;
}

/** @throws RowFault that names the column, the value and the bound. */
export function subscriptionRow(
  cells: Cells,
  line: number,
  { currencyIso: ofSite, keepDiscounts, exportedUtc }: Reading,
): SubscriptionRow {
  const cell = (column: string) => cells(column) ?? '';
  const sourceId = textCell('subscription_id', cell('subscription_id'));
  if (sourceId === null) throw new RowFault('subscription_id is empty');
  const { status } = statusOf(cells);
  refuseFees(cells);
  const currency = currencyOf(cell('order_currency'), ofSite);
  const amount = (column: string) => amountCell(column, cell(column), currency);
  const isManual = /^(true|1|yes)$/i.test(cell('requires_manual_renewal'));
  const payment = paymentOf(cells, isManual);
  const schedule = scheduleOf(cells, exportedUtc);
  return {
    line,
    source_id: sourceId,
    source_status: status,
    ...customerOf(cells),
    ...addressesOf(cells),
    ...schedule,
    currency_iso: currency,
    items: orderItems(cell('order_items'), currency),
    file_shipping: amount('order_shipping'),
    file_shipping_tax: cells('order_shipping_tax') === undefined ? null : amount('order_shipping_tax'),
    file_tax: amount('order_tax'),
    file_total: amount('order_total'),
    payment_type: payment.type,
    gateway_customer_id: payment.customerId,
    gateway_card_id: payment.cardId,
    payment_description: payment.description,
    is_manual: isManual,
    reason: reasonsOf(cells, { status, payment, isManual, keepDiscounts, next: schedule.next_utc }),
  };
}

/** The total of an order is the sum of its items, shipping and tax: nothing else can be charged. */
function refuseFees(cells: Cells): void {
  const fees = cells('fee_items') ?? '';
  const total = cells('fee_total') ?? '';
  if (fees === '' && /^[0.]*$/.test(total)) return;
  throw new RowFault(
    `fee_items "${fees || total}" has no place here: make the fee an item of order_items, with a product of its own`,
  );
}

function currencyOf(cell: string, ofSite: string): string {
  const currency = cell === '' ? ofSite : cell.toUpperCase();
  const fault = currencyFault(currency);
  if (fault !== null) throw new RowFault(`order_currency ${fault.replace(/\.$/, '')}`);
  return currency;
}

function customerOf(cells: Cells) {
  const externalId = customerIdCell(cells);
  const email =
    emailCell('customer_email', cells('customer_email') ?? '') ??
    emailCell('billing_email', cells('billing_email') ?? '');
  if (externalId === null && email === null) throw new RowFault('customer_id and billing_email are empty');
  return { external_id: externalId, email };
}

/** What is not shipped has no shipping address in WooCommerce, and is taxed at the billing address. */
function addressesOf(cells: Cells): AddressColumns {
  const billing = address(cells, 'billing');
  const own = address(cells, 'shipping');
  const isEmpty = Object.values(own).every((part) => part === null);
  const shipping = isEmpty
    ? Object.fromEntries(Object.entries(billing).map(([name, part]) => [name.replace('billing_', 'shipping_'), part]))
    : own;
  const both = { ...billing, ...shipping };
  checkCountries(both);
  return both;
}

function scheduleOf(cells: Cells, exportedUtc: Date) {
  const cell = (column: string) => cells(column) ?? '';
  const rule = ruleOf(cell('billing_period'), cell('billing_interval'));
  const instant = (column: string) => instantCell(column, cell(column));
  const start = instant('start_date');
  if (start === null) throw new RowFault('start_date is empty');
  const trialEnd = instant('trial_end_date');
  const isOnTrial = trialEnd !== null && new Date(trialEnd) > exportedUtc;
  const next = instant('next_payment_date') ?? (isOnTrial ? trialEnd : null);
  if (isOnTrial && next! < trialEnd) {
    throw new RowFault(
      `next_payment_date "${next}" is before trial_end_date "${trialEnd}", when the first payment is due`,
    );
  }
  return {
    frequency_type: rule.frequencyType,
    frequency: rule.frequency,
    anchor_utc: next === null ? start : anchorOf(rule, new Date(next)).toISOString(),
    next_utc: next,
  };
}

interface Judged {
  readonly status: string;
  readonly payment: Payment;
  readonly isManual: boolean;
  readonly keepDiscounts: boolean;
  readonly next: string | null;
}

/** What an order cannot do as the subscription did, so that a person decides. */
function reasonsOf(cells: Cells, { status, payment, isManual, keepDiscounts, next }: Judged): string | null {
  const reasons: string[] = [];
  if (status === 'on-hold') reasons.push('it is on hold in the shop');
  if (isManual) reasons.push('requires_manual_renewal: the customer pays by hand');
  else if (payment.problem !== null) reasons.push(payment.problem);
  if (next === null) reasons.push('it has no next_payment_date');
  const end = instantCell('end_date', cells('end_date') ?? '');
  if (end !== null) reasons.push(`it ends at ${end}, and nothing here ends an order`);
  const coupons = cells('coupon_items') ?? '';
  if (coupons !== '' && !keepDiscounts) {
    reasons.push(`the discount of "${coupons}" is part of its prices, and would stay`);
  }
  const shippingLines = (cells('shipping_method') ?? '').split(/;(?=method_id:)/).length;
  if (shippingLines > 1) reasons.push(`its ${shippingLines} shipping lines are one ShippingTotal`);
  return reasons.length === 0 ? null : reasons.join('; ').slice(0, 2_000);
}
