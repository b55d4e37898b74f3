import type { CountryProblem, Quote } from '#libs/rules';
import type { Receiver } from '#libs/shops';
import type { PaymentProblems } from '../scheduled-orders/quotes/payment-problems.js';
import { pushProblems } from '../scheduled-orders/quotes/push-problems.js';
import type { PricedOrder } from './priced-orders.js';

export type PaymentProblemsOf = Awaited<ReturnType<PaymentProblems['ofSite']>>;

/** What of a site an order's Problems depend on, besides its price. */
interface Known {
  readonly ofPayment: PaymentProblemsOf;
  /** What must be able to take its Orders (`readReceiver`). */
  readonly receiver: Receiver | null;
  /** `storedCountryProblems` of the order's shipping country, and of others. */
  readonly ofCountry: ReadonlyMap<string | null, CountryProblem>;
}

/** Whether a Quote of an order would have Problems now. One that cannot be priced has one. */
export function isAtRisk(order: PricedOrder, quoted: Quote | null, { ofPayment, receiver, ofCountry }: Known): boolean {
  if (quoted === null || quoted.problems.length > 0 || ofCountry.has(order.shippingCountry)) return true;
  return ofPayment(order, quoted.total).length > 0 || pushProblems(receiver, order.items).length > 0;
}
