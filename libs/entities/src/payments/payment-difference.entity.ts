import { Site } from '../accounts/site.entity.js';
import { Flag, Id, Int64, Json, StampUtc, Text, Utc } from '../table/columns.js';
import { Check, Entity, ForeignKey, Index } from '../table/decorators.js';

export const DIFFERENCE_STATES = ['Open', 'Settled'] as const;
export type DifferenceState = (typeof DIFFERENCE_STATES)[number];

/** `Accepted`: it stays as it is. `Resolved`: somebody has put it right, for example by a refund. */
export const SETTLED_AS = ['Accepted', 'Resolved'] as const;
export type SettledAs = (typeof SETTLED_AS)[number];

/**
 * Something that a gateway's books and the ledger say differently (docs/processing.md, The audit). The order that it
 * names may not exist, so only the site is a foreign key. A fact has one row, also when it is settled: seeing it again
 * changes nothing.
 */
@Entity('payment_differences')
@Index('uq_payment_differences_fact', ['siteId', 'kind', 'fact'], { unique: true })
@Index('ix_payment_differences_state', ['siteId', 'state', 'id'])
@Index('ix_payment_differences_holding', ['siteId', 'scheduledOrderId'], { where: 'holds' })
@Index('ix_payment_differences_order', ['scheduledOrderId'], { where: 'scheduled_order_id IS NOT NULL' })
@Check('ck_payment_differences_state', `state = CASE WHEN settled_as IS NULL THEN 'Open' ELSE 'Settled' END`)
@Check('ck_payment_differences_settled_as', `settled_as IN ('Accepted', 'Resolved')`)
@Check('ck_payment_differences_holds', `NOT holds OR state = 'Open'`)
export class PaymentDifference {
  @Id() id!: number;
  @StampUtc() createdUtc!: Date;
  @ForeignKey(() => Site)
  @Int64()
  siteId!: number;

  @Text(32, {}) kind!: string;
  /** Names it among those of its kind: transaction, order, cycle. */
  @Text(600, {}) fact!: string;
  @Int64({ nullable: true }) paymentIntegrationId!: number | null;
  @Text(16) paymentMethodType!: 'GatewayOne' | 'GatewayTwo' | null;
  @Text(255) gatewayTransactionId!: string | null;
  @Int64({ nullable: true }) scheduledOrderId!: number | null;
  @Int64({ nullable: true }) cycle!: number | null;
  @Int64({ nullable: true }) orderId!: number | null;
  /** What the ledger says; null: nothing. */
  @Json() ours!: object | null;
  /** What the gateway says; null: nothing. */
  @Json() theirs!: object | null;
  /** Its order is not charged while it is open. */
  @Flag({}) holds!: boolean;
  @Text(16, { default: 'Open' }) state!: DifferenceState;
  @Text(16) settledAs!: SettledAs | null;
  @Text(255) settledBy!: string | null;
  @Utc() settledUtc!: Date | null;
  @Text(1000) note!: string | null;
}
