import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Which processes may work on this database (one row): those that are written for this schema version or a newer one. */
@Entity('minimum_version')
@Check('ck_minimum_version_singleton', 'singleton')
export class MinimumVersion {
  @PrimaryColumn({ type: 'boolean', default: true }) singleton!: boolean;
  /** The number of a migration. */
  @Column({ type: 'integer' }) schemaVersion!: number;
}
