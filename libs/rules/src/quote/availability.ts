/** A product's own texts about its availability; both are free text (decisions.md §1). */
export interface Stock {
  readonly availability: string | null;
  readonly stockLevel: string | null;
}

/** After schema.org's ItemAvailability, reduced to letters in lower case (decisions.md §1). */
const UNAVAILABLE = new Set(['outofstock', 'soldout', 'discontinued', 'unavailable']);

/** Whether a product can be sold, by both of its free texts. Source: decisions.md §1. */
export const isAvailable = (stock: Stock): boolean => unavailableBecause(stock) === null;

/** A sentence that names the text that makes a product unavailable; null for an available one. */
export function unavailableBecause({ availability, stockLevel }: Stock): string | null {
  if (saysUnavailable(availability)) return `The product's Availability is "${availability}".`;
  if (saysUnavailable(stockLevel)) return `The product's StockLevel is "${stockLevel}".`;
  return null;
}

/** A product as an order holds it: a deleted one counts as unavailable (decisions.md §11). */
export interface StockedProduct extends Stock {
  readonly deletedUtc: Date | string | null;
}

export const OUT_OF_STOCK = ['LeaveOut', 'ShipAnyway'] as const;

/** What a site makes of stock. */
export interface StockRule {
  /** What becomes of products that are unavailable. */
  readonly outOfStock: (typeof OUT_OF_STOCK)[number];
  /** Whether a StockLevel that is a number is counted; else only its words matter. */
  readonly isCounted: boolean;
}

/** The rule of a site that has said nothing. */
export const WORDS_ALONE: StockRule = { outOfStock: 'LeaveOut', isCounted: false };

/**
 * Why a product is left out of an order: a sentence; null when it is not. What is deleted or discontinued is left out
 * under every rule. Source: decisions.md §11.
 */
export function leftOutBecause(product: StockedProduct, quantity = 1, rule: StockRule = WORDS_ALONE): string | null {
  if (product.deletedUtc !== null) return 'The product was deleted.';
  const because = outOfStockBecause(product, quantity, rule);
  return rule.outOfStock === 'LeaveOut' || isDiscontinued(product) ? because : null;
}

/**
 * Why a product that is sold should perhaps not be: it is shipped anyway, or its level is a number that is not counted.
 * A sentence; null where nothing speaks against it, and where it is left out.
 */
export function soldDespite(product: StockedProduct, quantity: number, rule: StockRule): string | null {
  if (leftOutBecause(product, quantity, rule) !== null) return null;
  const because = outOfStockBecause(product, quantity, rule);
  if (because !== null) return `${because} It is shipped anyway.`;
  const short = countedBecause(product, quantity);
  return short === null ? null : `${short} Numbers are not counted: it is sold.`;
}

const outOfStockBecause = (stock: Stock, quantity: number, { isCounted }: StockRule): string | null =>
  unavailableBecause(stock) ?? (isCounted ? countedBecause(stock, quantity) : null);

/** Why the units in stock are too few; null where there are enough, and where the level is no number. */
function countedBecause({ stockLevel }: Stock, quantity: number): string | null {
  const units = stockUnits({ stockLevel });
  if (units === null || (units > 0 && units >= quantity)) return null;
  const needed = units > 0 ? `, less than the quantity, ${quantity}` : '';
  return `The product's StockLevel is "${stockLevel}"${needed}.`;
}

const isDiscontinued = ({ availability, stockLevel }: Stock): boolean =>
  [availability, stockLevel].some((text) => text !== null && lettersOf(text) === 'discontinued');

const saysUnavailable = (text: string | null): boolean => text !== null && UNAVAILABLE.has(lettersOf(text));

const lettersOf = (text: string): string => text.toLowerCase().replace(/\P{L}/gu, '');

/** The number of units in stock, where the text is nothing but a number; else null. */
export function stockUnits({ stockLevel }: Pick<Stock, 'stockLevel'>): number | null {
  return stockLevel !== null && /^\s*[+-]?\d{1,15}(\.\d{1,15})?\s*$/.test(stockLevel) ? Number(stockLevel) : null;
}
