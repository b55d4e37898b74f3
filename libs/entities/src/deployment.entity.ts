import { Check, Entity, PrimaryColumn } from 'typeorm';
import { Int64, Text, Utc } from './columns.js';

/**
 * Which database this is (one row): a copy started beside the original sees that it is a copy and refuses to charge
 * (docs/processing.md).
 */
@Entity('deployment')
@Check('ck_deployment_singleton', 'singleton')
export class Deployment {
  @PrimaryColumn({ type: 'boolean', default: true }) singleton!: boolean;
  @Text(255, {}) deploymentId!: string;
  @Text(64, {}) systemIdentifier!: string;
  @Text(255, {}) databaseIdentity!: string;
  /** Begins every idempotency key: tells apart installations that share a gateway account, and is the same in a copy. */
  @Text(16, {}) keyPrefix!: string;
  /** When it was adopted last (read by the version before; `doubts` has the rest). */
  @Utc() adoptedUtc!: Date | null;

  /** Raised whenever the database turns out to be another one, or to have gone back in time, and by every adoption. */
  @Int64({ default: 0 }) generation!: number;
  /** Of the database's log when it was seen last: a restore or a promotion begins a new one. */
  @Text(16) timeline!: string | null;
  /** A worker was at work then, by the database's clock. */
  @Utc() seenUtc!: Date | null;
}
