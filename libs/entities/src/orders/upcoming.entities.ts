import { Int64, KeyPart, Utc } from '../table/columns.js';
import { Check, Entity, Index, PrimaryColumn } from '../table/decorators.js';

/** How far one worker has looked for occurrences that come soon (one row). */
@Entity('upcoming_look')
@Check('ck_upcoming_look_singleton', 'singleton')
export class UpcomingLook {
  @PrimaryColumn({ type: 'boolean', default: true }) singleton!: boolean;
  /** Rises with every look: only the latest may say how far it came. */
  @Int64({ default: 0 }) lease!: number;
  /** While a worker looks; null when none does. */
  @Utc() leasedUntilUtc!: Date | null;
  /** Up to then, time alone has brought nothing else within its notice. */
  @Utc() lookedUtc!: Date | null;
  /** The last event whose order was looked at: `outbox.sequence`. */
  @Int64({ default: 0 }) sequence!: number;
  /** The last look at everything that is within its notice. */
  @Utc() fullUtc!: Date | null;
  /** Rises when a site begins to listen, or changes its notice: the next look is at everything. */
  @Int64({ default: 0 }) fullRequests!: number;
  /** `fullRequests`, as the last look at everything found it. */
  @Int64({ default: 0 }) fullRequestsSeen!: number;
}

/** An occurrence that was announced. The order's own row is not touched: its version matters to the recorder. */
@Entity('upcoming_notices')
@Index('ix_upcoming_notices_occurrence', ['occurrenceUtc'])
export class UpcomingNotice {
  @KeyPart() scheduledOrderId!: number;
  @PrimaryColumn({ type: 'timestamp with time zone', precision: 3 }) occurrenceUtc!: Date;
}
