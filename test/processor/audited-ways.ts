import type { Charge, PaymentMethodType } from '#libs/gateways';
import type { Books } from './audited-books.js';

/** An order that was charged once, and all is well with it. */
export interface Paid {
  readonly id: number;
  /** Another order of the shop. */
  readonly otherId: number;
  readonly transactionId: string;
  readonly dueUtc: Date;
  readonly installation: string;
  readonly books: Books;
  /** $1 is the order's id. */
  readonly sql: (statement: string) => Promise<unknown>;
  /** Charges the order's occurrence once more, past this service. @returns the transaction. */
  readonly again: (about?: Partial<Charge>) => Promise<string>;
  /** At GatewayTwo, as the next one. */
  readonly void: (transactionId: string) => void;
  /** Its batch, which has nothing else. */
  readonly settle: (transactionId: string) => void;
}

/**
 * A way in which books may differ. `plant` may return the order that the difference names, where it is another one. The
 * kinds are all that may be reported of the order.
 */
export interface Way {
  readonly what: string;
  readonly plant: (paid: Paid) => unknown;
  readonly kinds: readonly string[];
  readonly only?: PaymentMethodType;
}

const way = (what: string, kinds: string, plant: Way['plant'], only?: PaymentMethodType): Way => ({
  what,
  kinds: kinds.split(' '),
  plant,
  ...(only && { only }),
});

const DAY_MS = 86_400_000;
const later = (date: Date) => new Date(date.getTime() + DAY_MS);

/** As if its Order had never been written. */
async function unpay({ sql }: Paid): Promise<void> {
  await sql(`DELETE FROM order_items WHERE order_id IN (SELECT o.id FROM orders o WHERE o.scheduled_order_id = $1)`);
  await sql(`DELETE FROM orders WHERE scheduled_order_id = $1`);
}

const becomes = (state: string) => async (paid: Paid) => {
  const isOpen = ['Retrying', 'Waiting', 'Unknown'].includes(state);
  await unpay(paid);
  await paid.sql(`UPDATE processing_cycles SET state = '${state}', open = ${isOpen}, gateway_transaction_id = NULL, order_id = NULL,
    ${isOpen ? `next_attempt_utc = now() + interval '1 day'` : 'ended_utc = now()'} WHERE scheduled_order_id = $1`);
};

const setTransaction = async ({ sql }: Paid, transactionId: string) => {
  await sql(`UPDATE orders SET gateway_transaction_id = ${transactionId} WHERE scheduled_order_id = $1`);
  await sql(`UPDATE processing_cycles SET gateway_transaction_id = ${transactionId} WHERE scheduled_order_id = $1`);
};

const addCycle = ({ sql }: Paid, days: number, more = '') =>
  sql(`INSERT INTO processing_cycles SELECT (jsonb_populate_record(c, jsonb_build_object('cycle', c.cycle + 1,
    'due_utc', c.due_utc + interval '${days} days') ${more})).* FROM processing_cycles c WHERE c.scheduled_order_id = $1`);

const set = (assignment: string) => (paid: Paid) =>
  paid.sql(`UPDATE processing_cycles SET ${assignment} WHERE scheduled_order_id = $1`);

const SKIPPED = `|| '{"state": "Skipped", "gateway_transaction_id": null, "order_id": null}'`;

export const WAYS: readonly Way[] = [
  way('its cycle and its Order are gone', 'ChargeWithoutCycle', async (paid) => {
    await unpay(paid);
    await paid.sql(`DELETE FROM processing_cycles WHERE scheduled_order_id = $1`);
  }),
  way('a charge for an occurrence that never was', 'ChargeWithoutCycle', ({ again, dueUtc }) =>
    again({ dueUtc: later(dueUtc) }),
  ),
  way('a charge of an order that does not exist', 'ChargeWithoutCycle', async ({ again, id }) => {
    await again({ scheduledOrderId: id + 1_000_000 });
    return id + 1_000_000;
  }),
  way('a charge of a cycle that is to be tried again', 'ChargeWithoutCycle', becomes('Retrying')),
  way('a charge of a cycle that waits', 'ChargeWithoutCycle', becomes('Waiting')),
  way('a charge where nothing was to be paid', 'ChargeWithoutCycle', async (paid) => {
    await setTransaction(paid, 'NULL');
    await set('amount = 0')(paid);
  }),
  way('its capture is gone', 'CycleWithoutCharge', ({ books, transactionId }) => books.remove(transactionId)),
  way('it has a transaction that does not exist', 'CycleWithoutCharge TwoCharges', (paid) =>
    setTransaction(paid, `'999' || $1::bigint`),
  ),
  way('it has no transaction', 'ChargeWithoutCycle CycleWithoutCharge', (paid) => setTransaction(paid, 'NULL')),
  way('a second charge under a foreign key', 'TwoCharges', ({ again }) => again()),
  way('a second charge of another amount', 'TwoCharges', ({ again }) => again({ amount: 9_999 })),
  way('a second charge of another customer', 'TwoCharges', ({ again }) => again({ gatewayCustomerId: '777' })),
  way('a second charge of another card', 'TwoCharges', ({ again }) => again({ gatewayPaymentId: '2002' })),
  way('a second charge, refunded in part', 'TwoCharges', async ({ again, books }) => books.refund(await again(), 1)),
  way('a second charge that is disputed', 'TwoCharges', async ({ again, books }) => books.dispute(await again())),
  way('a second charge that is not decided yet', 'TwoCharges', ({ again, books }) => {
    books.hesitate();
    return again();
  }),
  way('two charges while the outcome is unknown', 'TwoCharges', async (paid) => {
    await becomes('Unknown')(paid);
    await paid.again();
  }),
  way('one transaction on the next cycle, too', 'TransactionTwice', (paid) => addCycle(paid, 1)),
  way('one transaction on an earlier occurrence, too', 'TransactionTwice', (paid) => addCycle(paid, -30)),
  way('its cycle ended as skipped', 'ChargedAfterStop', becomes('Skipped')),
  way('its cycle ended as failed', 'ChargedAfterStop', becomes('Failed')),
  way('a charge for the next occurrence, which was skipped', 'ChargedAfterStop', async (paid) => {
    await addCycle(paid, 1, SKIPPED);
    await paid.again({ dueUtc: later(paid.dueUtc) });
  }),
  way('more was charged', 'AmountDiffers', ({ books, transactionId }) =>
    books.change(transactionId, { amount: 1_251 }),
  ),
  way('less was charged', 'AmountDiffers', ({ books, transactionId }) => books.change(transactionId, { amount: 125 })),
  way('the Order has another amount', 'AmountDiffers', async (paid) => {
    await paid.sql(`UPDATE orders SET total = 13 WHERE scheduled_order_id = $1`);
    await set('amount = 1300')(paid);
  }),
  way(
    'another currency was charged',
    'CurrencyDiffers',
    ({ books, transactionId }) => books.change(transactionId, { currency: 'eur' }),
    'GatewayOne',
  ),
  way('the ledger has another currency', 'CurrencyDiffers', set(`currency_iso = 'EUR'`), 'GatewayOne'),
  way('another customer was charged', 'CustomerDiffers', ({ books, transactionId }) =>
    books.change(transactionId, { customer: '777' }),
  ),
  way('the ledger has another customer', 'CustomerDiffers', set(`gateway_customer_id = '778'`)),
  way('its charge names another occurrence', 'OccurrenceDiffers', ({ books, transactionId, dueUtc, ...paid }) =>
    books.rename(transactionId, { ...named(paid), dueUtc: later(dueUtc) }),
  ),
  way('its charge names another order', 'OccurrenceDiffers', ({ books, transactionId, otherId, ...paid }) =>
    books.rename(transactionId, { ...named(paid), dueUtc: paid.dueUtc, scheduledOrderId: otherId }),
  ),
  way('the ledger has another occurrence', 'OccurrenceDiffers', set(`due_utc = due_utc - interval '1 day'`)),
  way('its charge names another installation', 'ForeignCharge', ({ books, transactionId, ...paid }) =>
    books.rename(transactionId, { ...named(paid), dueUtc: paid.dueUtc, installation: 'another' }),
  ),
  way('its charge names another installation and occurrence', 'ForeignCharge OccurrenceDiffers', (paid) =>
    paid.books.rename(paid.transactionId, { ...named(paid), dueUtc: later(paid.dueUtc), installation: 'another' }),
  ),
  way('the charge of another installation stands for its own', 'ForeignCharge', async (paid) => {
    const theirs = await paid.again({ installation: 'another', gatewayCustomerId: '1001' });
    paid.books.remove(paid.transactionId);
    await set(`gateway_customer_id = '1001'`)(paid);
    await setTransaction(paid, `'${theirs}'`);
  }),
  way('its charge was voided', 'Voided', (paid) => paid.void(paid.transactionId), 'GatewayTwo'),
  way(
    'its charge was voided before its batch was settled',
    'Voided',
    (paid) => {
      paid.void(paid.transactionId);
      paid.settle(paid.transactionId);
    },
    'GatewayTwo',
  ),
  way(
    'its charge was voided, and was of another customer and amount',
    'CustomerDiffers Voided',
    (paid) => {
      paid.void(paid.transactionId);
      paid.books.change(paid.transactionId, { amount: 125, customer: '777' });
    },
    'GatewayTwo',
  ),
  way('its charge was refunded in part', 'RefundUnseen', ({ books, transactionId }) => books.refund(transactionId, 1)),
  way('its charge was refunded', 'RefundUnseen', ({ books, transactionId }) => books.refund(transactionId)),
  way('its charge was refunded in parts', 'RefundUnseen', ({ books, transactionId }) => {
    books.refund(transactionId, 1_000);
    books.refund(transactionId, 250);
  }),
  way('its charge is disputed', 'DisputeUnseen', ({ books, transactionId }) => books.dispute(transactionId)),
  way('its charge was refunded in part, and is disputed', 'DisputeUnseen RefundUnseen', ({ books, transactionId }) => {
    books.refund(transactionId, 1);
    books.dispute(transactionId);
  }),
];

const named = ({ id, installation }: Pick<Paid, 'id' | 'installation'>) => ({ scheduledOrderId: id, installation });
