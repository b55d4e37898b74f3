import { type CompiledRates, type Quote, quote, Rejected } from '#libs/rules';
import type { Due } from './order-schedules.js';
import type { PricedOrder } from './priced-orders.js';

/**
 * Occurrences of an order, from `first` to before `end`, that cost the same; `quoted` is null where their price is not
 * possible.
 */
export interface Stretch {
  readonly first: number;
  readonly end: number;
  readonly quoted: Quote | null;
}

export type PricedStretch = Stretch & { readonly quoted: Quote };

export const isPriced = (stretch: Stretch): stretch is PricedStretch => stretch.quoted !== null;

/** How often the order will have been processed when an occurrence is taken up. */
const cyclesAt = (cycles: number, index: number) => Math.min(cycles + index, Number.MAX_SAFE_INTEGER);

/**
 * What an order costs after so many cycles; null when its price is not possible: processing could not price it either.
 */
export function quoteAt(order: PricedOrder, cycles: number, rates: CompiledRates): Quote | null {
  try {
    return quote(order.cycles === cycles ? order : { ...order, cycles }, rates);
  } catch (error) {
    if (error instanceof Rejected || error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * The occurrences of an order with their prices. They are priced again only where `cycles` reaches the next of the
 * thresholds: nothing else in a price depends on how often the order was processed.
 * @param thresholds of the rates (`minCyclesOf`). `now` is the price at `cycles`.
 */
export function* stretchesOf(
  order: PricedOrder,
  cycles: number,
  { first, end }: Due,
  rates: CompiledRates,
  thresholds: readonly number[],
  now: Quote | null,
): Generator<Stretch, void> {
  let passed = passedAt(thresholds, cycles, 0);
  let quoted = now;
  for (let index = first; index < end;) {
    const reached = passedAt(thresholds, cyclesAt(cycles, index), passed);
    if (reached !== passed) quoted = quoteAt(order, cyclesAt(cycles, index), rates);
    passed = reached;
    const next = thresholds[passed];
    const until = next === undefined ? end : Math.min(end, next - cycles);
    yield { first: index, end: until, quoted };
    index = until;
  }
}

/** How many thresholds are reached; at least `from`. */
function passedAt(thresholds: readonly number[], cycles: number, from: number): number {
  let passed = from;
  while (passed < thresholds.length && thresholds[passed]! <= cycles) passed++;
  return passed;
}
