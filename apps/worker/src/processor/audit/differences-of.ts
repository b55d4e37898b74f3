import type { DifferenceKind } from '#libs/cycles';

/** A charge as the gateway's list has it. */
export interface ListedCharge {
  readonly transactionId: string;
  readonly scheduledOrderId: number;
  /** The occurrence that it names, a whole second; null where an earlier version charged. */
  readonly dueUtc: Date | null;
  readonly installation: 'this' | 'other' | 'unnamed';
  /** Minor units. */
  readonly amount: number;
  readonly currencyIso: string | null;
  readonly gatewayCustomerId: string | null;
  readonly chargedUtc: Date;
  /** Minor units that were given back. */
  readonly refunded: number;
  readonly isVoided: boolean;
  readonly isDisputed: boolean;
}

/** A row of the ledger. */
export interface AuditedCycle {
  readonly scheduledOrderId: number;
  readonly cycle: number;
  readonly state: string;
  readonly dueUtc: Date;
  readonly transactionId: string | null;
  readonly orderId: number | null;
  readonly amount: number | null;
  readonly currencyIso: string | null;
  readonly gatewayCustomerId: string | null;
}

/** A disagreement: what it is about, of each side. */
export interface Disagreement {
  readonly kind: DifferenceKind;
  readonly charge: ListedCharge | null;
  readonly cycle: AuditedCycle | null;
}

/** What an audit compares: charges of a list, and the cycles of the orders that they name. */
export interface Books {
  readonly charges: readonly ListedCharge[];
  readonly cycles: readonly AuditedCycle[];
  /** Completed cycles whose payments must be among the charges, if they were made. */
  readonly expected: readonly AuditedCycle[];
  /** A charge from then on may be under way, or its recording. */
  readonly settledBefore: Date;
}

/** States in which the outcome of an attempt is still to be recorded: whatever the gateway has may be it. */
const IN_FLIGHT = ['Claimed', 'Charging', 'Unknown'];
/** States in which the ledger has given up the occurrence. */
const ENDED = ['Failed', 'Skipped'];

const secondOf = (date: Date) => Math.floor(date.getTime() / 1000);

/**
 * Everything that the two say differently; decisions.md §9. Read the cycles after the charges: a charge that is listed as settled has its cycle by
 * then, or never will.
 */
export function differencesOf({ charges, cycles, expected, settledBefore }: Books): Disagreement[] {
  const ofOrder = groupBy(cycles, ({ scheduledOrderId }) => scheduledOrderId);
  const settled = charges.filter(({ chargedUtc }) => chargedUtc < settledBefore);
  const listed = new Set(charges.map(({ transactionId }) => transactionId));
  return [
    ...settled.flatMap((charge) => ofCharge(charge, ofOrder.get(charge.scheduledOrderId) ?? [])),
    ...expected.filter(({ transactionId }) => transactionId === null || !listed.has(transactionId)).map(unpaid),
  ];
}

const unpaid = (cycle: AuditedCycle): Disagreement => ({ kind: 'CycleWithoutCharge', charge: null, cycle });

function ofCharge(charge: ListedCharge, cycles: readonly AuditedCycle[]): Disagreement[] {
  const paid = cycles.filter(
    ({ state, transactionId }) => state === 'Completed' && transactionId === charge.transactionId,
  );
  const [first, second] = paid;
  if (second !== undefined) return [{ kind: 'TransactionTwice', charge, cycle: second }];
  if (first !== undefined) return kindsOfPaid(charge, first).map((kind) => ({ kind, charge, cycle: first }));
  if (charge.installation !== 'this' || charge.dueUtc === null || isGivenBack(charge)) return [];
  const due = secondOf(charge.dueUtc);
  const named = cycles.filter(({ dueUtc }) => secondOf(dueUtc) === due);
  if (named.some(({ state }) => IN_FLIGHT.includes(state))) return [];
  const cycle = named.find(({ state }) => state === 'Completed') ?? named[0] ?? null;
  return [{ kind: kindOfUnplaced(cycle), charge, cycle }];
}

/** A second charge that was given back whole takes no money: nothing is left to settle. */
const isGivenBack = ({ amount, refunded, isVoided }: ListedCharge) => isVoided || refunded >= amount;

function kindOfUnplaced(cycle: AuditedCycle | null): DifferenceKind {
  if (cycle === null) return 'ChargeWithoutCycle';
  if (cycle.state === 'Completed') return cycle.transactionId === null ? 'ChargeWithoutCycle' : 'TwoCharges';
  return ENDED.includes(cycle.state) ? 'ChargedAfterStop' : 'ChargeWithoutCycle';
}

/** What is wrong with the payment of a completed cycle. What the gateway does not say is not compared. */
function kindsOfPaid(charge: ListedCharge, cycle: AuditedCycle): DifferenceKind[] {
  const differs = <T>(theirs: T | null, ours: T | null) => theirs !== null && ours !== null && theirs !== ours;
  const found: readonly (readonly [boolean, DifferenceKind])[] = [
    [charge.installation === 'other', 'ForeignCharge'],
    [charge.dueUtc !== null && secondOf(charge.dueUtc) !== secondOf(cycle.dueUtc), 'OccurrenceDiffers'],
    [differs(charge.amount, cycle.amount), 'AmountDiffers'],
    [differs(charge.currencyIso, cycle.currencyIso), 'CurrencyDiffers'],
    [differs(charge.gatewayCustomerId, cycle.gatewayCustomerId), 'CustomerDiffers'],
    [charge.isVoided, 'Voided'],
    [charge.refunded > 0 && !charge.isVoided, 'RefundUnseen'],
    [charge.isDisputed, 'DisputeUnseen'],
  ];
  return found.flatMap(([is, kind]) => (is ? kind : []));
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}
