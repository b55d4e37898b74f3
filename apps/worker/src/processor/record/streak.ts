import type { MissingCard } from '#libs/entities';

/** So many different customers whom the gateway does not know, one after the other, are taken for the wrong account (decisions.md §9). */
const CUSTOMERS = 3;
/** Of one customer with many orders the latest are kept. */
const LONGEST = 100;

/** With `next`: the same credentials, each order once. */
export function continued(streak: readonly MissingCard[], next: MissingCard): MissingCard[] {
  const others = streak.filter(({ order, fingerprint }) => order !== next.order && fingerprint === next.fingerprint);
  return [...others, next].slice(-LONGEST);
}

export const isLong = (streak: readonly MissingCard[]): boolean =>
  new Set(streak.map(({ customer }) => customer)).size >= CUSTOMERS;

/** What was sent before a payment went through was not the wrong account's. */
export const since = (streak: readonly MissingCard[], paidUtc: Date | null): MissingCard[] =>
  paidUtc === null ? [...streak] : streak.filter(({ startedUtc }) => new Date(startedUtc) > paidUtc);
