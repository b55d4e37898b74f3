import type { Fault } from '../rejected.js';
import { shownInstant } from '../schedule/shown-instant.js';
import type { PlannedSkip } from './planned-skips.js';

/** What ends an order by itself: its count, its last day, or its last item. */
export const ENDINGS = ['MaxCycles', 'EndsUtc', 'Items'] as const;
export type Ending = (typeof ENDINGS)[number];

/** What limits an order's occurrences, with the names of its entity; null: nothing does. */
export interface OrderLimits {
  /** It ends when its `cycles` reach this by a completed one. */
  readonly maxCycles: number | null;
  /** No occurrence is due after this. */
  readonly endsUtc: Date | null;
}

/** All that an order's dates depend on besides its schedule. */
export interface OrderTerms extends OrderLimits {
  /** Occurrences that are passed over without charging, the lowest number first. */
  readonly plannedSkips: readonly PlannedSkip[];
}

export const NO_TERMS: OrderTerms = { maxCycles: null, endsUtc: null, plannedSkips: [] };

/** Whether so many completed cycles are all that there are to be. */
export const isCountReached = ({ maxCycles }: Pick<OrderLimits, 'maxCycles'>, cycles: number): boolean =>
  maxCycles !== null && cycles >= maxCycles;

/** Whether no occurrence may be due then any more. A cycle that was due before is tried again after it. */
export const isAfterEnd = ({ endsUtc }: Pick<OrderLimits, 'endsUtc'>, due: Date): boolean =>
  endsUtc !== null && due > endsUtc;

/** An order that may have been cancelled, or have ended. */
export interface ClosedOrder extends OrderLimits {
  readonly cycles: number;
  readonly cancelledUtc: Date | null;
  readonly endedUtc: Date | null;
  /** Null while it has not ended. */
  readonly endedBy: Ending | null;
}

/**
 * Why nothing may be done with the dates and the status of an order: a sentence that says what helps; null while it is
 * open. A cancelled one is reactivated first, whatever else has ended it.
 */
export function closedBecause({ cancelledUtc, endedUtc, endedBy, ...limits }: ClosedOrder): string | null {
  if (cancelledUtc !== null) return `The order was cancelled at ${shownInstant(cancelledUtc)}: Reactivate it first.`;
  if (endedUtc === null || endedBy === null) return null;
  return `The order has ended at ${shownInstant(endedUtc)}, ${ENDED_BY[endedBy](limits)} first.`;
}

const ENDED_BY: Readonly<Record<Ending, (limits: OrderLimits & { readonly cycles: number }) => string>> = {
  MaxCycles: ({ maxCycles, cycles }) => `with Cycles ${cycles} of MaxCycles ${maxCycles}: raise MaxCycles`,
  EndsUtc: ({ endsUtc }) =>
    `because no occurrence is left up to EndsUtc${endsUtc === null ? '' : `, ${shownInstant(endsUtc)}`}: move EndsUtc`,
  Items: () => 'with its last item: add an item',
};

/**
 * Whether a request takes away what has ended an order: it is no longer ended then, and stays Paused. `limits` and
 * `items` (how many it has) are as the request leaves them.
 */
export function reopens(ended: ClosedOrder, limits: OrderLimits, items: number): boolean {
  switch (ended.endedBy) {
    case null:
      return false;
    case 'MaxCycles':
      return !isCountReached(limits, ended.cycles);
    case 'EndsUtc':
      return limits.endsUtc === null || (ended.endsUtc !== null && limits.endsUtc > ended.endsUtc);
    case 'Items':
      return items > 0;
  }
}

/** The terms of an order that a request would leave it with, and what it has by then. */
export interface TermsToJudge extends OrderLimits {
  readonly startUtc: Date | null;
  readonly pausedUntilUtc: Date | null;
  readonly cycles: number;
}

/**
 * What is wrong with terms that a request sets: each fault continues after the field's name, with value and bound.
 * @param standing what the order has: that is not judged again.
 */
export function termsFaults(wanted: TermsToJudge, standing: TermsToJudge, now: Date): Fault[] {
  const { maxCycles, endsUtc, startUtc, cycles } = wanted;
  const faults: Fault[] = [];
  const refuse = (field: string, message: string) => faults.push({ field, message });
  for (const [field, name] of FUTURE) {
    const instant = wanted[field];
    if (instant === null || instant.getTime() === standing[field]?.getTime() || instant > now) continue;
    refuse(name, `${instant.toISOString()} must be later than now, ${now.toISOString()}.`);
  }
  const isNewCount = maxCycles !== standing.maxCycles || cycles !== standing.cycles;
  if (maxCycles !== null && isNewCount && cycles >= maxCycles)
    refuse('MaxCycles', `${maxCycles} must be more than Cycles, ${cycles}: to end the order now, cancel it.`);
  if (startUtc !== null && endsUtc !== null && startUtc > endsUtc)
    refuse('EndsUtc', `${endsUtc.toISOString()} must not be before StartUtc, ${startUtc.toISOString()}.`);
  return faults;
}

const FUTURE = [
  ['startUtc', 'StartUtc'],
  ['pausedUntilUtc', 'PausedUntilUtc'],
] as const;
