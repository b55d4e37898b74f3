import type { MissingCard } from '#libs/entities';

/**
 * When the gateway does not know this many different customers in a row, the credentials seem to be another account's
 * (decisions.md §9).
 */
const CUSTOMERS = 3;
/** How many orders of a streak are kept: the latest. */
const LONGEST = 100;

/** With `next`: the same credentials, each order once. */
export function continued(streak: readonly MissingCard[], next: MissingCard): MissingCard[] {
  const others = streak.filter(({ order, fingerprint }) => order !== next.order && fingerprint === next.fingerprint);
  return [...others, next].slice(-LONGEST);
}

export const isLong = (streak: readonly MissingCard[]): boolean =>
  new Set(streak.map(({ customer }) => customer)).size >= CUSTOMERS;

/** Attempts that were sent before a successful payment do not count. */
export const since = (streak: readonly MissingCard[], paidUtc: Date | null): MissingCard[] =>
  paidUtc === null ? [...streak] : streak.filter(({ startedUtc }) => new Date(startedUtc) > paidUtc);
