import { day, flag, oneOf, searchOf, wholeNumber } from '../../search.ts';

export const BY = ['Day', 'Product', 'ProductDay'] as const;

/** `to` is exclusive. `productId`: of a forecast by product and day, only this one is shown. */
export const search = searchOf({ from: day, to: day, by: oneOf(BY), amounts: flag, productId: wholeNumber });

export type ForecastSearch = ReturnType<typeof search>;

/** What the page shows, with what an address may leave out. */
export interface ForecastQuery {
  readonly from: string;
  readonly to: string;
  readonly by: (typeof BY)[number];
  readonly amounts: boolean;
}
