import { countryCode } from '#libs/rules';
import { inCurrency, sixPlaces } from '../amounts.js';
import type { PostalAddress, Push, PushLine } from '../shop-receiver.js';
import { NAME_META, type WooCustomer } from './wire.js';

/** What was read of the shop before: see `ShopReader`. */
export interface Known {
  /** Null: a guest. */
  readonly customer: WooCustomer | null;
  /** The codes of an address' states by country, by name and by code in lower case. */
  readonly stateCodes: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/**
 * The body of `POST /orders`: what was charged, to be paid by a second request. No coupon, no fee and no `set_paid`:
 * the shop computes its tax of the net, and what it makes of it is compared before the customer hears of it.
 */
export function createBody(push: Push, { customer, stateCodes }: Known): object {
  const { name, currencyIso, shippingTotal, billing, shipping } = push;
  const { email } = push.customer;
  return {
    status: 'pending',
    currency: currencyIso,
    customer_id: customer?.id ?? 0,
    created_via: name,
    billing: {
      ...address(billing, stateCodes),
      ...reachedBy(customer?.billing),
      // An empty one is refused.
      ...(email === null || email === '' ? {} : { email }),
    },
    shipping: { ...address(shipping, stateCodes), ...reachedBy(customer?.shipping) },
    line_items: push.lines.map(lineItem),
    shipping_lines: [
      { method_id: 'other', method_title: 'Shipping', total: inCurrency(shippingTotal ?? '0', currencyIso) },
    ],
    meta_data: meta(push),
  };
}

/** Amounts of a found charge are not known: then the shop takes its own price. What comes only once says so. */
function lineItem({ productExternalId, quantity, total, exactNet, isRecurring }: PushLine): object {
  const amount = exactNet ?? total;
  const net = amount === null ? {} : { subtotal: sixPlaces(amount), total: sixPlaces(amount) };
  const once = isRecurring ? {} : { meta_data: [{ key: '_scheduled_orders_recurring', value: 'no' }] };
  return { product_id: Number(productExternalId), quantity, ...net, ...once };
}

function address(place: PostalAddress, stateCodes: Known['stateCodes']): object {
  const country = countryCode(place.country);
  const state = (place.state ?? '').trim();
  return {
    first_name: place.firstName ?? '',
    last_name: place.lastName ?? '',
    address_1: place.street1 ?? '',
    address_2: place.street2 ?? '',
    city: place.city ?? '',
    // With a name instead of a code the shop finds no tax.
    state: stateCodes.get(country)?.get(state.toLowerCase()) ?? state,
    postcode: place.postcode ?? '',
    country,
  };
}

/** What the shop knows of its customer and we do not. */
const reachedBy = ({ phone, company }: { phone?: string; company?: string } = {}): object => ({
  ...(phone ? { phone } : {}),
  ...(company ? { company } : {}),
});

/** Values are text: numbers come back as text. */
function meta({ name, scheduledOrderId, orderId, dueUtc, gatewayTransactionId, customer }: Push): object[] {
  const values = {
    [NAME_META]: name,
    _scheduled_orders_scheduled_order: String(scheduledOrderId),
    _scheduled_orders_order: String(orderId),
    _scheduled_orders_due_utc: dueUtc.toISOString(),
    ...(gatewayTransactionId === null ? {} : { _scheduled_orders_transaction: gatewayTransactionId }),
    ...(customer.taxExempt ? { is_vat_exempt: 'yes' } : {}),
  };
  return Object.entries(values).map(([key, value]) => ({ key, value }));
}
