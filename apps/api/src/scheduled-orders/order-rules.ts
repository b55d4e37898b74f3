import type { ScheduledOrder } from '#libs/entities';
import { type Caller, Forbidden, Rejected, SHIPPING_ADDRESS, wireName } from '#libs/records';
import { currencyFault, frequencyFault, type Status } from '#libs/rules';
import type { ScheduledOrderDto } from '../contract/orders/scheduled-order.dto.js';
import type { Input } from '../http/parameters/parameters.js';

/** A request to create or change an order. `externalId`: the header of a creation. */
export type OrderInput = Input<ScheduledOrderDto> & Partial<Pick<ScheduledOrder, 'externalId'>>;

type Totals = Pick<ScheduledOrder, 'shippingTotal' | 'taxTotal'>;

const rejected = (field: string, message: string) => new Rejected([{ field, message }]);

/** FrequencyType and Frequency need each other. Validates the merged record (decisions.md §6). */
export function assertFrequency({ frequencyType, frequency }: Pick<ScheduledOrder, 'frequencyType' | 'frequency'>) {
  const fault = frequencyFault(frequencyType, frequency);
  if (fault !== null) throw rejected('Frequency', fault);
}

/** @throws Rejected when an order without a frequency should become Active (decisions.md §6). */
export function assertActivatable(frequencyType: string | null): void {
  if (frequencyType === null) throw rejected('Status', 'Active needs a frequency: send FrequencyType and Frequency.');
}

/**
 * @param stored what the order has, which stays; null on creation.
 * @throws Rejected for a code that ISO 4217 does not have, or has no more.
 */
export function assertCurrency(currencyIso: string, stored: string | null): void {
  const fault = currencyIso === stored ? null : currencyFault(currencyIso);
  if (fault !== null) throw rejected('CurrencyIso', fault);
}

/** The fields of an order that only the shop sets (decisions.md §3), by their names in code. */
export type ShopSet = Pick<ScheduledOrder, 'customerId' | 'currencyIso' | 'cycles'>;

/** A Customer token may repeat the stored or default value, but not change it. */
export function assertShopSet(caller: Caller, sent: OrderInput, standing: ShopSet): void {
  if (caller.scope === 'Merchant') return;
  for (const field of ['customerId', 'currencyIso', 'cycles'] as const) {
    if (sent[field] !== undefined && sent[field] !== standing[field]) throw shopsOwn(wireName(field));
  }
}

export const shopsOwn = (field: string) => new Forbidden(`${field} is the shop's: a Customer token may not change it.`);

/**
 * On creation a Customer token may send the totals that are calculated anyway, but cannot set others (decisions.md §3).
 */
export function assertDefaultTotals(caller: Caller, sent: OrderInput, totals: Totals): void {
  if (caller.scope === 'Merchant') return;
  for (const field of ['shippingTotal', 'taxTotal'] as const) {
    if (sent[field] != null && sent[field] !== totals[field]) throw shopsOwn(wireName(field));
  }
}

/** The same for the totals of an existing record. Null would make a fixed total calculated again. */
export function assertStandingTotals(caller: Caller, sent: OrderInput, stored: ScheduledOrder): void {
  if (caller.scope === 'Merchant') return;
  for (const field of ['shippingTotal', 'taxTotal'] as const) {
    const isHarmless = sent[field] === null && !stored[`${field}Fixed`];
    if (sent[field] !== undefined && sent[field] !== stored[field] && !isHarmless) throw shopsOwn(wireName(field));
  }
}

/** Whether a creation has its own address and does not use the customer's (decisions.md §2). */
export const bringsAddress = (sent: OrderInput) => SHIPPING_ADDRESS.some((field) => sent[field] != null);

/** Status changes (from → to) that a Customer token may request. All others need a Merchant token (decisions.md §7). */
const CUSTOMERS_TRANSITIONS = new Set(['Active → Paused', 'Paused → Active', 'Pending → Active', 'Pending → Paused']);

/** @throws Forbidden when a Customer token asks for a change that only the merchant may make. */
function assertTransition(caller: Caller, from: Status, to: Status): void {
  if (caller.scope === 'Merchant' || from === to || CUSTOMERS_TRANSITIONS.has(`${from} → ${to}`)) return;
  throw new Forbidden(`Only the merchant may change the Status from ${from} to ${to}.`);
}

/**
 * @param frequencyType what the order will have.
 * @throws Forbidden like assertTransition. Rejected when it would become Active without a frequency.
 */
export function assertStatusChange(caller: Caller, from: Status, to: Status, frequencyType: string | null): void {
  assertTransition(caller, from, to);
  if (to === 'Active' && from !== 'Active') assertActivatable(frequencyType);
}

/** A total that the shop fixes, or makes calculated again (decisions.md §8). */
export interface FixedTotal {
  readonly value: number;
  readonly fixed: boolean;
}

/** @param stored null on creation; every sent value differs from it. */
export function fixedTotal(
  sent: number | null | undefined,
  stored: FixedTotal | null,
  currencyChanged: boolean,
): FixedTotal {
  if (typeof sent === 'number' && sent !== stored?.value) return { value: sent, fixed: true };
  if (sent === null || stored === null || currencyChanged) return { value: stored?.value ?? 0, fixed: false };
  return stored;
}
