import { oneOf, searchOf, text, wholeNumber } from '../../search.ts';

export const SORTS = ['Id', '-Id'] as const;
export const DAYS = ['30', '60', '90'] as const;

/** `product` is the one that is shown, `days` how far its forecast reaches. */
export const search = searchOf({ q: text, sort: oneOf(SORTS), cursor: text, product: wholeNumber, days: oneOf(DAYS) });
