/** Why processing an order fails, by name. Source: decisions.md §9. */
export const FAILURE_CODES = {
  EmptyScheduledOrder: { code: 1000, name: 'EmptyScheduledOrder' },
  NoItemsToShip: { code: 1001, name: 'NoItemsToShip' },
  ShippingRateNotFound: { code: 1002, name: 'ShippingRateNotFound' },
  PaymentIntegrationNotFound: { code: 1003, name: 'PaymentIntegrationNotFound' },
  PaymentMethodNull: { code: 1004, name: 'PaymentMethodNull' },
  AmountNotChargeable: { code: 1005, name: 'AmountNotChargeable' },
  PaymentDiffers: { code: 1009, name: 'PaymentDiffers' },
  NotPushable: { code: 1010, name: 'NotPushable' },
  PaymentFailed: { code: 2000, name: 'PaymentFailed' },
  GatewayCommunicationFailed: { code: 2001, name: 'GatewayCommunicationFailed' },
  Unknown: { code: 99, name: 'Unknown' },
} as const;

/** With these a cycle is held: nothing is charged until what they name is settled. */
export const HOLDING: readonly number[] = [FAILURE_CODES.PaymentDiffers.code, FAILURE_CODES.NotPushable.code];

export type FailureName = keyof typeof FAILURE_CODES;
export type FailureCode = (typeof FAILURE_CODES)[FailureName]['code'];

/** A failure that happened or would happen. `message` is a sentence for the shop. */
export interface Failure {
  readonly code: FailureCode;
  readonly name: FailureName;
  readonly message: string;
}

export const failure = (name: FailureName, message: string): Failure => ({ ...FAILURE_CODES[name], message });

/** The beginning of log descriptions: `2000 PaymentFailed: ` and the message (decisions.md §9). */
export const describeFailure = ({ code, name, message }: Failure): string => `${code} ${name}: ${message}`;

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
