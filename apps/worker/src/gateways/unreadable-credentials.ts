import type { DecryptionError, Logger } from '#libs/platform';
import { type Failure, failure } from '#libs/rules';

/**
 * The failure of an order whose integration has unreadable credentials. A customer may read it; the error log says
 * which key is missing.
 */
export const unreadableFailure = (): Failure =>
  failure(
    'PaymentIntegrationNotFound',
    'The credentials of the payment integration cannot be decrypted with the keys that the service has.',
  );

/** Logs what is wrong, once for all orders that were loaded with the same integration. */
export function logUnreadable(log: Logger, errors: Iterable<DecryptionError>): void {
  for (const err of new Set(errors))
    log.error({ err }, 'The credentials of a payment integration cannot be read: its orders wait.');
}
