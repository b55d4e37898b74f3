import type { ChargeOutcome, GivenBack } from './payment-gateway.js';

/** `how`: what the gateway says of the transaction. */
export const givenBack = (transactionId: string, how: 'refunded' | 'voided'): GivenBack => ({
  kind: 'givenBack',
  transactionId,
  message:
    'The payment was given back at the payment gateway. Nothing is charged again before somebody processes the order.',
  detail: `${transactionId} ${how}`,
});

/**
 * It was charged, and whether it was given back could not be read (`why`): the next look-up goes on from the
 * transaction.
 */
export const refundsUnread = (
  transactionId: string,
  { message, ...why }: { readonly message: string; readonly detail?: string | undefined },
): Extract<ChargeOutcome, { kind: 'unknown' }> => ({
  kind: 'unknown',
  repeatable: false,
  message,
  detail: why.detail,
  transactionId,
});
