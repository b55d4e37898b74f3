import type { ClaimedRow, DueRow } from '#libs/ledger';
import type { LeasedCycle } from '../cycle.js';

/**
 * A cycle that was claimed: one that was there before, or one that begins with this claim. `claimedAt` is by the
 * monotonic clock, in milliseconds.
 */
export const leasedCycleOf = (row: DueRow | ClaimedRow, claimedAt: number, leaseMs: number): LeasedCycle => ({
  state: 'Claimed',
  attempt: 0,
  paymentFailures: 0,
  technicalFailures: 0,
  lookUps: 0,
  waitingSinceUtc: null,
  heldFor: null,
  retriesExhausted: false,
  presentUtc: null,
  claim: 1,
  keptClaim: null,
  claimedAt,
  leaseEndsAt: claimedAt + leaseMs,
  lastReadAt: claimedAt,
  isStopped: false,
  heldBy: null,
  ...row,
});
