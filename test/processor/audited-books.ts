import { dueSecond } from '#libs/gateways';
import type { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';

/** What a charge names. */
interface Named {
  readonly scheduledOrderId: number;
  readonly dueUtc: Date;
  readonly installation: string;
}

/**
 * What happens to a payment at its gateway, in minor units of two decimals; or what no gateway does, but books may
 * show.
 */
export interface Books {
  refund(transactionId: string, amount?: number): void;
  dispute(transactionId: string): void;
  change(transactionId: string, about: { amount?: number; customer?: string; currency?: string }): void;
  rename(transactionId: string, named: Named): unknown;
  remove(transactionId: string): void;
  /** The next charge is not decided at once. */
  hesitate(): void;
}

export const booksOfOne = (one: StripeStandIn): Books => ({
  refund: (transactionId, amount) => one.refund(transactionId, amount),
  dispute: (transactionId) => one.dispute(transactionId),
  change: (transactionId, { amount, customer, currency }) =>
    one.falsify(transactionId, {
      ...(amount !== undefined && { amount_received: amount }),
      ...(customer !== undefined && { customer }),
      ...(currency !== undefined && { currency }),
    }),
  rename: (transactionId, { scheduledOrderId, dueUtc, installation }) =>
    one.falsify(transactionId, {
      metadata: {
        scheduled_order_id: String(scheduledOrderId),
        due_utc: new Date(dueSecond({ dueUtc }) * 1_000).toISOString(),
        installation,
      },
    }),
  remove: (transactionId) => one.falsify(transactionId, null),
  hesitate: () => one.faults.next('undecided'),
});

const decimal = (amount: number) => (amount / 100).toFixed(2);

/** `decline`: a charge that is declined, and takes nothing, has the invoice number of what it names. */
export const booksOfTwo = (two: AuthorizeNetStandIn, decline: (named: Named) => Promise<unknown>): Books => ({
  refund: (transactionId, amount) => two.refund(transactionId, amount === undefined ? undefined : decimal(amount)),
  dispute: (transactionId) => two.dispute(transactionId),
  change: (transactionId, { amount, customer }) =>
    two.falsify(transactionId, {
      ...(amount !== undefined && { amount: decimal(amount) }),
      ...(customer !== undefined && { customerProfileId: customer }),
    }),
  rename: async (transactionId, named) => {
    await decline(named);
    two.falsify(transactionId, { invoiceNumber: two.invoiceNumbers.at(-1)! });
  },
  remove: (transactionId) => two.falsify(transactionId, null),
  hesitate: () => two.faults.next('undecided'),
});
