import { type Charge, dueSecond } from '#libs/gateways';

type Names = Pick<Charge, 'installation' | 'scheduledOrderId' | 'dueUtc' | 'attempt'>;

/**
 * Names installation, order, occurrence and attempt. A restored database gives its numbers of cycles out again, but an
 * occurrence has the same key as before, and the gateway recognises it.
 */
export function idempotencyKeyOf({ installation, scheduledOrderId, dueUtc, attempt }: Names): string {
  return [installation, scheduledOrderId, `t${dueSecond({ dueUtc }).toString(36)}`, attempt].join('-');
}

/** The installation that a stored key names. */
export const installationIn = (key: string): string => key.split('-')[0]!;
