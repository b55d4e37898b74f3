import type { CountryProblem, PayableOrder, QuotableOrder, Quote } from '#libs/rules';
import type { PaymentProblems } from '../scheduled-orders/scheduled-orders.module.js';

export type PaymentProblemsOf = Awaited<ReturnType<PaymentProblems['ofSite']>>;

/** What of a site an order's Problems depend on, besides its price. */
interface Known {
  readonly ofPayment: PaymentProblemsOf;
  /** `storedCountryProblems` of the order's shipping country, and of others. */
  readonly ofCountry: ReadonlyMap<string | null, CountryProblem>;
}

/** Whether a Quote of an order would have Problems now. One that cannot be priced has one. */
export function isAtRisk(
  order: QuotableOrder & PayableOrder,
  quoted: Quote | null,
  { ofPayment, ofCountry }: Known,
): boolean {
  if (quoted === null || quoted.problems.length > 0 || ofCountry.has(order.shippingCountry)) return true;
  return ofPayment(order, quoted.total).length > 0;
}
