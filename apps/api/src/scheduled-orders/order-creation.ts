import { columnOf, type ScheduledOrder, siteClockSql } from '#libs/entities';
import { prepared, type Transaction } from '#libs/platform';
import { assertReach, type Caller, collectFaults, isReached, Rejected, SHIPPING_ADDRESS } from '#libs/records';
import { frequencyRule, nextOccurrence } from '#libs/rules';
import { assertProductsNamed, planItems, type PlannedItems } from './items/order-items.js';
import { assertCountryOfNewOrder } from './order-country.js';
import { pricingFor, totalsOf } from './order-rates.js';
import {
  assertActivatable,
  assertCurrency,
  assertDefaultTotals,
  assertFrequency,
  assertShopSet,
  bringsAddress,
  fixedTotal,
  type OrderInput,
  shopsOwn,
} from './order-rules.js';
import { choosePayment, PAYMENT_FIELDS, type PaymentChoice } from './payment-choice.js';

type Address = Pick<ScheduledOrder, (typeof SHIPPING_ADDRESS)[number]>;
type NewOrder = Omit<
  ScheduledOrder,
  | 'id'
  | 'createdUtc'
  | 'updatedUtc'
  | 'deletedUtc'
  | 'lastOccurrenceUtc'
  | 'archivedCycle'
  | 'simulated'
  | 'cancelledUtc'
  | 'externalId'
  | 'cancelReason'
  | 'note'
>;

interface Owner extends Address {
  readonly id: number;
  readonly siteId: number;
  readonly currencyIso: string;
  readonly now: string;
}

/** A new order with all values that its request leaves to the service (decisions.md §2, §6–8). */
export async function planOrder(
  tx: Transaction,
  caller: Caller,
  sent: OrderInput,
): Promise<{ order: NewOrder; planned: PlannedItems }> {
  const items = sent.scheduledOrderItems ?? [];
  const [owner] = await collectFaults(
    () => ownerOf(tx, caller, sent.customerId ?? caller.customerId),
    () => assertSchedule(sent),
    () => sent.currencyIso !== undefined && assertCurrency(sent.currencyIso, null),
    () => assertProductsNamed(items),
  );
  const currencyIso = sent.currencyIso ?? owner.currencyIso;
  assertCurrency(currencyIso, null);
  assertShopSet(caller, sent, { customerId: owner.id, currencyIso: owner.currencyIso, cycles: 0 });
  const address = addressOf(bringsAddress(sent) ? sent : owner);
  const schedule = scheduleOf(sent, new Date(owner.now));
  const choice = choiceOf(owner, sent);
  const [, , planned, pricing] = await collectFaults(
    () => assertCountryOfNewOrder(tx, caller, owner.siteId, address.shippingCountry, owner.shippingCountry),
    () => choosePayment(tx, caller, choice, null),
    () => planItems(tx, caller, owner.siteId, [], items),
    () => pricingFor(tx, { ...address, siteId: owner.siteId, customerId: owner.id }),
  );
  const [shipping, tax] = [totalOf(caller, sent.shippingTotal), totalOf(caller, sent.taxTotal)];
  const order = {
    ...choice,
    ...address,
    ...schedule,
    currencyIso,
    cycles: sent.cycles ?? 0,
    shippingTotal: shipping.value,
    shippingTotalFixed: shipping.fixed,
    taxTotal: tax.value,
    taxTotalFixed: tax.fixed,
  };
  const totals = totalsOf(order, planned.items, pricing);
  assertDefaultTotals(caller, sent, totals);
  return { order: { ...order, ...totals }, planned };
}

/** The customer, locked so that nobody deletes it in the meantime. */
async function ownerOf(tx: Transaction, caller: Caller, customerId: number | null): Promise<Owner> {
  if (customerId === null) throw new Rejected([{ field: 'CustomerId', message: 'is required.' }]);
  if (caller.customerId !== null && customerId !== caller.customerId) throw shopsOwn('CustomerId');
  const statement = prepared('ScheduledOrder.owner', () => {
    const address = SHIPPING_ADDRESS.map((field) => `'${field}', c.${columnOf(field)}`).join(', ');
    return `SELECT json_build_object('id', c.id, 'siteId', c.site_id, 'currencyIso', s.currency_iso, 'now', coalesce(${siteClockSql('s.id')}, clock_timestamp()), ${address}) AS owner,
       ${isReached('c.site_id', '$2::bigint[]')} AS reached
     FROM customers c JOIN sites s ON s.id = c.site_id WHERE c.id = $1 AND c.deleted_utc IS NULL FOR SHARE OF c`;
  });
  const [row] = await tx.execute<{ owner: Owner; reached: boolean }>(statement, [customerId, caller.reach]);
  if (row === undefined) throw new Rejected([{ field: 'CustomerId', message: `There is no Customer ${customerId}.` }]);
  await assertReach(tx, caller, row, `Customer ${customerId}`);
  return row.owner;
}

const addressOf = (from: Partial<Address>) =>
  Object.fromEntries(SHIPPING_ADDRESS.map((field) => [field, from[field] ?? null])) as Address;

const choiceOf = (owner: Owner, sent: OrderInput) =>
  ({
    siteId: owner.siteId,
    customerId: owner.id,
    ...Object.fromEntries(PAYMENT_FIELDS.map((field) => [field, sent[field] ?? null])),
  }) as PaymentChoice;

/** A Customer token's totals are only compared (decisions.md §3). */
const totalOf = (caller: Caller, sent: number | null | undefined) =>
  fixedTotal(caller.scope === 'Customer' ? undefined : sent, null, false);

function assertSchedule({ frequencyType = null, frequency = null, status }: OrderInput): void {
  assertFrequency({ frequencyType, frequency });
  if (status === 'Active') assertActivatable(frequencyType);
}

/** Active with a frequency, else Pending. Occurrences count from now, in whole seconds (decisions.md §6 and §7). */
function scheduleOf(sent: OrderInput, now: Date) {
  const { frequencyType = null, frequency = null } = sent;
  const rule = frequencyRule({ frequencyType, frequency });
  const scheduleAnchorUtc = new Date(Math.floor(now.getTime() / 1000) * 1000);
  const status = sent.status ?? (rule === null ? 'Pending' : 'Active');
  return {
    status,
    frequencyType,
    frequency,
    scheduleAnchorUtc,
    replacedOccurrenceUtc: null,
    processRequestedUtc: null,
    nextOccurrenceUtc: rule === null ? null : nextOccurrence(rule, scheduleAnchorUtc, scheduleAnchorUtc),
  };
}
