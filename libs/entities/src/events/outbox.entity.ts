import { Id, Int64, Json, Text, Utc, Uuid } from '../table/columns.js';
import { Entity, Index } from '../table/decorators.js';

/**
 * An event for the outside, written by the statement that writes the log entry, for sites that listen only. `id` is
 * internal: rows commit in another order than their ids. Readers know only `sequence`, which is given after the commit
 * (libs/events/src/outbox). Nothing has a foreign key here.
 */
@Entity('outbox')
@Index('ix_outbox_unnumbered', ['id'], { where: 'sequence IS NULL' })
@Index('uq_outbox_sequence', ['sequence'], { unique: true, where: 'sequence IS NOT NULL' })
@Index('ix_outbox_site', ['siteId', 'sequence'], { where: 'sequence IS NOT NULL' })
export class OutboxEvent {
  @Id() id!: number;

  /** The public number; null until a worker has numbered the row. */
  @Int64({ nullable: true }) sequence!: number | null;

  /** UUIDv7. The same for every delivery of the event. */
  @Uuid({ default: () => 'uuid_v7()' }) eventId!: string;
  @Int64() siteId!: number;
  @Int64({ nullable: true }) scheduledOrderId!: number | null;
  @Text(64, {}) type!: string;
  /** The action or event log entry that was written with it; null without one. */
  @Uuid({ nullable: true }) logId!: string | null;
  @Utc({ default: () => 'clock_timestamp()' }) occurredUtc!: Date;
  /** When it happened by the clock of a simulated site; null: it is of a real one. */
  @Utc() simulatedUtc!: Date | null;
  /** What never changes of the event, in wire names; fields without a value are left out. */
  @Json({ default: '{}' }) facts!: object;
}
