import type { Transaction } from '#libs/platform';

/** Workers listen here; the payload is the time of the due order in milliseconds since 1970. */
export const DUE_CHANNEL = 'scheduled_orders_due';

/** Workers look ahead this far by themselves, at least this often. */
export const LOOK_AHEAD_MS = 60_000;

/**
 * Notifies the workers about an order that falls due soon, when the transaction commits. Workers find later orders
 * without it. Fewer notifications are better, because all notifications of a database share one queue. Of simulated
 * orders a trigger tells them.
 */
export async function notifyDue(
  tx: Transaction,
  { simulated }: { readonly simulated: boolean },
  nextOccurrenceUtc: Date | null,
  now: Date,
): Promise<void> {
  if (simulated) return;
  if (nextOccurrenceUtc === null || nextOccurrenceUtc.getTime() - now.getTime() > LOOK_AHEAD_MS) return;
  await tx.execute(`SELECT pg_notify($1, $2)`, [DUE_CHANNEL, String(nextOccurrenceUtc.getTime())]);
}
