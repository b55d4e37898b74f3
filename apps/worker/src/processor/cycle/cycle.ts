import type { CycleState } from '#libs/entities';
import type { GatewayCredentials, PaymentMethodType } from '#libs/gateways';
import type { ClaimedRow, DueRow, LeasedRow, OwnedRow } from '#libs/ledger';
import type { Quote } from '#libs/rules';
import type { LoadedOrder } from './loaded-order.js';

/** A payment integration, with decrypted credentials. */
export interface Integration {
  readonly id: number;
  readonly siteId: number;
  readonly credentials: GatewayCredentials;
  /**
   * Orders wait for it, or it did not know the latest cards: one charge goes first, and its success wakes the others.
   */
  readonly needsProbe: boolean;
  /** Its charges must be compared with the cycles before anything is charged through it. */
  readonly isUncompared: boolean;
}

/** A cycle that this worker has leased, with the values that fence its writes. */
export interface LeasedCycle {
  readonly scheduledOrderId: number;
  readonly cycle: number;
  readonly siteId: number;
  /** Counts the frozen charges. When the row has another attempt, another worker owns the cycle. */
  attempt: number;
  /**
   * Decides its queue: the type of the order's payment method as this worker knows it, or the type that was sent. Null
   * without a payment method.
   */
  paymentMethodType: PaymentMethodType | null;
  /** As stored; `Charging` from the freeze on. */
  state: CycleState;
  /** Its retries were exhausted once, and its order may be Pending because of that. */
  readonly retriesExhausted: boolean;
  /** The fence: raised by every claim and takeover. */
  claim: number;
  /**
   * The earlier claim of this same worker, when its lease had run out and no other worker had the cycle since; else
   * null.
   */
  readonly keptClaim: number | null;
  readonly orderId: number;
  readonly dueUtc: Date;
  readonly replacedUtc: Date | null;
  readonly paymentFailures: number;
  readonly technicalFailures: number;
  /** How often outcomes of its attempts were looked up before this claim. 0: every attempt was answered. */
  readonly lookUps: number;
  /** Since when it waits for its integration; null when it does not. */
  readonly waitingSinceUtc: Date | null;
  /** The failure code of what held it before; null when nothing did. */
  readonly heldFor: number | null;
  /** The clock of its simulated site, which stands still while it is leased; null for a real one. */
  readonly presentUtc: Date | null;
  /** By this machine's monotonic clock, in milliseconds. */
  readonly claimedAt: number;
  /** By the same clock: until when the lease certainly holds. */
  leaseEndsAt: number;
  /** By the same clock: when it was asked for the last time that its row was read without a stop. */
  lastReadAt: number;
  /** The order was paused or deleted after the freeze: nothing more is sent. */
  isStopped: boolean;
  /** The kinds of the open differences that hold its order, as they were last read. Nothing is sent. */
  heldBy: string | null;
  /** The attempt that was frozen as the cycle began, until it is sent; null: none was. */
  frozenAttempt: Attempt | null;
}

/** A priced attempt. It stays in memory, without its items, until it is recorded. */
export interface Attempt {
  readonly cycle: LeasedCycle;
  readonly order: LoadedOrder;
  readonly attempt: number;
  /** Minor units; 0 is charged nowhere. */
  readonly amount: number;
  readonly integration: Integration | null;
  readonly fingerprint: string | null;
  readonly idempotencyKey: string;
  readonly installation: string;
  readonly quote: Quote;
  /** Titles of the items that are not available and are left out of this cycle. */
  readonly leftOut: readonly string[];
  /**
   * It is overdue by more than the gateway's memory of requests: it is looked up before anything is sent. Not on a
   * simulated site.
   */
  readonly isOverdue: boolean;
}

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

export const isReal = ({ presentUtc }: LeasedCycle): boolean => presentUtc === null;

export const keyOf = ({ scheduledOrderId, cycle }: Pick<LeasedCycle, 'scheduledOrderId' | 'cycle'>): string =>
  `${scheduledOrderId}/${cycle}`;

/** The values that fence a write of `worker`. */
export const ownedRow = ({ scheduledOrderId, cycle, claim }: LeasedCycle, worker: string): OwnedRow => ({
  id: scheduledOrderId,
  cycle,
  worker,
  claim,
});

/** The same, with the attempt that the worker knows. */
export const leasedRow = (cycle: LeasedCycle, worker: string): LeasedRow => ({
  attempt: cycle.attempt,
  ...ownedRow(cycle, worker),
});
