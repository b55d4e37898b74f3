import type { DiaryEntry } from './diary.js';
import type { Item, Rate, Shop } from './shops.js';

const PLACES: Readonly<Record<string, number>> = { JPY: 0, USD: 2, EUR: 2, GBP: 2 };
/** More ways than these to put an order together are not tried. */
const MOST = 50_000;

/**
 * All amounts that some state of an order said, each as `12.34 USD`; null: there are too many. Calculated in words of
 * its own.
 */
export function possibleAmounts(
  shop: Shop,
  orderId: number,
  firstCurrency: string,
  requests: readonly DiaryEntry[],
): Set<string> | null {
  const baskets = basketsOf(shop.items.get(orderId)!, requests);
  const [shipping, tax] = [valuesOf(shop.rates, 'shipping'), valuesOf(shop.rates, 'tax')];
  const currencies = new Set([firstCurrency, ...requests.flatMap(({ wanted }) => wanted.currencyIso ?? [])]);
  if (baskets === null || baskets.length * shipping.length * tax.length * currencies.size > MOST) return null;
  const amounts = new Set<string>();
  for (const currency of currencies) {
    for (const basket of baskets) {
      for (const base of shipping) for (const rate of tax) amounts.add(amountOf(basket, base, rate, currency));
    }
  }
  return amounts;
}

type Line = readonly [price: string, quantity: number];

/** Every combination of what each item was, or was not. */
function basketsOf(items: readonly Item[], requests: readonly DiaryEntry[]): Line[][] | null {
  const wanted = requests.flatMap((one) => one.wanted.item ?? []);
  const choices: (Line | null)[][] = items.map(({ id, price, quantity }) => {
    const ofItem = wanted.filter((one) => one.id === id);
    const prices = [price, ...ofItem.flatMap((one) => one.price ?? [])];
    const quantities = [quantity, ...ofItem.flatMap((one) => one.quantity ?? [])];
    const lines = prices.flatMap((ofLine): Line[] => quantities.map((count) => [ofLine, count]));
    return ofItem.some((one) => one.isRemoved) ? [...lines, null] : lines;
  });
  for (const added of wanted.filter(({ id }) => id === null)) choices.push([[added.price!, added.quantity!], null]);
  let baskets: Line[][] = [[]];
  for (const ofItem of choices) {
    baskets = baskets.flatMap((basket) => ofItem.map((line) => (line === null ? basket : [...basket, line])));
    if (baskets.length > MOST) return null;
  }
  return baskets;
}

function valuesOf(rates: readonly Rate[], type: Rate['type']): (string | null)[] {
  const values = rates.filter((rate) => rate.type === type).flatMap((rate) => [...rate.values]);
  return values.length === 0 ? [null] : values;
}

/** The shop's rates: shipping a base and 0.35 a unit; VAT, and on top of it a levy of 1.375 %. */
function amountOf(basket: readonly Line[], base: string | null, vat: string | null, currency: string): string {
  const places = PLACES[currency]!;
  const minor = (tenThousandths: bigint) => divided(tenThousandths * 10n ** BigInt(places), 10_000n);
  const lines = basket.map(([price, quantity]) => minor(exact(price) * BigInt(quantity)));
  const units = basket.reduce((sum, [, quantity]) => sum + quantity, 0);
  const shipping = base === null ? 0n : minor(exact(base) + exact('0.35') * BigInt(units));
  const taxes = lines.map((line) => {
    if (vat === null) return 0n;
    const first = divided(line * exact(vat), 1_000_000n);
    return first + divided((line + first) * exact('1.375'), 1_000_000n);
  });
  const total = [...lines, ...taxes].reduce((sum, one) => sum + one, shipping);
  return `${decimal(total, places)} ${currency}`;
}

/** Ten-thousandths. */
function exact(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(4, '0').slice(0, 4));
}

/** Half away from zero; nothing here is negative. */
const divided = (dividend: bigint, divisor: bigint): bigint => (dividend * 2n + divisor) / (divisor * 2n);

function decimal(minor: bigint, places: number): string {
  if (places === 0) return String(minor);
  const digits = String(minor).padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
