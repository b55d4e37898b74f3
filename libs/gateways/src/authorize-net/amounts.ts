import { decimalOf } from '#libs/rules';

/**
 * The currencies that Authorize.Net accepts, all with two decimals. An account has one of them, and only the gateway
 * knows which. Reviewed against its list of supported currencies; any other is refused (decisions.md §9, 1005).
 */
const TAKEN = new Set(['AUD', 'CAD', 'CHF', 'DKK', 'EUR', 'GBP', 'NOK', 'NZD', 'PLN', 'SEK', 'USD']);

/** An ISO 4217 amount as the decimal that Authorize.Net accepts, or a sentence that says why it cannot be expressed. */
export function decimalAmount(amount: number, currencyIso: string): { amount: string } | { refusal: string } {
  if (!TAKEN.has(currencyIso)) return { refusal: `The payment gateway does not take ${currencyIso}.` };
  if (!Number.isSafeInteger(amount) || amount <= 0) {
    return { refusal: `The payment gateway cannot take exactly this amount of ${currencyIso}.` };
  }
  return { amount: decimalOf(amount, currencyIso) };
}

/** A decimal amount with two places from the gateway's JSON (a number or a text), in minor units. */
export function minorUnits(amount: number | string): number {
  const [whole = '0', cents = ''] = String(amount).split('.');
  return Number(whole + cents.padEnd(2, '0').slice(0, 2));
}
