import type { GivenBack } from './payment-gateway.js';

/** `how`: what the gateway says of the transaction. */
export const givenBack = (transactionId: string, how: 'refunded' | 'voided'): GivenBack => ({
  kind: 'givenBack',
  transactionId,
  message: 'The payment was given back at the payment gateway. It is not charged again by itself, but when the order is processed.',
  detail: `${transactionId} ${how}`,
});
