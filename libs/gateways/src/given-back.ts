import type { GivenBack } from './payment-gateway.js';

/** `how`: what the gateway says of the transaction. */
export const givenBack = (transactionId: string, how: 'refunded' | 'voided'): GivenBack => ({
  kind: 'givenBack',
  transactionId,
  message:
    'The payment was given back at the payment gateway. Nothing is charged again before somebody processes the order.',
  detail: `${transactionId} ${how}`,
});
