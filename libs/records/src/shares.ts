/** Places that accounts share, seen from one of these accounts. */
export interface SharedPlaces {
  readonly most: number;
  readonly taken: number;
  /** Of these, by this account. */
  readonly own: number;
}

/** How many places the account may have: at most half of them, and a tenth while others wait. At least one. */
export const shareOfAccount = (places: SharedPlaces): number => partOf(places.most, othersWait(places) ? 10 : 2);

/** While half of all places are taken, some of them by others. */
export const othersWait = ({ most, taken, own }: SharedPlaces): boolean => taken >= partOf(most, 2) && taken > own;

export const partOf = (most: number, divisor: number): number => Math.max(1, Math.floor(most / divisor));
