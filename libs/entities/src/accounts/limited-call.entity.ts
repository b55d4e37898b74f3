import { Id, Text, Utc } from '../table/columns.js';
import { Entity, Index } from '../table/decorators.js';

/** A call that counts against a limit until it expires. Every API process sees it. */
@Entity('limited_calls')
@Index('ix_limited_calls_subject', ['subject', 'expiresUtc'])
@Index('ix_limited_calls_expires', ['expiresUtc'])
export class LimitedCall {
  @Id() id!: number;
  /** What is counted, and for whom: `process:order:<id>`. */
  @Text(80, {}) subject!: string;
  @Utc({}) expiresUtc!: Date;
}
