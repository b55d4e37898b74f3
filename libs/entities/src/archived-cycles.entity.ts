import { Entity, ForeignKey } from 'typeorm';
import { Int64, Json, KeyPart, StampUtc } from './columns.js';
import { ScheduledOrder } from './scheduled-order.entity.js';

/** Old cycles of one order that `cycles:archive` has moved here from the ledger: less than half of their size there. */
@Entity('archived_cycles')
export class ArchivedCycles {
  @ForeignKey(() => ScheduledOrder)
  @KeyPart()
  scheduledOrderId!: number;

  /** The highest number among them. */
  @KeyPart() lastCycle!: number;

  @Int64() siteId!: number;

  /** The rows of `processing_cycles` by the names of their columns, without those that are null; the lowest number first. */
  @Json({}) cycles!: object[];

  @StampUtc() createdUtc!: Date;
}
