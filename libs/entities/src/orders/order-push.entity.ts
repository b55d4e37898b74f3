import { Amount, Flag, Int64, Json, KeyPart, StampUtc, Text, Utc } from '../table/columns.js';
import { Check, Entity, ForeignKey, Index } from '../table/decorators.js';
import { ScheduledOrder } from './scheduled-order.entities.js';

/**
 * `Sending`: something was sent to the shop, and its answer is not written yet. `Unknown`: whether the shop has it must
 * be looked up. `Differs`: the shop has it, but a person decides what becomes of it. An Order without a row is `Off`.
 */
export const PUSH_STATES = ['Waiting', 'Sending', 'Unknown', 'Pushed', 'Differs', 'Failed'] as const;
export const ENDS_IN_SHOP = ['Cancelled', 'Refunded', 'Trashed', 'Deleted'] as const;
export type PushState = (typeof PUSH_STATES)[number];

/**
 * The ledger of pushes: one row per Order that is to arrive in its site's shop (decisions.md §9). Recording the charge
 * writes it. Its foreign key is not checked.
 */
@Entity('order_pushes')
@Index('uq_order_pushes_name', ['siteId', 'pushName'], { unique: true })
@Index('uq_order_pushes_order', ['siteId', 'orderId'], { unique: true })
@Index('ix_order_pushes_state', ['siteId', 'state', 'orderId'])
@Index('ix_order_pushes_due', ['siteId', 'nextAttemptUtc'], { where: 'next_attempt_utc IS NOT NULL' })
@Index('ix_order_pushes_unpaid', ['siteId', 'nextAttemptUtc'], {
  where: `next_attempt_utc IS NOT NULL AND shop_order_id IS NOT NULL AND state IN ('Waiting', 'Sending', 'Unknown')`,
})
@Index('ix_order_pushes_leased', ['siteId'], { where: 'lease_until_utc IS NOT NULL' })
@Check('ck_order_pushes_ended', `ended_in_shop IN ('Cancelled', 'Refunded', 'Trashed', 'Deleted')`)
@Check('ck_order_pushes_state', `state IN ('Waiting', 'Sending', 'Unknown', 'Pushed', 'Differs', 'Failed')`)
@Check('ck_order_pushes_sent', `state NOT IN ('Sending', 'Unknown') OR sent_utc IS NOT NULL`)
export class OrderPush {
  @ForeignKey(() => ScheduledOrder)
  @KeyPart()
  scheduledOrderId!: number;

  @KeyPart() cycle!: number;

  @Int64() siteId!: number;
  @Int64() orderId!: number;
  /** Names the Order in the shop: by the occurrence that was charged, the same after a restore (`pushName`). */
  @Text(64, {}) pushName!: string;
  @Text(16, { default: 'Waiting' }) state!: PushState;
  /** Tries of the schedule (PUSH_RETRY_SCHEDULE) that are used up. */
  @Int64({ default: 0 }) attempts!: number;
  /** What came of the latest try; merchants read it. */
  @Text(1000) message!: string | null;

  /** Raised by every claim, and checked by every write: the fence. A late write of an earlier claim matches nothing. */
  @Int64({ default: 0 }) claim!: number;
  @Utc() leaseUntilUtc!: Date | null;
  /** The next try, look-up, or end of the lease; null: nothing is to be done any more, unless a person wants it. */
  @Utc() nextAttemptUtc!: Date | null;
  /** When the latest create or payment began: written before the shop is called. */
  @Utc() sentUtc!: Date | null;
  /** Look-ups since then that did not find what was sent. */
  @Int64({ default: 0 }) foundNothing!: number;
  /** Creates in a row, or payments, whose outcome was not known: each waits longer, and after some a person decides. */
  @Int64({ default: 0 }) sends!: number;
  /** The shop may have it already, for example from before this database was restored: it is looked up first. */
  @Flag() looksUpFirst!: boolean;
  /** A person has named the order in the shop, which lacks our name. */
  @Flag() isLinked!: boolean;

  /** Written as soon as the shop has said it. */
  @Text(255) shopOrderId!: string | null;
  @Text(255) shopOrderNumber!: string | null;
  @Amount() shopTotal!: string | null;
  /** How it was ended there after it had arrived, as it was last read; null: it was not. */
  @Text(16) endedInShop!: (typeof ENDS_IN_SHOP)[number] | null;
  /** In wire names; null: none. */
  @Json() linesThatDiffer!: object[] | null;
  /** Ids in the shop of what is deleted beside the one that stays, until that is told. */
  @Json({ default: '[]' }) removingTwins!: string[];

  @StampUtc() createdUtc!: Date;
  @StampUtc() updatedUtc!: Date;
}
