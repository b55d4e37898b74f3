import { Int64, KeyPart, StampUtc, Text, Utc } from '../table/columns.js';
import { Check, Entity, ForeignKey, Index } from '../table/decorators.js';
import { ScheduledOrder } from './scheduled-order.entities.js';

/**
 * A subscription that was moved in from another shop (docs/moving-in.md): where it came from, and how far its move has
 * come.
 */
@Entity('migrated_subscriptions')
@Index('uq_migrated_subscriptions_source', ['siteId', 'source', 'sourceId'], { unique: true })
@Index('ix_migrated_subscriptions_subscription', ['source', 'sourceId', 'gatewayCustomerId'])
@Index('ix_migrated_subscriptions_state', ['siteId', 'state', 'scheduledOrderId'])
@Check('ck_migrated_subscriptions_payment_method_type', `payment_method_type IN ('GatewayOne', 'GatewayTwo')`)
@Check('ck_migrated_subscriptions_state', `state IN ('Imported', 'Manual', 'Passed', 'Held', 'Live')`)
export class MigratedSubscription {
  @ForeignKey(() => ScheduledOrder)
  @KeyPart()
  scheduledOrderId!: number;

  @Int64() siteId!: number;
  /** The shop's software, e.g. `woocommerce`. */
  @Text(32, {}) source!: string;
  /**
   * The subscription's id in the shop. A second import finds it, and leaves it to a person if the file says something
   * else of it.
   */
  @Text(255, {}) sourceId!: string;
  /** As in the file, without WooCommerce's prefix: `active` or `on-hold`. */
  @Text(32, {}) sourceStatus!: string;
  /** Null: the shop collected the payments in another way. */
  @Text(16) paymentMethodType!: 'GatewayOne' | 'GatewayTwo' | null;
  @Text(255) gatewayCustomerId!: string | null;
  @Text(255) gatewayCardId!: string | null;
  /** When the shop was about to charge next, as in the file; null where the file has no date. */
  @Utc() nextPaymentUtc!: Date | null;
  /** What the shop charged after this instant is not in the file. */
  @Utc({}) exportedUtc!: Date;
  /**
   * `Imported`: waits for the check. `Manual`: the check and going live leave it to a person, because of `reason`.
   * `Passed`: may go live. `Held`: the check found `reason`. `Live`: went live, and is an order as any other.
   */
  @Text(16, { default: 'Imported' }) state!: 'Imported' | 'Manual' | 'Passed' | 'Held' | 'Live';
  @Text(2000) reason!: string | null;
  @StampUtc() importedUtc!: Date;
  @Utc() checkedUtc!: Date | null;
  @Utc() liveUtc!: Date | null;
  /** What the shop charged each time, as in the file, in minor units; null: not known, so not compared. */
  @Int64({ nullable: true }) sourceTotal!: number | null;
  /** By the gateway's clock: the newest payment since the export because of which the check held it. */
  @Utc() paidUtc!: Date | null;
  /** Payments up to this instant are accounted for: a person has said what they paid for. */
  @Utc() accountedUtc!: Date | null;
  /**
   * A person has said that this next date is not paid: if it has passed, it is charged when the subscription goes live.
   */
  @Utc() keptDateUtc!: Date | null;
}
