import { type CompiledRates, FAILURE_CODES, paymentProblem, type Quote, quote } from '#libs/rules';
import { type LoadedOrder, pushProblemOf } from '../processor/cycle/loaded-order.js';

/** What an announced occurrence would cost, or why it could not be processed, as the order is now. */
export interface UpcomingFacts {
  readonly CurrencyIso: string;
  readonly OccurrenceUtc: Date;
  readonly Amount?: number;
  readonly ShippingTotal?: number;
  readonly TaxTotal?: number;
  readonly FailureCode?: number;
}

export function upcomingFacts(
  order: LoadedOrder,
  occurrenceUtc: Date,
  rates: CompiledRates,
  hasIntegration: boolean,
): UpcomingFacts {
  const facts = { CurrencyIso: order.currencyIso, OccurrenceUtc: occurrenceUtc };
  let priced: Quote;
  try {
    priced = quote(order, rates);
  } catch {
    // A currency or a total that is not possible: processing says so as well.
    return { ...facts, FailureCode: FAILURE_CODES.Unknown.code };
  }
  const { total: Amount, shippingTotal: ShippingTotal, taxTotal: TaxTotal } = priced;
  const problem =
    priced.problems[0] ?? (Amount === 0 ? null : paymentProblem(order, hasIntegration)) ?? pushProblemOf(order);
  return { ...facts, Amount, ShippingTotal, TaxTotal, ...(problem && { FailureCode: problem.code }) };
}
