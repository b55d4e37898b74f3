import { Flag, Id, Int64, Json, LongText, StampUtc, Text, Utc, Uuid } from './columns.js';
import { Check, Entity, Index } from './decorators.js';

/** `Exhausted`: it is not tried any more. */
export const DELIVERY_STATES = ['Waiting', 'Delivered', 'Exhausted'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One try to send it. */
export interface WebhookAttempt {
  readonly StartedUtc: string;
  readonly Milliseconds: number;
  readonly Status: number | null;
  readonly Error: string | null;
  readonly Reply: string | null;
}

/**
 * An event that is to be sent to an endpoint, or was. No foreign keys: rows are many, and are deleted with their event.
 */
@Entity('webhook_deliveries')
@Index('uq_webhook_deliveries_event', ['webhookEndpointId', 'sequence'], { unique: true })
@Index('ix_webhook_deliveries_state', ['webhookEndpointId', 'state', 'id'])
@Index('ix_webhook_deliveries_due', ['webhookEndpointId', 'nextAttemptUtc', 'id'], {
  where: 'next_attempt_utc IS NOT NULL',
})
@Index('ix_webhook_deliveries_ordered', ['webhookEndpointId', 'scheduledOrderId', 'sequence'], {
  where: `ordered AND state = 'Waiting'`,
})
@Index('ix_webhook_deliveries_order', ['scheduledOrderId', 'createdUtc', 'id'], {
  where: 'scheduled_order_id IS NOT NULL',
})
@Check('ck_webhook_deliveries_state', `state IN ('Waiting', 'Delivered', 'Exhausted')`)
export class WebhookDelivery {
  @Id() id!: number;
  @StampUtc() createdUtc!: Date;
  @Int64() siteId!: number;
  @Int64() webhookEndpointId!: number;
  /** The event: `outbox.sequence`. */
  @Int64() sequence!: number;
  @Uuid({}) eventId!: string;
  @Text(64, {}) eventType!: string;
  @Int64({ nullable: true }) scheduledOrderId!: number | null;
  /** It is sent after the earlier ones of its scheduled order. */
  @Flag() ordered!: boolean;
  @Text(16, { default: 'Waiting' }) state!: DeliveryState;
  /** Tries of the schedule that are used up. */
  @Int64({ default: 0 }) tries!: number;
  /** Rises with every sending: only the latest may record its result. */
  @Int64({ default: 0 }) lease!: number;
  /**
   * Null when it is finished, or when an earlier event of its order must go first. While it is being sent: the end of
   * the lease.
   */
  @Utc() nextAttemptUtc!: Date | null;
  @Utc() finishedUtc!: Date | null;
  /** What is sent: written before the first sending, and the same for every one. */
  @LongText() body!: string | null;
  /** The latest ones, oldest first. */
  @Json({ default: '[]' }) attempts!: WebhookAttempt[];
}
