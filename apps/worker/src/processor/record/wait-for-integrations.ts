import { joinWaits } from '#libs/ledger';
import type { Transaction } from '#libs/platform';
import type { FailedAttempt } from './failed-attempt.js';

/** Runs in the transaction that records the failed attempts. */
export async function waitForIntegrations(tx: Transaction, failed: readonly FailedAttempt[]): Promise<void> {
  const waiting = failed.filter(({ nextProbeUtc }) => nextProbeUtc !== null);
  if (waiting.length === 0) return;
  const rows = waiting.map(({ cycle, nextProbeUtc }) => ({
    id: cycle.scheduledOrderId,
    cycle: cycle.cycle,
    type: cycle.paymentMethodType,
    next_probe_utc: nextProbeUtc,
  }));
  await joinWaits(tx, rows);
}
