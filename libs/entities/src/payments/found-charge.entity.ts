import { Flag, Int64, KeyPart, StampUtc, Text, Utc } from '../table/columns.js';
import { Check, Entity, ForeignKey, Index, PrimaryColumn } from '../table/decorators.js';
import { PaymentIntegration } from './payment-integration.entity.js';

/**
 * A charge that the gateway has and the ledger lacked when the two were compared. Its order is not charged again before
 * the charge has its place in the ledger: recorded, or in manual review.
 */
@Entity('found_charges')
@Index('ix_found_charges_unplaced', ['scheduledOrderId', 'chargedUtc'], { where: `state = 'Unplaced'` })
@Check('ck_found_charges_state', `state IN ('Unplaced', 'Placed', 'Known', 'Orphan')`)
export class FoundCharge {
  @ForeignKey(() => PaymentIntegration)
  @KeyPart()
  paymentIntegrationId!: number;

  @PrimaryColumn({ type: 'varchar', length: 255 }) transactionId!: string;
  @Int64() siteId!: number;
  /** The id that the charge names. There may be no such order. */
  @Int64() scheduledOrderId!: number;
  @Int64() cycle!: number;
  @Int64() attempt!: number;
  @Utc() dueUtc!: Date | null;
  /** Minor units. */
  @Int64() amount!: number;
  @Text(3) currencyIso!: string | null;
  /** By the gateway's clock. */
  @Utc({}) chargedUtc!: Date;
  /** False: the gateway had not decided when it was found. */
  @Flag({}) isCharged!: boolean;
  /** The gateway's customer is not one that belongs to the order's customer: a person decides. */
  @Flag({}) isDoubtful!: boolean;
  /** `Known`: the ledger has it by now, or somebody has settled its difference. `Orphan`: there is no order for it. */
  @Text(16, { default: 'Unplaced' }) state!: 'Unplaced' | 'Placed' | 'Known' | 'Orphan';
  @StampUtc() createdUtc!: Date;
}
