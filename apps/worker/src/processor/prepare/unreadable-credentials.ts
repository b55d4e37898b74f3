import type { Logger } from '#libs/config';
import { failure, type Failure } from '#libs/rules';
import type { SealedValueError } from '#libs/vault';

/** An order whose integration this worker cannot read: fit for a customer to read; which key is missing stands in the error log. */
export const sealedFailure = (): Failure =>
  failure(
    'PaymentIntegrationNotFound',
    'The credentials of the payment integration cannot be read with the keys that the service was given.',
  );

/** Says what is wrong, once for all orders that were loaded with the same integration. */
export function logSealed(log: Logger, errors: Iterable<SealedValueError>): void {
  for (const err of new Set(errors))
    log.error({ err }, 'The credentials of a payment integration cannot be read: its orders wait.');
}
