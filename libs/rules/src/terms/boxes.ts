import type { StockRule } from '../quote/availability.js';
import type { TakenUp } from '../schedule/schedule.js';
import { afterCompletion, afterSkip, type BoxItem, isInBox } from './box-items.js';
import { goOn } from './dates.js';
import { isAfterEnd, isCountReached, NO_TERMS, type OrderTerms } from './order-terms.js';

/** An Active order as it stands, from which the look ahead begins. */
export interface OrderAhead<Item extends BoxItem> extends Omit<TakenUp, 'occurrence'> {
  /** The stored NextOccurrenceUtc: one that is overdue is processed now. */
  readonly first: Date;
  /** When its cycle was due, where `first` is another try of it; left out, or null, where it is not. */
  readonly tried?: Pick<TakenUp, 'occurrence' | 'replaced'> | null;
  readonly cycles: number;
  readonly terms?: OrderTerms;
  readonly items: readonly Item[];
  /** Of its site. */
  readonly stock?: StockRule;
}

/** An occurrence that will be taken up, and what is in its box. */
export interface Box<Item extends BoxItem> {
  /** In milliseconds since 1970, UTC. */
  readonly instant: number;
  /** Of the regular occurrence, counted from the anchor; null of the first one, which may be none. */
  readonly number: number | null;
  /** Why nothing is charged: its skip was planned, or what is left out for once leaves nothing to ship. */
  readonly skipped: 'Planned' | 'NothingShips' | null;
  /** How many will have been processed by then. */
  readonly cycles: number;
  /** What it is priced of; the same list as before where that has not changed. */
  readonly items: readonly Item[];
}

/**
 * What processing would take up, one after another, each on time: when it is due, what is in the box, and after how
 * many cycles. It ends with the order, or with the calendar: the caller stops where it has seen enough. What it costs
 * is the `quote` of a box's items and cycles, and another one only where these are others. For an order without terms,
 * of a site without a calendar, the dates are those of `upcoming`.
 * @throws Rejected when the frequency is out of its type's range. Source: decisions.md §12, Upcoming.
 */
export function* boxes<Item extends BoxItem>(order: OrderAhead<Item>): Generator<Box<Item>, void> {
  const { first, now, terms = NO_TERMS, tried, stock, items: present, cycles: processed, ...schedule } = order;
  let taken: TakenUp = { ...schedule, ...(tried ?? { occurrence: first }), now: later(first, now) };
  let [instant, number, items, cycles] = [first, null as number | null, present, processed];
  let { plannedSkips } = terms;
  if (isAfterEnd(terms, taken.occurrence) || isCountReached(terms, cycles)) return;
  for (;;) {
    const skipped = shipsNothing(items, stock) ? 'NothingShips' : null;
    yield { instant: instant.getTime(), number, skipped, cycles, items };
    if (skipped === null) {
      const after = afterCompletion(items, (item) => isInBox(item, stock));
      cycles = Math.min(cycles + 1, Number.MAX_SAFE_INTEGER);
      items = after.items;
      if (isCountReached(terms, cycles) || (after.usedUp.length > 0 && items.length === 0)) return;
    } else items = afterSkip(items);
    const next = goOn(taken, { ...terms, plannedSkips });
    for (const { dueUtc, number: passed } of next.skipped)
      yield { instant: dueUtc.getTime(), number: passed, skipped: 'Planned', cycles, items };
    if (next.nextUtc === null) return;
    [instant, number, plannedSkips] = [next.nextUtc, next.number, next.plannedSkips];
    taken = { ...schedule, occurrence: instant, replaced: null, now: later(instant, now) };
  }
}

/** As a quote says it. */
const shipsNothing = (items: readonly BoxItem[], stock?: StockRule): boolean =>
  items.some(({ skipNext }) => skipNext === true) && !items.some((item) => isInBox(item, stock));

const later = (one: Date, other: Date): Date => (one > other ? one : other);
