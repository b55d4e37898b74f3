import { Int64, KeyPart, LongText, Snapshot, StampUtc, Text, Utc } from '../table/columns.js';
import { Entity, Index, PrimaryColumn } from '../table/decorators.js';

/**
 * An entry of an append-only log. The tables are partitioned by month of `createdUtc` and have no foreign keys: nothing
 * is looked up through them, and every key would be checked for every cycle.
 */
abstract class LogEntry {
  /** UUIDv7: the order of ids is the order of time. */
  @PrimaryColumn({ type: 'uuid', default: () => 'uuid_v7()' }) id!: string;
  @PrimaryColumn({ type: 'timestamp with time zone', precision: 3, default: () => 'now()' }) createdUtc!: Date;
  @StampUtc() updatedUtc!: Date;
  @Int64() siteId!: number;
  abstract scheduledOrderId: number;
  @LongText() description!: string | null;
  /** When it happened by the clock of a simulated site; null for real ones. */
  @Utc() occurredUtc!: Date | null;
}

/** A change by request, with the state that it replaced and the state that it made. */
@Entity('action_logs')
@Index('ix_action_logs_order', ['scheduledOrderId', 'id'])
export class ActionLog extends LogEntry {
  @Int64() scheduledOrderId!: number;
  @Text(64, {}) actionType!: string;
  @Snapshot() accessToken!: object | null;
  @Snapshot() previousScheduledOrder!: object | null;
  @Snapshot() newScheduledOrder!: object | null;
}

/** What the processor did with a cycle. Customers may read it. */
@Entity('event_logs')
export class EventLog extends LogEntry {
  /** First in the primary key: every cycle writes an event, and an index fewer. */
  @KeyPart() scheduledOrderId!: number;

  @Text(64, {}) eventType!: string;
  @Snapshot() scheduledOrder!: object | null;
}

/** Why a try failed, with internal details. For merchants only. */
@Entity('error_logs')
@Index('ix_error_logs_order', ['scheduledOrderId', 'id'])
export class ErrorLog extends LogEntry {
  @Int64() scheduledOrderId!: number;
  @Snapshot({}) exceptionInfo!: object;
  @Snapshot() site!: object | null;
  @Snapshot() entity!: object | null;
}
