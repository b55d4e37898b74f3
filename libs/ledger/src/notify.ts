import type { Transaction } from '#libs/platform';

/** Workers listen here; the payload is the time of the due order in milliseconds since 1970. */
export const DUE_CHANNEL = 'scheduled_orders_due';

/** Workers listen here: a test clock was asked to move, or an order is due by its site's clock. */
export const CLOCKS_CHANNEL = 'scheduled_orders_clocks';

/** Workers listen here: Verify has found a shop Ready. */
export const SHOPS_CHANNEL = 'scheduled_orders_shops';

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

/**
 * SQL: tells the workers that something of a site is due by its own clock, or by the real one. `simulated`: SQL,
 * whether the site is.
 */
export const notifySql = (simulated: string): string =>
  `CASE WHEN ${simulated} THEN pg_notify('${CLOCKS_CHANNEL}', '') ELSE pg_notify('${DUE_CHANNEL}', '0') END`;
