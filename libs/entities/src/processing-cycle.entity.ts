import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { Flag, Int64, Json, KeyPart, LongText, StampUtc, Text, Utc } from './columns.js';
import { ScheduledOrder } from './scheduled-order.entity.js';

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
 * The ledger: one row per scheduled order and cycle, whatever becomes of it. A second charge of a cycle is a violation
 * of this table's key, not of a habit. What an attempt sends is frozen here before it is sent (decisions.md §9). Its foreign key is not checked
 * (migration 18).
 */
@Entity('processing_cycles')
@Index('uq_processing_cycles_open', ['scheduledOrderId'], { unique: true, where: 'open' })
@Index('ix_processing_cycles_next_attempt', ['nextAttemptUtc', 'scheduledOrderId'], {
  where: 'open AND next_attempt_utc IS NOT NULL',
})
@Index('ix_processing_cycles_waiting', ['siteId', 'paymentMethodType', 'scheduledOrderId'], {
  where: 'open AND waiting_since_utc IS NOT NULL',
})
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
   * Whether the cycle is still under way (a check holds it to `state`). Its own column, so that a step from state to
   * state touches no index. At most one open cycle an order.
   */
  @Flag({}) open!: boolean;

  @Utc({}) dueUtc!: Date;
  /** The regular occurrence that `dueUtc` stands for, when it was moved or called for at once; else null. */
  @Utc() replacedUtc!: Date | null;
  /** Regular occurrences that this cycle stands for besides its own (coalesced). */
  @Int64({ default: 0 }) passedOver!: number;
  /** The current attempt, from 1; it rises only after a definite answer, and fences off a worker that comes back late. */
  @Int64({ default: 0 }) attempt!: number;
  @Int64({ default: 0 }) paymentFailures!: number;
  @Int64({ default: 0 }) technicalFailures!: number;
  /** The processor ended it and made the order Pending: Process takes it up again (decisions.md §9). */
  @Flag() givenUp!: boolean;
  /** While in progress, a request set the order's next occurrence: it stays as it is. */
  @Flag() moved!: boolean;
  /** Since when it waits for its payment integration. */
  @Utc() waitingSinceUtc!: Date | null;

  /** Raised by every claim and takeover, and checked by every write: the fence. A late write of an earlier claim matches nothing. */
  @Int64({ default: 0 }) claim!: number;
  /** A request paused or deleted the order since: nothing of this cycle is sent any more, also when the order is active again. */
  @Utc() stoppedUtc!: Date | null;
  /** How often its outcome was looked up. */
  @Int64({ default: 0 }) lookUps!: number;
  /** The processor made the order Pending while the outcome was unknown: when it proves paid, the order is Active again. */
  @Flag() madePending!: boolean;
  /** The gateway has called the charge a duplicate: it has it, whatever a look-up finds. */
  @Flag() knownToGateway!: boolean;

  @Text(64) worker!: string | null;
  @Utc() leaseUntilUtc!: Date | null;
  /** Of a cycle that waits for its next try or check; null while a worker has it, so that its steps touch no index. */
  @Utc() nextAttemptUtc!: Date | null;

  /** Of the current attempt, as it was sent. */
  @Int64({ nullable: true }) amount!: number | null;
  @Text(3) currencyIso!: string | null;
  @Text(16) paymentMethodType!: string | null;
  @Text(255) gatewayCustomerId!: string | null;
  @Text(255) gatewayPaymentId!: string | null;
  @Int64({ nullable: true }) paymentIntegrationId!: number | null;
  @Text(64) credentialsFingerprint!: string | null;
  @Text(255) idempotencyKey!: string | null;
  @Utc() startedUtc!: Date | null;
  /** The order as it was priced for this attempt: what the Order will say, whatever changes meanwhile. */
  @Json() frozen!: object | null;
  /** Attempts before the current one, each with what was sent and what came of it. */
  @Json({ nullable: true }) pastAttempts!: object[] | null;

  /**
   * What a person has found at the gateway (`cycles:resolve`), or what was found in its books after commits were lost (`Held`: a person has to
   * tell): a worker acts on it with the next check.
   */
  @Text(16) resolution!: 'Charged' | 'NotCharged' | 'Found' | 'Held' | null;
  @Text(255) gatewayTransactionId!: string | null;
  @Column({ type: 'integer', nullable: true }) failureCode!: number | null;
  @LongText() failureMessage!: string | null;
  @Int64({ nullable: true }) orderId!: number | null;

  @StampUtc() createdUtc!: Date;
  @StampUtc() updatedUtc!: Date;
}
