import { type Failure, failure } from './failure-codes.js';

/** What an order is to be paid with, in the names of its entity. */
export interface PayableOrder {
  readonly paymentMethodType: string | null;
  readonly paymentMethodCustomerId: string | null;
  readonly paymentMethodId: string | null;
}

/**
 * Why an order with a total above 0 cannot be charged before a gateway is even asked; null when it can.
 * @param isConnected whether its site has an integration of the order's type. Source: decisions.md §9, 1003 and 1004.
 */
export function paymentProblem(order: PayableOrder, isConnected: boolean): Failure | null {
  const { paymentMethodType, paymentMethodCustomerId, paymentMethodId } = order;
  if (paymentMethodType === null || !paymentMethodCustomerId || !paymentMethodId) {
    return failure('PaymentMethodNull', 'The order has no payment method.');
  }
  if (isConnected) return null;
  return failure('PaymentIntegrationNotFound', `The shop is not connected to ${paymentMethodType}.`);
}
