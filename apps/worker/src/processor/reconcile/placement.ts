import { dueSecond } from '#libs/gateways';
import type { DifferenceKind, LedgerCycle, UnplacedRow } from '#libs/ledger';
import { type FrequencyRule, nextOccurrence } from '#libs/rules';
import { kindOfUnplaced } from '../audit/differences-of.js';

/** A charge that the gateway has and the ledger lacks. */
export interface FoundCharge extends Omit<UnplacedRow, 'place' | 'siteId' | 'paymentMethodType'> {
  /**
   * All of it went back to the customer since: it has paid nothing, and only a person knows whether it is to be charged
   * again.
   */
  readonly isGivenBack: boolean;
}

/** The order that the charge names, as it stands. */
export interface PlacedOrder {
  readonly currencyIso: string;
  readonly nextOccurrenceUtc: Date | null;
  readonly replacedOccurrenceUtc: Date | null;
  readonly rule: FrequencyRule | null;
  readonly anchor: Date;
  /** The number of its newest archived cycle, or 0. */
  readonly archivedCycle: number;
}

/**
 * Where a found charge belongs in the ledger. `differs`: it does not fit, so a person decides what it paid, if
 * anything; null: it is recorded.
 */
export type Placement =
  /** The ledger has it, or finds it by itself. */
  | { readonly kind: 'known' }
  /** A cycle that is under way must end first. */
  | { readonly kind: 'later' }
  /**
   * It is not the outcome of the open cycle, which may have been charged itself: that is looked up, and nothing more is
   * sent before a person has decided.
   */
  | { readonly kind: 'beside'; readonly differs: DifferenceKind }
  /** It is the outcome of the open cycle. */
  | {
      readonly kind: 'open';
      readonly cycle: number;
      readonly dueUtc: Date;
      readonly replacedUtc: Date | null;
      readonly differs: DifferenceKind | null;
    }
  /** It is a cycle of its own. */
  | {
      readonly kind: 'new';
      readonly dueUtc: Date;
      readonly replacedUtc: Date | null;
      readonly differs: DifferenceKind | null;
    };

/**
 * Where a charge of lost commits belongs. One that names its occurrence is recorded where customer and currency fit,
 * whatever its amount, unless the ledger already has an outcome for exactly this occurrence: the order may have had
 * another price. One in an old form, which names no occurrence, fits none: no database has sent such a charge. What was
 * given back has paid nothing. Not fitting never means "not charged": what does not fit is held. Source: decisions.md
 * §9, a database that went back in time.
 * `cycles`: the order's newest, newest first.
 */
export function placementOf(charge: FoundCharge, order: PlacedOrder, cycles: readonly LedgerCycle[]): Placement {
  if (cycles.some(({ transactionId }) => transactionId === charge.transactionId)) return { kind: 'known' };
  const named = cycles.filter((one) => isOccurrence(charge, one));
  const currencies = [order, ...named.filter(mayBeSent)].map(({ currencyIso }) => currencyIso);
  const fits =
    !charge.isDoubtful &&
    !charge.isGivenBack &&
    (charge.currencyIso === null || currencies.includes(charge.currencyIso));
  const differs = kindOfUnplaced(named.find(({ state }) => state === 'Completed') ?? named[0] ?? null);
  const open = cycles.find((one) => one.open);
  const isSettled = named.some((one) => !one.open);
  if (open) return besideOpen(charge, order, open, { fits, isSettled, differs });
  const found = fits && !isSettled ? occurrenceOf(charge, order) : null;
  if (found === null) return { kind: 'new', dueUtc: charge.dueUtc ?? charge.chargedUtc, replacedUtc: null, differs };
  return { kind: 'new', ...found, differs: null };
}

/** The number of the order's newest cycle, or 0. `cycles`: newest first. */
export const newestOf = (cycles: readonly LedgerCycle[], { archivedCycle }: PlacedOrder): number =>
  Math.max(cycles[0]?.cycle ?? 0, archivedCycle);

/** Its outcome is not known, and this may be it. */
const mayBeSent = ({ state }: LedgerCycle): boolean => state === 'Charging' || state === 'Unknown';

const isOccurrence = (charge: FoundCharge, { dueUtc }: LedgerCycle): boolean =>
  charge.dueUtc !== null && same(charge.dueUtc, dueUtc);

function besideOpen(
  charge: FoundCharge,
  order: PlacedOrder,
  open: LedgerCycle,
  { fits, isSettled, differs }: { fits: boolean; isSettled: boolean; differs: DifferenceKind },
): Placement {
  if (open.isResolved || open.isLeased) return { kind: 'later' };
  const { cycle, dueUtc, replacedUtc } = open;
  const maybeSent = mayBeSent(open);
  if (fits && isOccurrence(charge, open)) {
    // Not decided yet: the cycle's own look-up finds the charge.
    if (maybeSent && !charge.isCharged) return { kind: 'known' };
    return { kind: 'open', cycle, dueUtc, replacedUtc, differs: null };
  }
  if (maybeSent) return { kind: 'beside', differs };
  // Nothing was ever sent for it: it is only the next occurrence, taken up.
  const isUntouched = open.attempt === 0;
  const untouched = { ...order, nextOccurrenceUtc: dueUtc, replacedOccurrenceUtc: replacedUtc };
  const found = isUntouched && fits && !isSettled ? occurrenceOf(charge, untouched) : null;
  if (found === null) return { kind: 'open', cycle, dueUtc, replacedUtc, differs };
  return { kind: 'open', cycle, ...found, differs: null };
}

type Occurrence = Pick<Extract<Placement, { kind: 'new' }>, 'dueUtc' | 'replacedUtc'>;

/** The occurrence that was paid, and the regular one that it replaced; null when it cannot be told. */
function occurrenceOf(charge: FoundCharge, order: PlacedOrder): Occurrence | null {
  const { dueUtc, chargedUtc } = charge;
  const { nextOccurrenceUtc: next, replacedOccurrenceUtc: replaced } = order;
  if (dueUtc === null) return null;
  if (next === null) return { dueUtc, replacedUtc: null };
  if (same(dueUtc, next)) return { dueUtc: next, replacedUtc: replaced };
  // It was charged before a request moved it.
  if (replaced !== null && same(dueUtc, replaced)) return { dueUtc: replaced, replacedUtc: null };
  // Lost commits had also skipped, paid or given up the occurrences before it.
  if (dueUtc > next) return next <= chargedUtc ? { dueUtc, replacedUtc: null } : null;
  // An occurrence outside the schedule came from a Process or a reschedule that is lost.
  return isRegular(dueUtc, order) ? null : { dueUtc, replacedUtc: replaced ?? next };
}

function isRegular(instant: Date, { rule, anchor }: PlacedOrder): boolean {
  if (rule === null) return false;
  return same(nextOccurrence(rule, anchor, new Date(instant.getTime() - 1)), instant);
}

/** A charge names no more than the second of an occurrence. */
const same = (one: Date, other: Date): boolean => dueSecond({ dueUtc: one }) === dueSecond({ dueUtc: other });
