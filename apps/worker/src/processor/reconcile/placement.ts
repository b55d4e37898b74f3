import { dueSecond } from '#libs/gateways';
import { type FrequencyRule, nextOccurrence } from '#libs/rules';

/** A charge that the gateway has and the ledger lacks, as `found_charges` keeps it. */
export interface FoundCharge {
  readonly paymentIntegrationId: number;
  readonly transactionId: string;
  readonly scheduledOrderId: number;
  readonly cycle: number;
  readonly attempt: number;
  /** The second of the occurrence that it was sent for; null: an earlier version named the number of the cycle. */
  readonly dueUtc: Date | null;
  /** Minor units. */
  readonly amount: number;
  readonly currencyIso: string | null;
  /** By the gateway's clock. */
  readonly chargedUtc: Date;
  /** False: the gateway had not decided yet. */
  readonly isCharged: boolean;
  /** The gateway's customer is not one that belongs to the order's customer: the charge may be another installation's. */
  readonly hasUnknownCustomer: boolean;
}

/** A row of the order's ledger. */
export interface LedgerCycle {
  readonly cycle: number;
  readonly state: string;
  readonly open: boolean;
  readonly dueUtc: Date;
  readonly replacedUtc: Date | null;
  /** Of the current attempt, from 1; 0: nothing was ever sent. */
  readonly attempt: number;
  readonly transactionId: string | null;
  /** A worker is charging it or looking it up now. */
  readonly isLeased: boolean;
  /** Resolved by the gateway's list or by a person: it ends by itself. */
  readonly isResolved: boolean;
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

/** Where a found charge belongs in the ledger. `needsReview`: the service cannot tell which occurrence it paid, so a person decides. */
export type Placement =
  /** The ledger has it, or finds it by itself. */
  | { readonly kind: 'known' }
  /** A cycle that is under way must end first. */
  | { readonly kind: 'later' }
  /** It is the outcome of the open cycle. */
  | {
      readonly kind: 'open';
      readonly cycle: number;
      readonly dueUtc: Date;
      readonly replacedUtc: Date | null;
      readonly needsReview: boolean;
    }
  /** It is a cycle of its own. */
  | { readonly kind: 'new'; readonly dueUtc: Date; readonly replacedUtc: Date | null; readonly needsReview: boolean };

/**
 * Where a charge of lost commits belongs. It counts as the order's, unless the ledger already has an outcome for exactly this occurrence. A different
 * cycle number never means "not charged", because numbers differ after a restore. Source: decisions.md §9, a database that went back in time.
 * `cycles`: the order's newest, newest first.
 */
export function placementOf(charge: FoundCharge, order: PlacedOrder, cycles: readonly LedgerCycle[]): Placement {
  if (cycles.some(({ transactionId }) => transactionId === charge.transactionId)) return { kind: 'known' };
  const isForeign =
    charge.hasUnknownCustomer || (charge.currencyIso !== null && charge.currencyIso !== order.currencyIso);
  const open = cycles.find((one) => one.open);
  if (open) return besideOpen(charge, order, open, isForeign);
  const settled = cycles.some((one) => isOccurrence(charge, one));
  const found = occurrenceOf(charge, order, newestOf(cycles, order));
  if (settled || isForeign || found === null)
    return { kind: 'new', dueUtc: charge.dueUtc ?? charge.chargedUtc, replacedUtc: null, needsReview: true };
  return { kind: 'new', ...found, needsReview: false };
}

/** The number of the order's newest cycle, or 0. `cycles`: newest first. */
export const newestOf = (cycles: readonly LedgerCycle[], { archivedCycle }: PlacedOrder): number =>
  Math.max(cycles[0]?.cycle ?? 0, archivedCycle);

const isOccurrence = ({ dueUtc, cycle }: FoundCharge, of: LedgerCycle): boolean =>
  dueUtc === null ? cycle === of.cycle : same(dueUtc, of.dueUtc);

function besideOpen(charge: FoundCharge, order: PlacedOrder, open: LedgerCycle, isForeign: boolean): Placement {
  if (open.isResolved || open.isLeased) return { kind: 'later' };
  const { cycle, dueUtc, replacedUtc } = open;
  const maybeSent = open.state === 'Charging' || open.state === 'Unknown';
  if (!isForeign && isOccurrence(charge, open)) {
    // Not decided yet: the cycle's own look-up finds the charge.
    if (maybeSent && !charge.isCharged) return { kind: 'known' };
    return { kind: 'open', cycle, dueUtc, replacedUtc, needsReview: false };
  }
  // Nothing was ever sent for it: it is only the next occurrence, taken up.
  const isUntouched = !maybeSent && open.attempt === 0;
  const untouched = { ...order, nextOccurrenceUtc: dueUtc, replacedOccurrenceUtc: replacedUtc };
  const found = isUntouched && !isForeign ? occurrenceOf(charge, untouched, cycle - 1) : null;
  return { kind: 'open', cycle, ...(found ?? { dueUtc, replacedUtc }), needsReview: found === null };
}

type Occurrence = Pick<Extract<Placement, { kind: 'new' }>, 'dueUtc' | 'replacedUtc'>;

/** The occurrence that was paid, and the regular one that it replaced; null when it cannot be told. */
function occurrenceOf(charge: FoundCharge, order: PlacedOrder, newest: number): Occurrence | null {
  const { dueUtc, chargedUtc } = charge;
  const { nextOccurrenceUtc: next, replacedOccurrenceUtc: replaced } = order;
  if (next === null) return { dueUtc: dueUtc ?? chargedUtc, replacedUtc: null };
  const inPlaceOfNext = { replacedUtc: replaced ?? next };
  if (dueUtc === null) {
    if (next <= chargedUtc) return { dueUtc: next, replacedUtc: replaced };
    return charge.cycle === newest + 1 ? { dueUtc: chargedUtc, ...inPlaceOfNext } : null;
  }
  if (same(dueUtc, next)) return { dueUtc: next, replacedUtc: replaced };
  // Lost commits had also skipped, paid or given up the occurrences before it.
  if (dueUtc > next) return next <= chargedUtc ? { dueUtc, replacedUtc: null } : null;
  // An occurrence outside the schedule came from a Process or a reschedule that is lost.
  return isRegular(dueUtc, order) ? null : { dueUtc, ...inPlaceOfNext };
}

function isRegular(instant: Date, { rule, anchor }: PlacedOrder): boolean {
  if (rule === null) return false;
  return same(nextOccurrence(rule, anchor, new Date(instant.getTime() - 1)), instant);
}

/** A charge names no more than the second of an occurrence. */
const same = (one: Date, other: Date): boolean => dueSecond({ dueUtc: one }) === dueSecond({ dueUtc: other });
