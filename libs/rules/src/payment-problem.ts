import { type Failure, failure } from './failure-codes.js';

/** The payment fields of an order, with the names of its entity. */
export interface PayableOrder {
  readonly paymentMethodType: string | null;
  readonly paymentMethodCustomerId: string | null;
  readonly paymentMethodId: string | null;
}

/**
 * Why an order with a total above 0 cannot be charged, as far as this is known without a gateway; null when it can.
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
