import type { ScheduledOrder } from '#libs/entities';
import { NamedValues, Statement, type Transaction } from '#libs/platform';
import { allowGatewayCustomer, type Caller, collectFaults } from '#libs/records';

export const PAYMENT_FIELDS = [
  'paymentMethodType',
  'paymentMethodCustomerId',
  'paymentMethodId',
  'paymentMethodDescription',
] as const;

/** The payment fields of an order, and its owner. */
export type PaymentChoice = Pick<ScheduledOrder, 'siteId' | 'customerId' | (typeof PAYMENT_FIELDS)[number]>;

const KEPT = new NamedValues({
  siteId: 'bigint',
  customerId: 'bigint',
  paymentMethodType: 'text',
  paymentMethodCustomerId: 'text',
  paymentMethodId: 'text',
  paymentMethodDescription: 'text',
});
const { $ } = KEPT;

const KEEP = Statement.named(
  `INSERT INTO payment_methods AS m (site_id, customer_id, type, gateway_customer_id, gateway_payment_id, description)
     VALUES (${$.siteId}, ${$.customerId}, ${$.paymentMethodType}, ${$.paymentMethodCustomerId}, ${$.paymentMethodId}, ${$.paymentMethodDescription})
     ON CONFLICT (customer_id, type, gateway_customer_id, gateway_payment_id) WHERE deleted_utc IS NULL
     DO UPDATE SET description = excluded.description, updated_utc = now()
     WHERE excluded.description IS NOT NULL AND m.description IS DISTINCT FROM excluded.description`,
);

/**
 * Validates the owner of the card and stores the card: a choice with all three ids is also a payment method, one record
 * per customer, type and pair of gateway ids. Its description is updated (decisions.md §3 and §12).
 * @param stored null on creation; unchanged values are not validated again.
 * @throws Forbidden when a Customer token names a gateway customer that the shop has not recorded.
 */
export async function choosePayment(
  tx: Transaction,
  caller: Caller,
  chosen: PaymentChoice,
  stored: PaymentChoice | null,
): Promise<void> {
  if (PAYMENT_FIELDS.every((field) => chosen[field] === (stored?.[field] ?? null))) return;
  const { customerId, paymentMethodType: type, paymentMethodCustomerId, paymentMethodId } = chosen;
  const writes: (() => Promise<unknown>)[] = [];
  if (type !== stored?.paymentMethodType || paymentMethodCustomerId !== stored.paymentMethodCustomerId) {
    const named = { customerId, type, gatewayCustomerId: paymentMethodCustomerId };
    writes.push(() => allowGatewayCustomer(tx, caller, named));
  }
  if (type !== null && paymentMethodCustomerId !== null && paymentMethodId !== null)
    writes.push(() => tx.execute(KEEP, KEPT.values(chosen)));
  await collectFaults(...writes);
}
