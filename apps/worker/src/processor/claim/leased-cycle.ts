import type { ClaimedRow, DueRow } from '#libs/ledger';
import type { LeasedCycle } from '../cycle.js';

/** A cycle that begins with this claim. `claimedAt` is by the monotonic clock, in milliseconds. */
export function newCycleOf(row: DueRow, claimedAt: number, leaseMs: number): LeasedCycle {
  return {
    scheduledOrderId: Number(row.scheduled_order_id),
    cycle: Number(row.cycle),
    siteId: Number(row.site_id),
    state: 'Claimed',
    attempt: 0,
    orderId: Number(row.order_id),
    paymentMethodType: row.payment_method_type,
    dueUtc: row.due_utc,
    replacedUtc: row.replaced_utc,
    paymentFailures: 0,
    technicalFailures: 0,
    lookUps: 0,
    waitingSinceUtc: null,
    heldFor: null,
    retriesExhausted: false,
    presentUtc: row.present_utc ?? null,
    claim: 1,
    keptClaim: null,
    claimedAt,
    leaseEndsAt: claimedAt + leaseMs,
    lastReadAt: claimedAt,
    isStopped: false,
    heldBy: null,
  };
}

/** A cycle that was there before. `claimedAt` as above. */
export function leasedCycleOf(row: ClaimedRow, claimedAt: number, leaseMs: number): LeasedCycle {
  return {
    ...newCycleOf(row, claimedAt, leaseMs),
    state: row.state,
    attempt: Number(row.attempt),
    paymentFailures: Number(row.payment_failures),
    technicalFailures: Number(row.technical_failures),
    lookUps: Number(row.look_ups),
    waitingSinceUtc: row.waiting_since_utc,
    heldFor: row.held_for,
    retriesExhausted: row.retries_exhausted,
    claim: Number(row.claim),
    keptClaim: row.kept_claim == null ? null : Number(row.kept_claim),
  };
}
