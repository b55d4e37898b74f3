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

/** Why a product is left out of an order: a sentence; null when it is not. Source: decisions.md §11. */
export const leftOutBecause = (product: Stock & { readonly deletedUtc: Date | string | null }): string | null =>
  product.deletedUtc === null ? unavailableBecause(product) : 'The product was deleted.';

const saysUnavailable = (text: string | null): boolean =>
  text !== null && UNAVAILABLE.has(text.toLowerCase().replace(/\P{L}/gu, ''));

/** The number of units in stock, where the text is nothing but a number; else null. */
export function stockUnits({ stockLevel }: Pick<Stock, 'stockLevel'>): number | null {
  return stockLevel !== null && /^\s*[+-]?\d{1,15}(\.\d{1,15})?\s*$/.test(stockLevel) ? Number(stockLevel) : null;
}
