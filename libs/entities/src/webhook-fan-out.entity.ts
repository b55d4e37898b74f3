import { Int64 } from './columns.js';
import { Check, Entity, PrimaryColumn } from './decorators.js';

/** How far the events have been handed to the endpoints (one row). */
@Entity('webhook_fan_out')
@Check('ck_webhook_fan_out_singleton', 'singleton')
export class WebhookFanOut {
  @PrimaryColumn({ type: 'boolean', default: true }) singleton!: boolean;
  /** The last event that has deliveries: `outbox.sequence`. */
  @Int64({ default: 0 }) sequence!: number;
}
