import { describeFailure, type Failure, shownInstant } from '#libs/rules';

/** Ends the description of an event. */
export const ACTIVE_AGAIN = ' The order is Active again.';

/**
 * What an event says about a failed attempt. After a decline it also says what to do, because a new card alone charges
 * nothing (docs/after-a-charge.md). Customers read it too.
 */
export function describeRetry(why: Failure, nextAttemptUtc: Date): string {
  const description = `${describeFailure(why)} The next try is on ${shownInstant(nextAttemptUtc)}.`;
  if (!isDecline(why)) return description;
  return `${description} To pay with another card, put it on the order; then Process it now, or wait until that time.`;
}

/** @param canBeTakenUp the order is Pending because of it, and Process takes the same occurrence up again. */
export function describeEnd(why: Failure, canBeTakenUp: boolean): string {
  if (!canBeTakenUp || !isDecline(why)) return describeFailure(why);
  return (
    `${describeFailure(why)} It is not tried again: the order is Pending. ` +
    'To pay with another card, put it on the order; then Process it now. Waiting does not help.'
  );
}

const isDecline = ({ name }: Failure): boolean => name === 'PaymentFailed';
