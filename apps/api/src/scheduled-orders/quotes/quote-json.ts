import { MOST_EXPLAINED_RATES } from '#libs/records';
import {
  type CountryProblem,
  type Failure,
  type LineTax,
  type PriceSteps,
  type Quote,
  type QuoteSteps,
  Rejected,
  type ShippingSteps,
} from '#libs/rules';

/**
 * A quote as JSON: unit prices and percentages are decimals, every amount is in minor units.
 * @throws Rejected when it had to explain too many shipping rates.
 */
export function quoteJson(quote: Quote, problems: readonly (Failure | CountryProblem)[]): string {
  assertExplainable(quote.shipping);
  return JSON.stringify({
    Lines: quote.lines.map((line) => ({
      ScheduledOrderItemId: line.itemId,
      ProductId: line.productId,
      UnitPrice: Number(line.unitPrice),
      Quantity: line.quantity,
      Amount: line.amount,
      Available: line.available,
      UnavailableBecause: line.unavailableBecause,
      Taxes: line.taxes.map(taxJson),
      ...(line.steps && lineSteps(line.steps)),
    })),
    Shipping: quote.shipping.map(({ shippingClass, units, shippingRateId, name, amount, passedOverRates, steps }) => ({
      ShippingClass: shippingClass,
      Units: units,
      ShippingRateId: shippingRateId,
      Name: name,
      Amount: amount,
      PassedOver: passedOverRates.map((rate) => ({
        ShippingRateId: rate.shippingRateId,
        Name: rate.name,
        Reason: rate.reason,
      })),
      ...(steps && shippingSteps(steps)),
    })),
    Fixed: quote.fixed,
    Subtotal: quote.subtotal,
    ShippingTotal: quote.shippingTotal,
    TaxTotal: quote.taxTotal,
    Total: quote.total,
    Problems: problems.map(({ code, name, message }) => ({ Code: code, Name: name, Message: message })),
    ...(quote.steps && orderSteps(quote.steps)),
  });
}

function assertExplainable(classes: Quote['shipping']): void {
  const passedOver = classes.reduce((sum, { rates }) => sum + rates, 0);
  if (passedOver <= MOST_EXPLAINED_RATES) return;
  const message = `have ${classes.length} shipping classes, for which ${passedOver} shipping rates or more would be explained; at most ${MOST_EXPLAINED_RATES} are: have fewer classes or rates. Upcoming says what the order costs.`;
  throw new Rejected([{ field: 'ScheduledOrderItems', message }]);
}

const taxJson = ({ taxRateId, name, rate, amount }: LineTax) => ({
  TaxRateId: taxRateId,
  Name: name,
  Rate: Number(rate),
  Amount: amount,
});

const lineSteps = ({ listed, takenOut, gross }: PriceSteps) => ({
  ListedAmount: listed,
  TakenOut: takenOut.map(({ id, name, rate }) => ({ TaxRateId: id, Name: name, Rate: Number(rate ?? 0) })),
  GrossAmount: gross,
});

const shippingSteps = ({ listed, taxes, gross }: ShippingSteps) => ({
  ListedAmount: listed,
  Taxes: taxes.map(taxJson),
  GrossAmount: gross,
});

const orderSteps = ({ settings, taxExempt, grossSubtotal, shippingTaxes }: QuoteSteps) => ({
  GrossSubtotal: grossSubtotal,
  ShippingTaxes: shippingTaxes.map(taxJson),
  Prices: settings.prices,
  GrossOutside: settings.grossOutside,
  ShippingPrices: settings.shippingPrices,
  ShippingTax: settings.shippingTax,
  RoundTax: settings.roundTax,
  TaxExempt: taxExempt,
});
