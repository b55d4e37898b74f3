import { KeyPart } from './columns.js';
import { Entity, Index, PrimaryColumn } from './decorators.js';

/** An occurrence that was announced. The order's own row is not touched: its version matters to the recorder. */
@Entity('upcoming_notices')
@Index('ix_upcoming_notices_occurrence', ['occurrenceUtc'])
export class UpcomingNotice {
  @KeyPart() scheduledOrderId!: number;
  @PrimaryColumn({ type: 'timestamp with time zone', precision: 3 }) occurrenceUtc!: Date;
}
