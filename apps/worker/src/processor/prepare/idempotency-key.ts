import { type Charge, dueSecond } from '#libs/gateways';

type Names = Pick<Charge, 'installation' | 'scheduledOrderId' | 'dueUtc' | 'attempt'>;

/**
 * Names installation, order, occurrence and attempt. A restored database gives its numbers of cycles out again, but an
 * occurrence has the same key as before, and the gateway recognises it.
 */
export function idempotencyKeyOf({ installation, scheduledOrderId, dueUtc, attempt }: Names): string {
  return [installation, scheduledOrderId, `t${dueSecond({ dueUtc }).toString(36)}`, attempt].join('-');
}

/**
 * Reads a stored key: the installation, and whether an earlier version made it, which named the number of the cycle.
 */
export function readKey(key: string): { readonly installation: string; readonly namesCycle: boolean } {
  const [installation = '', , occurrence = 't'] = key.split('-');
  return { installation, namesCycle: !occurrence.startsWith('t') };
}
