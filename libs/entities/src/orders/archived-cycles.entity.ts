import { Int64, Json, KeyPart, StampUtc, Utc } from '../table/columns.js';
import { Entity, ForeignKey, Index } from '../table/decorators.js';
import { ScheduledOrder } from './scheduled-order.entities.js';

/** Old cycles of one order that `cycles:archive` has moved here from the ledger: less than half of their size there. */
@Entity('archived_cycles')
@Index('ix_archived_cycles_ended', ['siteId', 'lastEndedUtc', 'firstEndedUtc'], { where: 'last_ended_utc IS NOT NULL' })
export class ArchivedCycles {
  @ForeignKey(() => ScheduledOrder)
  @KeyPart()
  scheduledOrderId!: number;

  /** The highest number among them. */
  @KeyPart() lastCycle!: number;

  @Int64() siteId!: number;

  /**
   * The rows of `processing_cycles` by the names of their columns, without those that are null; the lowest number
   * first.
   */
  @Json({}) cycles!: object[];

  @StampUtc() createdUtc!: Date;

  /** When the first and the last of those that failed or were skipped had ended; null when there are none. */
  @Utc() firstEndedUtc!: Date | null;
  @Utc() lastEndedUtc!: Date | null;
}
