import type { FoundCharge } from '#libs/gateways';
import type { DifferenceKind, PaymentSide } from '#libs/ledger';

/** A charge as the gateway's list has it. */
export type ListedCharge = Omit<FoundCharge, 'attempt' | 'cycle'>;

/** A row of the ledger, with what its Order says of the payment. */
export interface AuditedCycle {
  readonly scheduledOrderId: number;
  readonly cycle: number;
  readonly state: string;
  readonly dueUtc: Date;
  readonly transactionId: string | null;
  readonly orderId: number | null;
  /** What was sent, in minor units. */
  readonly amount: number | null;
  /** What its Order says: a look-up may have found another amount than was sent. */
  readonly orderAmount: number | null;
  readonly currencyIso: string | null;
  readonly gatewayCustomerId: string | null;
  /** A sending of it may still arrive: it is looked up before the next attempt is sent. */
  readonly mayArrive: boolean;
}

/** A disagreement: what it is about, of each side. */
export interface Disagreement {
  readonly kind: DifferenceKind;
  readonly charge: ListedCharge | null;
  readonly cycle: AuditedCycle | null;
}

/** What an audit compares: charges of a list, and the cycles that they name or have paid. */
export interface Books {
  readonly charges: readonly ListedCharge[];
  readonly cycles: readonly AuditedCycle[];
}

export interface Compared {
  readonly differences: readonly Disagreement[];
  /**
   * Charges that the gateway has not decided, or whose cycles have no outcome yet: they are compared again when there
   * is one.
   */
  readonly open: readonly ListedCharge[];
}

/** States in which the outcome of an attempt is still to be recorded: whatever the gateway has may be it. */
const IN_FLIGHT = ['Claimed', 'Charging', 'Unknown'];
/** States in which the ledger has given up the occurrence. */
const ENDED = ['Failed', 'Skipped'];

const secondOf = (date: Date) => Math.floor(date.getTime() / 1000);

/**
 * Everything that the two say differently; decisions.md §9. Read the cycles after the charges: an attempt is in the
 * ledger before it is sent, so a charge that is listed has its cycle by then, or never will.
 */
export function differencesOf({ charges, cycles }: Books): Compared {
  const ofOrder = groupBy(cycles, ({ scheduledOrderId }) => scheduledOrderId);
  const paidBy = groupBy(
    cycles.filter(({ state }) => state === 'Completed'),
    ({ transactionId }) => transactionId,
  );
  const compared = charges.map((charge) =>
    ofCharge(charge, paidBy.get(charge.transactionId) ?? [], ofOrder.get(charge.scheduledOrderId) ?? []),
  );
  const open = compared.flatMap((one) => (Array.isArray(one) ? [] : one));
  return {
    differences: [...compared.flatMap((one) => (Array.isArray(one) ? one : [])), ...secondOnes(open)],
    open: open.map(({ charge }) => charge),
  };
}

/** A completed cycle whose payment the gateway does not have. */
export const unpaid = (cycle: AuditedCycle): Disagreement => ({ kind: 'CycleWithoutCharge', charge: null, cycle });

/** A charge whose cycle is in flight, or that may never take money. */
interface Open {
  readonly charge: ListedCharge;
  /** Null: its cycle is not, but the gateway has not decided the charge. */
  readonly inFlight: AuditedCycle | null;
}

function ofCharge(
  charge: ListedCharge,
  paid: readonly AuditedCycle[],
  cycles: readonly AuditedCycle[],
): Disagreement[] | Open {
  const [first, second] = paid;
  if (second !== undefined) return [{ kind: 'TransactionTwice', charge, cycle: second }];
  if (first !== undefined) return kindsOfPaid(charge, first).map((kind) => ({ kind, charge, cycle: first }));
  if (charge.installation !== 'this' || charge.dueUtc === null || isGivenBack(charge)) return [];
  const due = secondOf(charge.dueUtc);
  const named = cycles.filter(({ dueUtc }) => secondOf(dueUtc) === due);
  const inFlight = named.find(isInFlight);
  if (inFlight !== undefined) return { charge, inFlight };
  const cycle = named.find(({ state }) => state === 'Completed') ?? named[0] ?? null;
  const kind = kindOfUnplaced(cycle);
  if (!charge.isCharged && kind !== 'TwoCharges') return { charge, inFlight: null };
  return [{ kind, charge, cycle }];
}

const isInFlight = ({ state, mayArrive }: AuditedCycle): boolean =>
  IN_FLIGHT.includes(state) || (state === 'Retrying' && mayArrive);

/** Whatever becomes of a cycle in flight, it is paid by one charge. The oldest one is the likely one. */
function secondOnes(open: readonly Open[]): Disagreement[] {
  const placed = open.flatMap(({ charge, inFlight: cycle }) => (cycle === null ? [] : { charge, cycle }));
  const byCycle = groupBy(placed, ({ cycle }) => `${cycle.scheduledOrderId}/${cycle.cycle}`);
  return [...byCycle.values()].flatMap((ofCycle) =>
    [...ofCycle]
      .sort((one, other) => one.charge.chargedUtc.getTime() - other.charge.chargedUtc.getTime())
      .slice(1)
      .map((second) => ({ kind: 'TwoCharges' as const, ...second })),
  );
}

/** A second charge that was given back whole takes no money: nothing is left to settle. */
const isGivenBack = ({ amount, refunded, isVoided }: ListedCharge) => isVoided || refunded >= amount;

/** What it means that a charge has no Order. `cycle`: of the occurrence that it names. */
export function kindOfUnplaced(cycle: Pick<AuditedCycle, 'state' | 'transactionId'> | null): DifferenceKind {
  if (cycle === null) return 'ChargeWithoutCycle';
  if (cycle.state === 'Completed') return cycle.transactionId === null ? 'ChargeWithoutCycle' : 'TwoCharges';
  return ENDED.includes(cycle.state) ? 'ChargedAfterStop' : 'ChargeWithoutCycle';
}

/** What is wrong with the payment of a completed cycle. What the gateway does not say is not compared. */
function kindsOfPaid(charge: ListedCharge, cycle: AuditedCycle): DifferenceKind[] {
  const differs = <T>(theirs: T | null, ours: T | null) => theirs !== null && ours !== null && theirs !== ours;
  const found: readonly (readonly [boolean, DifferenceKind])[] = [
    [charge.installation === 'other', 'ForeignCharge'],
    [isOfAnother(charge, cycle), 'OccurrenceDiffers'],
    [!charge.isVoided && differs(charge.amount, cycle.amount) && charge.amount !== cycle.orderAmount, 'AmountDiffers'],
    [differs(charge.currencyIso, cycle.currencyIso), 'CurrencyDiffers'],
    [differs(charge.gatewayCustomerId, cycle.gatewayCustomerId), 'CustomerDiffers'],
    [charge.isVoided, 'Voided'],
    [charge.refunded > 0 && !charge.isVoided, 'RefundUnseen'],
    [charge.isDisputed, 'DisputeUnseen'],
  ];
  return found.flatMap(([is, kind]) => (is ? kind : []));
}

/** Whether it names another occurrence than the one that it has paid. */
const isOfAnother = (charge: ListedCharge, cycle: AuditedCycle) =>
  charge.dueUtc !== null &&
  (charge.scheduledOrderId !== cycle.scheduledOrderId || secondOf(charge.dueUtc) !== secondOf(cycle.dueUtc));

function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/** What the gateway's list says of a charge. */
export const theirSide = (charge: ListedCharge): PaymentSide => ({
  TransactionId: charge.transactionId,
  OccurrenceUtc: charge.dueUtc?.toISOString() ?? null,
  Installation: charge.installation,
  Amount: charge.amount,
  CurrencyIso: charge.currencyIso,
  GatewayCustomerId: charge.gatewayCustomerId,
  ChargedUtc: charge.chargedUtc.toISOString(),
});
