import type { ClaimedRow, DueRow } from '#libs/ledger';
import type { LeasedCycle } from '../cycle.js';

/**
 * A cycle that was claimed: one that was there before, or one that begins with this claim. `claimedAt` is by the
 * monotonic clock, in milliseconds. (Each is named: spreading a row takes Node.js 20 ten times as long.)
 */
export const leasedCycleOf = (row: DueRow & Partial<ClaimedRow>, claimedAt: number, leaseMs: number): LeasedCycle => ({
  scheduledOrderId: row.scheduledOrderId,
  cycle: row.cycle,
  siteId: row.siteId,
  state: row.state ?? 'Claimed',
  attempt: row.attempt ?? 0,
  orderId: row.orderId,
  paymentMethodType: row.paymentMethodType,
  dueUtc: row.dueUtc,
  replacedUtc: row.replacedUtc,
  paymentFailures: row.paymentFailures ?? 0,
  technicalFailures: row.technicalFailures ?? 0,
  lookUps: row.lookUps ?? 0,
  waitingSinceUtc: row.waitingSinceUtc ?? null,
  heldFor: row.heldFor ?? null,
  retriesExhausted: row.retriesExhausted ?? false,
  presentUtc: row.presentUtc ?? null,
  claim: row.claim ?? 1,
  keptClaim: row.keptClaim ?? null,
  claimedAt,
  leaseEndsAt: claimedAt + leaseMs,
  lastReadAt: claimedAt,
  isStopped: false,
  heldBy: null,
  frozenAttempt: null,
});
