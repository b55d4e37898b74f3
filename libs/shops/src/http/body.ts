import { countryCode, type Decimal } from '#libs/rules';
import { inCurrency, isWhole } from '../amounts.js';
import type { PostalAddress, Push, PushLine } from '../shop-receiver.js';

/**
 * What an Http receiver gets: everything of the Order, with the contract's names, and what names it here. Amounts are
 * decimals as text, with all places of the currency: nobody's JSON makes a binary fraction of them.
 */
export function httpBody(push: Push): object {
  const { currencyIso, customer } = push;
  const amount = (value: Decimal | null) => (value === null ? null : inCurrency(value, currencyIso));
  return {
    SiteId: push.siteId,
    OrderId: push.orderId,
    ScheduledOrderId: push.scheduledOrderId,
    Cycle: push.cycle,
    DueUtc: push.dueUtc.toISOString(),
    DatePaid: push.datePaid?.toISOString() ?? null,
    CurrencyIso: currencyIso,
    Subtotal: amount(push.subtotal),
    ShippingTotal: amount(push.shippingTotal),
    TaxTotal: amount(push.taxTotal),
    Total: amount(push.total),
    PaymentMethodType: push.paymentMethodType,
    GatewayTransactionId: push.gatewayTransactionId,
    Customer: { ExternalId: customer.externalId, Email: customer.email, TaxExempt: customer.taxExempt },
    ...address('Billing', push.billing),
    ...address('Shipping', push.shipping),
    OrderItems: push.lines.map((line) => item(line, amount)),
  };
}

/** An amount with more places than its currency has, because a request has changed the Order; null: there is none. */
export function inexact({ currencyIso, subtotal, shippingTotal, taxTotal, total, lines }: Push): Decimal | null {
  const amounts = [subtotal, shippingTotal, taxTotal, total, ...lines.flatMap((line) => [line.total, line.taxTotal])];
  return amounts.find((amount) => amount !== null && !isWhole(amount, currencyIso)) ?? null;
}

const item = (line: PushLine, amount: (value: Decimal | null) => string | null): object => ({
  ProductExternalId: line.productExternalId,
  Sku: line.sku,
  Name: line.name,
  Quantity: line.quantity,
  Total: amount(line.total),
  TaxTotal: amount(line.taxTotal),
  IsRecurring: line.isRecurring,
});

/** The country by its code, whatever it is called here: that is what shops have. */
const address = (prefix: 'Billing' | 'Shipping', { country, ...place }: PostalAddress): object =>
  Object.fromEntries<string | null>([
    ...Object.entries(place).map(([name, value]) => [prefix + name[0]!.toUpperCase() + name.slice(1), value] as const),
    [`${prefix}Country`, countryCode(country) || null],
  ]);
