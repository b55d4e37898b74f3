import { minorUnitExponent, shownAmount, shownInstant } from '#libs/rules';

type Field = readonly [before: unknown, after: unknown];
type ItemValues = readonly [quantity: string, price: string, salePrice: string | null, productId: string];

/** What a request has changed of an item; null where there was none, or is none any more. */
export interface ItemChange {
  readonly title: string | null;
  readonly before: ItemValues | null;
  readonly after: ItemValues | null;
}

/** What a request has changed: null where nothing has, or where the order is too large to be compared. */
export interface Changes {
  /** As it is after the change. */
  readonly currency: string | null;
  readonly fields: Readonly<Record<string, Field>> | null;
  readonly items: readonly ItemChange[] | null;
}

/** So many are named; of the others only their number is. */
const MOST_NAMED = 10;
const LONGEST_VALUE = 60;

/** The changes as parts of a sentence. @param named fields that the sentence names itself. */
export function changedParts({ currency, fields, items }: Changes, named: readonly string[]): string[] {
  const changed = Object.entries(fields ?? {}).filter(([name]) => !named.includes(name));
  const single = changed.filter(([name]) => !isOfAddress(name) && !isOfPayment(name));
  const currencyBefore = (fields?.CurrencyIso?.[0] ?? currency) as string | null;
  const parts = [
    ...single.map(([name, [before, after]]) =>
      fromTo(name, shown(name, before, currencyBefore), shown(name, after, currency)),
    ),
    ...(changed.some(([name]) => isOfAddress(name)) ? ['the shipping address'] : []),
    ...(changed.some(([name]) => isOfPayment(name)) ? [paymentMethod(fields!.PaymentMethodDescription)] : []),
    ...(items ?? []).map((item) => itemPart(item, currencyBefore, currency)),
  ];
  const more = parts.length - MOST_NAMED;
  return more > 0 ? [...parts.slice(0, MOST_NAMED), `${more} more`] : parts;
}

/** An instant of a snapshot; null where it has none. */
export const instantIn = (value: unknown): string | null =>
  typeof value === 'string' ? shownInstant(new Date(value)) : null;

const isOfAddress = (name: string) => name.startsWith('Shipping') && name !== 'ShippingTotal';
const isOfPayment = (name: string) => name.startsWith('PaymentMethod');

const fromTo = (name: string, before: string, after: string) => `${name} from ${before} to ${after}`;

const paymentMethod = (description: Field | undefined) =>
  typeof description?.[1] === 'string' ? `the payment method to ${cut(description[1])}` : 'the payment method';

const cut = (text: string) => (text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text);

function shown(name: string, value: unknown, currency: string | null): string {
  if (value === null) return 'none';
  if (name.endsWith('Utc')) return instantIn(value) ?? 'none';
  if (name.endsWith('Total') && currency !== null) return shownAmount(value as number, currency);
  return cut(typeof value === 'string' ? value : JSON.stringify(value));
}

function itemPart(
  { title, before, after }: ItemChange,
  currencyBefore: string | null,
  currency: string | null,
): string {
  const name = cut(title ?? 'an item');
  if (before === null) return `${after![0]} × ${name} added`;
  if (after === null) return `${before[0]} × ${name} removed`;
  const prices = (index: 1 | 2) =>
    [shownPrice(before[index], currencyBefore), shownPrice(after[index], currency)] as const;
  const parts = [
    before[0] === after[0] ? null : fromTo('quantity', before[0], after[0]),
    before[1] === after[1] ? null : fromTo('price', ...prices(1)),
    before[2] === after[2] ? null : fromTo('sale price', ...prices(2)),
    before[3] === after[3] ? null : fromTo('product', before[3], after[3]),
  ];
  return `${name}: ${parts.filter((part) => part !== null).join(', ')}`;
}

/** A price, which may have more decimals than its currency. */
function shownPrice(price: string | null, currency: string | null): string {
  if (price === null) return 'none';
  if (currency === null) return price;
  const [whole, decimals = ''] = price.split('.');
  const all = decimals.padEnd(minorUnitExponent(currency) ?? 0, '0');
  return `${whole}${all === '' ? '' : `.${all}`} ${currency}`;
}
