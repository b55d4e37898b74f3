import { Flag, Int64, Json, KeyPart, LongText, StampUtc, Text, Utc } from '../table/columns.js';
import { Check, Column, Entity, ForeignKey, Index } from '../table/decorators.js';
import { ScheduledOrder } from './scheduled-order.entities.js';

export const CYCLE_STATES = [
  'Claimed',
  'Charging',
  'Unknown',
  'Retrying',
  'Waiting',
  'Completed',
  'Skipped',
  'Failed',
] as const;
export type CycleState = (typeof CYCLE_STATES)[number];

/**
 * The ledger: one row per scheduled order and cycle. The primary key prevents a second charge of a cycle. An attempt is
 * frozen here before it is sent (decisions.md §9). Its foreign key is not checked.
 */
@Entity('processing_cycles')
@Index('uq_processing_cycles_open', ['scheduledOrderId'], { unique: true, where: 'open' })
@Index('ix_processing_cycles_next_attempt', ['nextAttemptUtc', 'scheduledOrderId'], {
  where: 'open AND next_attempt_utc IS NOT NULL AND NOT simulated',
})
@Index('ix_processing_cycles_simulated', ['siteId', 'nextAttemptUtc'], { where: 'open AND simulated' })
@Index('ix_processing_cycles_waiting', ['siteId', 'paymentMethodType', 'scheduledOrderId'], {
  where: 'open AND waiting_since_utc IS NOT NULL',
})
@Index('ix_processing_cycles_failure', ['siteId', 'open', 'failureCode', 'scheduledOrderId', 'cycle'], {
  where: 'failure_code IS NOT NULL',
})
@Index('ix_processing_cycles_ended', { synchronize: false }) // an expression
@Check(
  'ck_processing_cycles_state',
  `state IN ('Claimed', 'Charging', 'Unknown', 'Retrying', 'Waiting', 'Completed', 'Skipped', 'Failed')`,
)
@Check('ck_processing_cycles_open', `open = (state IN ('Claimed', 'Charging', 'Unknown', 'Retrying', 'Waiting'))`)
@Check('ck_processing_cycles_completed', `state <> 'Completed' OR order_id IS NOT NULL`)
export class ProcessingCycle {
  @ForeignKey(() => ScheduledOrder)
  @KeyPart()
  scheduledOrderId!: number;

  @KeyPart() cycle!: number;

  @Int64() siteId!: number;
  @Text(16, {}) state!: CycleState;

  /**
   * Whether the cycle has not ended (a check keeps it consistent with `state`). It is a separate column, so that a
   * change of state changes no index. An order has at most one open cycle.
   */
  @Flag({}) open!: boolean;

  @Utc({}) dueUtc!: Date;
  /** The regular occurrence that `dueUtc` replaces, when it was rescheduled or processed at once; else null. */
  @Utc() replacedUtc!: Date | null;
  /** The number of missed regular occurrences that this cycle includes. */
  @Int64({ default: 0 }) missedOccurrences!: number;
  /** The current attempt, from 1. It rises only after a definite answer. */
  @Int64({ default: 0 }) attempt!: number;
  @Int64({ default: 0 }) paymentFailures!: number;
  @Int64({ default: 0 }) technicalFailures!: number;
  /** The processor ended it and made the order Pending: Process takes it up again (decisions.md §9). */
  @Flag() retriesExhausted!: boolean;
  /** A request set the order's next occurrence while the cycle was in progress: recording does not change it. */
  @Flag() rescheduledMeanwhile!: boolean;
  /** Since when it waits for its payment integration. */
  @Utc() waitingSinceUtc!: Date | null;
  /** The failure code of what holds it: it is no part of its integration's wait, and goes on when that is lifted. */
  @Column({ type: 'integer', nullable: true }) heldFor!: number | null;

  /**
   * Raised by every claim and takeover, and checked by every write: the fence. A late write of an earlier claim matches
   * nothing.
   */
  @Int64({ default: 0 }) claim!: number;
  /**
   * A request paused or deleted the order since: nothing more is sent for this cycle, even when the order is active
   * again.
   */
  @Utc() stoppedUtc!: Date | null;
  /** How often its outcome was looked up. */
  @Int64({ default: 0 }) lookUps!: number;
  /**
   * The processor made the order Pending while the outcome was unknown. When it was paid, the order becomes Active
   * again.
   */
  @Flag() madePending!: boolean;
  /** The gateway has called the charge a duplicate: so it has the charge, even when a look-up does not find it. */
  @Flag() knownToGateway!: boolean;
  /**
   * When the gateway first repeated a stored answer for the present attempt: what that may have charged was charged
   * before.
   */
  @Utc() replayedUtc!: Date | null;

  @Text(64) worker!: string | null;
  @Utc() leaseUntilUtc!: Date | null;
  /**
   * The time of the next try or check of a waiting cycle; null while a worker leases it, so that its changes of state
   * change no index.
   */
  @Utc() nextAttemptUtc!: Date | null;

  /** The values of the current attempt, as they were sent. */
  @Int64({ nullable: true }) amount!: number | null;
  @Text(3) currencyIso!: string | null;
  @Text(16) paymentMethodType!: string | null;
  @Text(255) gatewayCustomerId!: string | null;
  @Text(255) gatewayPaymentId!: string | null;
  @Int64({ nullable: true }) paymentIntegrationId!: number | null;
  @Text(64) credentialsFingerprint!: string | null;
  @Text(255) idempotencyKey!: string | null;
  @Utc() startedUtc!: Date | null;
  /** The order as it was priced for this attempt. The Order will show it, even when the scheduled order changes. */
  @Json() frozen!: object | null;
  /** The site's version (`rate_versions`) of the rates that the attempt was priced with; null: not known. */
  @Int64({ nullable: true }) ratesVersion!: number | null;
  /**
   * Prices were changed in the moment of pricing: classes and exemption may be those of another version than the rates.
   */
  @Flag() pricesMixed!: boolean;
  /** The order's `cycles` when the attempt was priced. */
  @Int64({ nullable: true }) orderCycles!: number | null;
  /** The totals that the shop had fixed then, by the contract's names with a space between; null: none. */
  @Text(32) fixedTotals!: string | null;
  /**
   * What a unit of each item of the Order cost, as the site's prices were meant, with commas between. Empty where it is
   * the item's `subtotal` / `quantity`; null: of all items, as it is where prices are net.
   */
  @LongText() unitPrices!: string | null;
  /** Earlier attempts, each with what was sent and its outcome. */
  @Json({ nullable: true }) pastAttempts!: object[] | null;

  /**
   * What a person has found at the gateway (`cycles:resolve`), or what the gateway's list showed after commits were
   * lost. A worker acts on it with the next check.
   */
  @Text(16) resolution!: 'Charged' | 'NotCharged' | 'Found' | 'NeedsReview' | null;
  @Text(255) gatewayTransactionId!: string | null;
  @Column({ type: 'integer', nullable: true }) failureCode!: number | null;
  @LongText() failureMessage!: string | null;
  @Int64({ nullable: true }) orderId!: number | null;

  @StampUtc() createdUtc!: Date;
  @StampUtc() updatedUtc!: Date;
  /** When it failed or was skipped; null for all others. */
  @Utc() endedUtc!: Date | null;

  /** As its site. */
  @Flag() simulated!: boolean;
  /** When it began, by the clock of a simulated site; null for real ones. */
  @Utc() begunUtc!: Date | null;
  /** When it was last recorded, by the same clock. */
  @Utc() occurredUtc!: Date | null;
}
