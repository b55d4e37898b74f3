import { Int64, Text, Utc } from './table/columns.js';
import { Check, Column, Entity, PrimaryColumn } from './table/decorators.js';

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
  /**
   * The beginning of every idempotency key. It distinguishes installations that share a gateway account, and is the
   * same in a copy.
   */
  @Text(16, {}) keyPrefix!: string;
  /** When it was adopted last. */
  @Utc() adoptedUtc!: Date | null;

  /** Rises with every required reconciliation: when the database went back in time, and with every adoption. */
  @Int64({ default: 0 }) generation!: number;
  /** The timeline of the database's log at the last check. A restore or a promotion begins a new one. */
  @Text(16) timeline!: string | null;
  /** The last sign of life of a worker, by the database's clock. */
  @Utc() seenUtc!: Date | null;
}

/** The oldest schema version of processes that may use this database (one row). */
@Entity('minimum_version')
@Check('ck_minimum_version_singleton', 'singleton')
export class MinimumVersion {
  @PrimaryColumn({ type: 'boolean', default: true }) singleton!: boolean;
  /** The number of a migration. */
  @Column({ type: 'integer' }) schemaVersion!: number;
}

/** Rows that are written to see whether writes work. They are taken back, so there are none. */
@Entity('write_probes')
export class WriteProbeRow {
  @PrimaryColumn({ type: 'uuid', default: () => 'uuid_v7()' }) id!: string;
  @Column({ type: 'char', length: 500 }) filler!: string;
}
