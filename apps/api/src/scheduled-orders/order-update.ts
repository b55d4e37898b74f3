import type { ScheduledOrder } from '#libs/entities';
import { becomeActive, becomeInactive, changeFrequency, refuseCancelled } from '#libs/ledger';
import type { Transaction } from '#libs/platform';
import { assertShippingCountry, type Caller, collectFaults, Conflict, Rejected, SHIPPING_ADDRESS } from '#libs/records';
import type { ItemWithProduct } from './items/item-rules.js';
import { changesItems, planItems, type PlannedItems } from './items/order-items.js';
import { type Pricing, pricingFor, totalsOf } from './order-rates.js';
import {
  assertCurrency,
  assertFrequency,
  assertShopSet,
  assertStandingTotals,
  assertStatusChange,
  fixedTotal,
  type OrderInput,
} from './order-rules.js';
import { choosePayment, PAYMENT_FIELDS } from './payment-choice.js';

/** The changes of a PUT to a locked order; `changes` is empty when there are none. */
export interface PlannedUpdate {
  readonly changes: Partial<ScheduledOrder>;
  readonly planned: PlannedItems | null;
}

const PLAIN = ['currencyIso', 'cycles', ...PAYMENT_FIELDS, ...SHIPPING_ADDRESS] as const;

/** A locked order, and the database's present time. */
export interface Locked {
  readonly order: ScheduledOrder;
  readonly items: readonly ItemWithProduct[];
  readonly now: Date;
}

/** @throws Conflict for a stale write, and while a cycle of the order forbids the change. Rejected. Forbidden. */
export async function planUpdate(
  tx: Transaction,
  caller: Caller,
  { order: stored, items, now }: Locked,
  sent: OrderInput,
): Promise<PlannedUpdate> {
  assertFresh(stored, sent);
  assertShopSet(caller, sent, stored);
  assertStandingTotals(caller, sent, stored);
  const merged: ScheduledOrder = { ...stored };
  for (const field of PLAIN) if (sent[field] !== undefined) Object.assign(merged, { [field]: sent[field] });
  const [planned, pricing] = await collectFaults(
    () => planItems(tx, caller, stored.siteId, items, sent.scheduledOrderItems ?? []),
    () => pricingFor(tx, merged),
    () => assertSameCustomer(caller, stored, sent),
    () => assertCurrency(merged.currencyIso, stored.currencyIso),
    () => assertShippingCountry(caller, merged.shippingCountry, stored.shippingCountry),
    () => applySchedule(tx, caller, stored, sent, merged, now),
    () => choosePayment(tx, caller, merged, stored),
  );
  applyFixedTotals(caller, stored, sent, merged);
  Object.assign(merged, newTotals(merged, planned.items, pricing, sent));
  return { changes: differences(stored, merged), planned: changesItems(planned, items) ? planned : null };
}

/** What a price is made of besides rates. */
const PRICED_BY = [
  ...SHIPPING_ADDRESS,
  'scheduledOrderItems',
  'currencyIso',
  'cycles',
  'shippingTotal',
  'taxTotal',
] as const;

/** An order that cannot be priced any more, because rates have changed since, can still be paused. */
function newTotals(merged: ScheduledOrder, items: readonly ItemWithProduct[], pricing: Pricing, sent: OrderInput) {
  try {
    return totalsOf(merged, items, pricing);
  } catch (error) {
    if (error instanceof Rejected && PRICED_BY.every((field) => sent[field] === undefined)) return {};
    throw error;
  }
}

/** The client read the record before a change by another request or by the processor (decisions.md §2). */
function assertFresh({ id, updatedUtc }: ScheduledOrder, sent: OrderInput): void {
  if (sent.updatedUtc == null || sent.updatedUtc.getTime() === updatedUtc.getTime()) return;
  throw new Conflict(
    `Scheduled order ${id} changed at ${updatedUtc.toISOString()}, after it was read: read it again and decide again.`,
  );
}

function assertSameCustomer(caller: Caller, { customerId }: ScheduledOrder, sent: OrderInput): void {
  if (caller.scope === 'Customer' || sent.customerId === undefined || sent.customerId === customerId) return;
  const message = `A scheduled order stays with its customer ${customerId}: leave it out.`;
  throw new Rejected([{ field: 'CustomerId', message }]);
}

/**
 * Frequency comes before status, because an order may get its frequency and become Active in one request (decisions.md
 * §6 and §7).
 */
async function applySchedule(
  tx: Transaction,
  caller: Caller,
  stored: ScheduledOrder,
  sent: OrderInput,
  merged: ScheduledOrder,
  now: Date,
): Promise<void> {
  const { frequencyType = stored.frequencyType, frequency = stored.frequency } = sent;
  assertFrequency({ frequencyType, frequency });
  const isNewFrequency = frequencyType !== stored.frequencyType || frequency !== stored.frequency;
  const wanted = sent.status === stored.status ? undefined : sent.status;
  const target = wanted ?? (isNewFrequency && frequencyType === null ? 'Pending' : stored.status);
  assertStatusChange(caller, stored.status, target, frequencyType);
  if (isNewFrequency || target !== stored.status) refuseCancelled(stored);
  if (isNewFrequency) {
    Object.assign(merged, { frequencyType, frequency });
    Object.assign(merged, await changeFrequency(tx, merged, now));
  }
  if (target === merged.status) return;
  const change = target === 'Active' ? becomeActive(tx, merged, now) : becomeInactive(tx, merged, target, now);
  Object.assign(merged, await change);
}

function applyFixedTotals(caller: Caller, stored: ScheduledOrder, sent: OrderInput, merged: ScheduledOrder): void {
  const { shippingTotal, taxTotal } = caller.scope === 'Merchant' ? sent : {};
  const moved = merged.currencyIso !== stored.currencyIso;
  const shipping = fixedTotal(shippingTotal, { value: stored.shippingTotal, fixed: stored.shippingTotalFixed }, moved);
  const tax = fixedTotal(taxTotal, { value: stored.taxTotal, fixed: stored.taxTotalFixed }, moved);
  Object.assign(merged, {
    shippingTotal: shipping.value,
    shippingTotalFixed: shipping.fixed,
    taxTotal: tax.value,
    taxTotalFixed: tax.fixed,
  });
}

function differences(stored: ScheduledOrder, merged: ScheduledOrder): Partial<ScheduledOrder> {
  const same = (one: unknown, other: unknown) =>
    one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;
  return Object.fromEntries(
    Object.entries(merged).filter(([field, value]) => !same(value, stored[field as keyof ScheduledOrder])),
  );
}
