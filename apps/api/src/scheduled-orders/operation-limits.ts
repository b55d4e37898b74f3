import type { Caller } from '#libs/records';
import type { CallLimit } from '../http/call-limits.js';

/** What charges a card, or writes a cycle: a Process, or a move to a time that is near, and a Skip. */
export type LimitedOperation = 'Process' | 'Skip';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A move to a time before that is as good as a Process. */
const SOON_MS = HOUR * 1000;

const PROCESS = 'Process, or moving the next occurrence to within the hour,';

/**
 * The limits of docs/api.md, Limits. A customer's calls fill no limit of its shop's. Those of one order are counted exactly, because they wait
 * for each other's lock.
 */
export function operationLimits(
  { scope, userId, customerId }: Caller,
  orderId: number,
  operation: LimitedOperation,
): CallLimit[] {
  if (scope === 'Merchant') {
    const of = 'Process and Skip by Merchant tokens of this account';
    return [{ subject: `operations:account:${userId}`, most: 1_200, seconds: MINUTE, of }];
  }
  return [
    {
      subject: `${operation.toLowerCase()}:order:${orderId}`,
      most: operation === 'Process' ? 5 : 20,
      seconds: HOUR,
      of: `${operation === 'Process' ? PROCESS : operation} of this order by Customer tokens`,
    },
    {
      subject: `operations:customer:${customerId}`,
      most: 60,
      seconds: HOUR,
      of: 'Process and Skip of all orders of this customer by Customer tokens',
    },
  ];
}

/** Null for a move that has no limit of its own: nothing is charged soon. */
export const moveTo = (instant: Date, now: Date): LimitedOperation | null =>
  instant.getTime() - now.getTime() < SOON_MS ? 'Process' : null;
