/**
 * Decimal places of minor units where they are not 2; test/architecture/console-words.test.ts compares them with those
 * that charge.
 */
const PLACES: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const places = new Map(
  Object.entries(PLACES).flatMap(([count, codes]) => codes.split(' ').map((code) => [code, Number(count)] as const)),
);

/** Decimal places of a currency's minor unit: USD 2, JPY 0, KWD 3. */
export const placesOf = (currencyIso: string): number => places.get(currencyIso) ?? 2;

const grouped = (digits: string) => digits.replace(/\B(?=(?:\d{3})+$)/g, ',');

function signed(isNegative: boolean, whole: string, fraction: string): string {
  return `${isNegative ? '−' : ''}${grouped(whole)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** An integer of minor units, exactly: 123456 USD → `1,234.56`. Digits are moved, nothing is calculated. */
export function minorUnitsText(minor: number, currencyIso: string): string {
  const count = placesOf(currencyIso);
  const digits = String(Math.abs(minor)).padStart(count + 1, '0');
  const point = digits.length - count;
  return signed(minor < 0, digits.slice(0, point), digits.slice(point));
}

/** A price in whole units, with as many places as it has, at least the currency's: 12.5 USD → `12.50`. */
export function priceText(price: number, currencyIso: string): string {
  const [whole = '0', fraction = ''] = String(price).replace('-', '').split('.');
  return signed(price < 0, whole, fraction.padEnd(placesOf(currencyIso), '0'));
}

/** `1,234`. */
export const countText = (count: number): string => signed(count < 0, String(Math.abs(count)), '');
