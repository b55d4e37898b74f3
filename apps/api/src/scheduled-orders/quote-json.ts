import type { CountryProblem, Failure, Quote } from '#libs/rules';

/** A quote as JSON: unit prices and percentages are decimals, every amount is in minor units. */
export function quoteJson(quote: Quote, problems: readonly (Failure | CountryProblem)[]): string {
  return JSON.stringify({
    Lines: quote.lines.map((line) => ({
      ScheduledOrderItemId: line.itemId,
      ProductId: line.productId,
      UnitPrice: Number(line.unitPrice),
      Quantity: line.quantity,
      Amount: line.amount,
      Available: line.available,
      UnavailableBecause: line.unavailableBecause,
      Taxes: line.taxes.map(({ taxRateId, name, rate, amount }) => ({
        TaxRateId: taxRateId,
        Name: name,
        Rate: Number(rate),
        Amount: amount,
      })),
    })),
    Shipping: quote.shipping.map(({ shippingClass, units, shippingRateId, name, amount, missedOccurrences }) => ({
      ShippingClass: shippingClass,
      Units: units,
      ShippingRateId: shippingRateId,
      Name: name,
      Amount: amount,
      PassedOver: missedOccurrences.map((rate) => ({
        ShippingRateId: rate.shippingRateId,
        Name: rate.name,
        Reason: rate.reason,
      })),
    })),
    Fixed: quote.fixed,
    Subtotal: quote.subtotal,
    ShippingTotal: quote.shippingTotal,
    TaxTotal: quote.taxTotal,
    Total: quote.total,
    Problems: problems.map(({ code, name, message }) => ({ Code: code, Name: name, Message: message })),
  });
}
