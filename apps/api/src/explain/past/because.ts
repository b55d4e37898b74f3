import type { CycleState } from '#libs/entities';
import type { PricingOfAttempt } from '#libs/ledger';
import { decimalOf, isSamePrice, type Quote, shownInstant } from '#libs/rules';
import type { Recorded, RecordedAmounts } from './past-cycle.js';

/** Whether the calculation gives every amount that was recorded, of each line as well. */
export function isAsRecorded(quoted: Quote, recorded: Recorded): boolean {
  const isSame = (minorUnits: number | null, decimal: string | null) =>
    isSamePrice(minorUnits === null ? null : decimalOf(minorUnits, quoted.currencyIso), decimal);
  return (
    isSame(quoted.subtotal, recorded.subtotal) &&
    isSame(quoted.shippingTotal, recorded.shippingTotal) &&
    isSame(quoted.taxTotal, recorded.taxTotal) &&
    isSame(quoted.total, recorded.total) &&
    quoted.lines.every(({ amount, taxTotal }, index) => {
      const line = recorded.lines[index]!;
      return isSame(amount, line.amount) && isSame(taxTotal, line.taxTotal);
    })
  );
}

/** Why a cycle has nothing to explain; null where something is frozen. */
export const WITHOUT_AMOUNTS: Readonly<Record<CycleState, string | null>> = {
  Claimed: 'The cycle is Claimed: it is not priced yet.',
  Charging: null,
  Unknown: null,
  Retrying: 'The cycle is Retrying: the next attempt is priced afresh, and nothing is kept of the attempt that failed.',
  Waiting: 'The cycle is Waiting for its payment integration: it is priced when it is charged.',
  Completed: 'The Order of the cycle is not there.',
  Skipped: 'The cycle was skipped: nothing was charged.',
  Failed: 'The cycle failed: nothing was charged, and nothing is kept of what would have been.',
};

export const NOT_COMPLETED = 'The cycle is not completed: these are the amounts that were sent, or are about to be.';
export const OTHER_AMOUNT =
  'The charge was found by a look-up, with an amount that the order was not priced at: only its total is known.';
export const NO_VERSION =
  'What it was priced with is not known: the charge was found at the gateway, and the order was not priced for it.';
export const MIXED =
  'Prices were changed in the moment in which it was priced: its rates are known, but not which classes of its products, or which exemption, it was priced with.';
export const UNEXPLAINED = 'The calculation gives other amounts, and nothing that is kept says why.';

const changed = (utc: Date) => `The Order was changed by a request, last on ${shownInstant(utc)}.`;
const fixed = (names: readonly string[]) =>
  `The shop had fixed ${names.join(' and ')}: what a shop fixes is taken as it is, not calculated.`;

/**
 * Why the amounts are not, or cannot all be, what the calculation gives. `quoted`: null where there is no calculation.
 */
export function becauseOf(quoted: Quote | null, recorded: Recorded, pricing: PricingOfAttempt | null): string[] {
  const isSame = quoted !== null && isAsRecorded(quoted, recorded);
  const whyOther = isSame ? [] : [whyNot(recorded, pricing)];
  const names = pricing?.fixed ?? [];
  return [...(names.length > 0 ? [fixed(names)] : []), ...whyOther];
}

/**
 * A request may also have written what changes no amount, such as the shop's number of the Order: what else is known
 * goes before.
 */
function whyNot(recorded: Recorded, pricing: PricingOfAttempt | null): string {
  if (isTotalAlone(recorded)) return OTHER_AMOUNT;
  if (pricing === null) return NO_VERSION;
  if (recorded.changedUtc !== null) return changed(recorded.changedUtc);
  return pricing.pricesMixed ? MIXED : UNEXPLAINED;
}

const isTotalAlone = ({ subtotal, shippingTotal, taxTotal, total }: RecordedAmounts) =>
  total !== null && subtotal === null && shippingTotal === null && taxTotal === null;
