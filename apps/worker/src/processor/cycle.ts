import type { CycleState } from '#libs/entities';
import type { PaymentMethodType } from '#libs/gateways';

/** A cycle in the hands of this worker: what its statements are keyed and fenced by. */
export interface LeasedCycle {
  readonly scheduledOrderId: number;
  readonly cycle: number;
  readonly siteId: number;
  /** Rises with every charge that is frozen; a row whose attempt differs is in other hands by now. */
  attempt: number;
  /** Which lane it is in: the order's, as far as this worker knows, or what was sent; null when the order has no payment method. */
  paymentMethodType: PaymentMethodType | null;
  /** As the ledger has it; `Charging` from the freeze on. */
  state: CycleState;
  /** The processor had given up on it once, and its order may be Pending for that. */
  readonly retriesExhausted: boolean;
  /** The fence: raised by every claim and takeover. */
  claim: number;
  /** Its lease had run out under this claim of the same worker, and nobody has had it since; else null. */
  readonly keptClaim: number | null;
  readonly orderId: number;
  readonly dueUtc: Date;
  readonly replacedUtc: Date | null;
  readonly paymentFailures: number;
  readonly technicalFailures: number;
  /** Since when it waits for its integration; null when it does not. */
  readonly waitingSinceUtc: Date | null;
  /** By this machine's monotonic clock, in milliseconds. */
  readonly claimedAt: number;
  /** By the same clock: until when the lease holds for sure. */
  leaseEndsAt: number;
  /** By the same clock: when its row was read last, and showed no stop. */
  lastReadAt: number;
  /** Its order was paused or deleted after it was frozen: nothing of it is sent any more. */
  isStopped: boolean;
}

export const keyOf = ({ scheduledOrderId, cycle }: Pick<LeasedCycle, 'scheduledOrderId' | 'cycle'>): string =>
  `${scheduledOrderId}/${cycle}`;
