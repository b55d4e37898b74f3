import { PaymentDifference, type SettledAs } from '#libs/entities';
import type { PaymentMethodType } from '#libs/gateways';
import { numbers, type SqlExecutor, type Transaction } from '#libs/platform';
import { Conflict, utcSql, view } from '#libs/records';
import { type Failure, failure } from '#libs/rules';
import { DISMISS, HOLDING, LIFT, NAME_HELD_CYCLE, NOT_HELD, REPORT, SETTLE } from '../statements/differences.sql.js';
import { DIFFERENCE_KINDS, type DifferenceKind, WITHOUT_ORDER } from './difference-kinds.js';

/** What one side says of a payment, in wire names. Amounts are minor units. What it does not say is absent. */
export interface PaymentSide {
  readonly TransactionId?: string | null;
  readonly OccurrenceUtc?: string | null;
  readonly Amount?: number | null;
  readonly CurrencyIso?: string | null;
  readonly GatewayCustomerId?: string | null;
  readonly ChargedUtc?: string | null;
  readonly Cycle?: number | null;
  readonly State?: string | null;
  readonly Installation?: string | null;
  readonly Refunded?: number | null;
  readonly ShopOrderId?: string | null;
}

/** Something that a gateway's books, or a shop, and the ledger say differently. */
export interface Difference {
  readonly siteId: number;
  readonly kind: DifferenceKind;
  readonly paymentIntegrationId: number | null;
  readonly paymentMethodType: PaymentMethodType | null;
  readonly transactionId: string | null;
  /** As the charge names it: there may be no such order. */
  readonly scheduledOrderId: number | null;
  readonly cycle: number | null;
  readonly orderId: number | null;
  readonly ours: PaymentSide | null;
  readonly theirs: PaymentSide | null;
}

/** A difference that was not known before. */
export interface Reported {
  readonly id: number;
  readonly kind: DifferenceKind;
  readonly siteId: number;
  readonly scheduledOrderId: number | null;
}

/** By these it is known when it is seen again. */
const factOf = ({ kind, transactionId, scheduledOrderId, cycle, theirs }: Difference): string =>
  (WITHOUT_ORDER.includes(kind)
    ? [transactionId, scheduledOrderId]
    : [transactionId, scheduledOrderId, cycle, theirs?.Refunded]
  )
    .map((part) => part ?? '')
    .join('/');

/**
 * Writes differences down, each once: one that is known already changes nothing, also when it is settled. Of a kind
 * that holds, its order is not charged from the commit on. @returns the new ones.
 */
export async function reportDifference(
  executor: SqlExecutor,
  ...differences: readonly Difference[]
): Promise<Reported[]> {
  if (differences.length === 0) return [];
  const rows = differences.map((one) => ({
    site_id: one.siteId,
    kind: one.kind,
    fact: factOf(one),
    alike: WITHOUT_ORDER.includes(one.kind) ? WITHOUT_ORDER : [one.kind],
    holds: DIFFERENCE_KINDS[one.kind].holds,
    payment_integration_id: one.paymentIntegrationId,
    payment_method_type: one.paymentMethodType,
    gateway_transaction_id: one.transactionId,
    scheduled_order_id: one.scheduledOrderId,
    cycle: one.cycle,
    order_id: one.orderId,
    ours: one.ours,
    theirs: one.theirs,
  }));
  return executor.execute<Reported>(REPORT, [JSON.stringify(rows)]);
}

/**
 * The same of a charge without an Order. One that is known already names from now on the cycle that is held for it, if
 * any: settling it ends that cycle (DISMISS).
 */
export async function reportHeld(tx: Transaction, difference: Difference): Promise<void> {
  await reportDifference(tx, difference);
  const { siteId, cycle } = difference;
  if (cycle !== null) await tx.execute(NAME_HELD_CYCLE, [siteId, factOf(difference), cycle]);
}

/** Why an order is held, for its logs. `kinds`: of its open differences, as the statements give them. */
export const heldFailure = (kinds: string): Failure =>
  failure(
    'PaymentDiffers',
    `A payment of this order is not as the payment gateway has it (${kinds}): the shop settles that before the order is charged again.`,
  );

interface OfOrder {
  readonly id: number;
  readonly siteId: number;
}

export interface Settlement {
  readonly as: SettledAs;
  readonly by: string;
  readonly note: string | null;
}

/**
 * With the difference, and its order, locked. The order goes on when no other one holds it. A cycle that was held for
 * the same charge ends as one that the charge did not pay.
 */
export async function settleDifference(
  tx: Transaction,
  {
    id,
    siteId,
    scheduledOrderId,
  }: { readonly id: number; readonly siteId: number; readonly scheduledOrderId: number | null },
  { as, by, note }: Settlement,
): Promise<void> {
  await tx.execute(SETTLE, [[id], as, by, note]);
  await tx.execute(DISMISS, [id]);
  if (scheduledOrderId !== null) await tx.execute(LIFT, [siteId, scheduledOrderId]);
}

/** An open difference that holds its order. */
export interface HoldingDifference {
  readonly id: number;
  readonly kind: DifferenceKind;
  readonly ours: PaymentSide | null;
  readonly theirs: PaymentSide | null;
  readonly createdUtc: Date;
}

/** What holds an order, the oldest first. */
export const readHolding = (executor: SqlExecutor, { id, siteId }: OfOrder): Promise<HoldingDifference[]> =>
  executor.execute<HoldingDifference>(HOLDING, [siteId, id]);

/**
 * Which of these orders nothing holds, with them locked: what holds an order is settled under its lock. By their ids.
 */
export async function readNotHeld(tx: Transaction, scheduledOrderIds: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await tx.execute<{ id: number }>(NOT_HELD, [numbers(scheduledOrderIds)]);
  return new Set(rows.map(({ id }) => id));
}

/**
 * For Process, with the order locked: a merchant (`by`) accepts what holds the order. `by` null: a customer.
 * @throws Conflict for a customer, while anything holds it.
 */
export async function acceptHolding(tx: Transaction, order: OfOrder, by: string | null): Promise<void> {
  const open = await readHolding(tx, order);
  if (by === null) return refuseWhileHeld(open);
  if (open.length === 0) return;
  await tx.execute(SETTLE, [open.map(({ id }) => id), 'Accepted', by, 'Processed by request.']);
}

/** What a customer's Process is answered. `held`: what holds the order. @throws Conflict where anything does. */
export function refuseWhileHeld(held: readonly HoldingDifference[]): void {
  if (held.length === 0) return;
  throw new Conflict(
    'The shop has to settle an earlier payment of this order first (1009 PaymentDiffers): only a merchant can process it now.',
  );
}

/** A difference as the API shows it (decisions.md §12). */
export const differenceView = view(PaymentDifference, 'payment_differences', [
  'id',
  'siteId',
  'kind',
  'orderId',
  'scheduledOrderId',
  'cycle',
  'paymentIntegrationId',
  'paymentMethodType',
  'gatewayTransactionId',
  { name: 'Ours', sql: (alias) => `${alias}.ours` },
  { name: 'Theirs', sql: (alias) => `${alias}.theirs` },
  'state',
  { name: 'As', sql: (alias) => `${alias}.settled_as` },
  { name: 'By', sql: (alias) => `${alias}.settled_by` },
  'note',
  'createdUtc',
  { name: 'SettledUtc', sql: (alias) => utcSql(`${alias}.settled_utc`) },
]);
