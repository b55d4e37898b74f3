import type { Caller } from '#libs/records';
import type { CallLimit } from '../../http/load/call-limits.js';

/** The operations that charge a card or write a cycle: Process, rescheduling to a near time, and Skip. */
export type LimitedOperation = 'Process' | 'Skip';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Rescheduling to a time before this has the same effect as a Process. */
const SOON_MS = HOUR * 1000;

const PROCESS = 'Process, or moving the next occurrence to within the hour,';

/**
 * The limits of docs/api.md, Limits. A customer's calls do not count against a limit of its shop. Calls for one order
 * are counted exactly, because they wait for the same lock.
 */
export function operationLimits(
  { scope, userId, customerId }: Caller,
  orderId: number,
  operation: LimitedOperation,
): CallLimit[] {
  if (scope === 'Merchant') {
    const label = 'Process and Skip by Merchant tokens of this account';
    return [{ subject: `operations:account:${userId}`, most: 1_200, seconds: MINUTE, label }];
  }
  return [
    {
      subject: `${operation.toLowerCase()}:order:${orderId}`,
      most: operation === 'Process' ? 5 : 20,
      seconds: HOUR,
      label: `${operation === 'Process' ? PROCESS : operation} of this order by Customer tokens`,
    },
    {
      subject: `operations:customer:${customerId}`,
      most: 60,
      seconds: HOUR,
      label: 'Process and Skip of all orders of this customer by Customer tokens',
    },
  ];
}

/** Null for rescheduling without a limit: nothing is charged soon. */
export const moveTo = (instant: Date, now: Date): LimitedOperation | null =>
  instant.getTime() - now.getTime() < SOON_MS ? 'Process' : null;
