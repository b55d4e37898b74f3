import { Flag, Id, Int64, Json, LongText, StampUtc, Text, Utc, Uuid } from '../table/columns.js';
import { Check, Entity, Index, PrimaryColumn } from '../table/decorators.js';
import { SiteRow } from '../table/site-row.js';

/** Where a site's events are sent to. Its secrets are encrypted (libs/platform/src/vault). */
@Entity('webhook_endpoints')
@Index('ix_webhook_endpoints_site', ['siteId', 'id'], { where: 'deleted_utc IS NULL' })
@Index('ix_webhook_endpoints_due', ['nextDueUtc'], { where: 'next_due_utc IS NOT NULL' })
@Check('ck_webhook_endpoints_payload', `payload IN ('Thin', 'Full')`)
@Check('ck_webhook_endpoints_status', `status IN ('Enabled', 'Disabled')`)
@Check('ck_webhook_endpoints_rate_per_second', 'rate_per_second BETWEEN 1 AND 100')
export class WebhookEndpoint extends SiteRow {
  @Text(2000, {}) url!: string;
  @Text(255) description!: string | null;
  /** Exact types, or prefixes with `.*`; empty: all. */
  @Json({ default: '[]' }) eventTypes!: string[];
  @Text(16, { default: 'Thin' }) payload!: 'Thin' | 'Full';
  @Flag() ordered!: boolean;
  @Int64({ default: 10 }) ratePerSecond!: number;
  @Text(16, { default: 'Enabled' }) status!: 'Enabled' | 'Disabled';
  @Text(255) disabledReason!: string | null;
  /** Of the first failure since the last success. */
  @Utc() failingSinceUtc!: Date | null;
  @LongText({}) secret!: string;
  /** It signs as well, until `previousUntilUtc`. */
  @LongText() previousSecret!: string | null;
  @Utc() previousUntilUtc!: Date | null;
  /** Failures in a row: from `BREAKER_FAILURES` on one delivery probes, and the others wait. */
  @Int64({ default: 0 }) failures!: number;
  /** How many of `failures` are from before a time in which no worker was running. */
  @Int64({ default: 0 }) failuresBefore!: number;
  /** Nothing is sent before: its rate, its breaker, or a Retry-After. */
  @Utc() notBeforeUtc!: Date | null;
  /** When a worker is to look at it again; null while nothing waits, or while it is disabled. */
  @Utc() nextDueUtc!: Date | null;
  /** When the row was last written, by the database's clock: a trigger sets it. */
  @Utc() writtenUtc!: Date | null;
}

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

/** How far the events have been handed to the endpoints (one row). */
@Entity('webhook_fan_out')
@Check('ck_webhook_fan_out_singleton', 'singleton')
export class WebhookFanOut {
  @PrimaryColumn({ type: 'boolean', default: true }) singleton!: boolean;
  /** The last event that has deliveries: `outbox.sequence`. */
  @Int64({ default: 0 }) sequence!: number;
}
