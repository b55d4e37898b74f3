import { oneOf, searchOf, text, wholeNumber } from '../../search.ts';

export const TABS = ['tax', 'shipping', 'tester'] as const;
export type Tab = (typeof TABS)[number];

/** `new`, or the id of a rate. */
const rate = (value: string): string | undefined => (value === 'new' ? value : wholeNumber(value)?.toString());

/**
 * `rate` is the one in the form, `remove` the one that is to be deleted. The others are the cart of the tester: its
 * address, and its lines as `<product>x<quantity>`.
 */
export const search = searchOf({
  tab: oneOf(TABS),
  q: text,
  cursor: text,
  rate,
  remove: wholeNumber,
  country: text,
  state: text,
  city: text,
  postcode: text,
  lines: text,
  customerId: wholeNumber,
});

export type RatesSearch = ReturnType<typeof search>;
