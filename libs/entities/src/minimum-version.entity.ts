import { Check, Column, Entity, PrimaryColumn } from './decorators.js';

/** The oldest schema version of processes that may use this database (one row). */
@Entity('minimum_version')
@Check('ck_minimum_version_singleton', 'singleton')
export class MinimumVersion {
  @PrimaryColumn({ type: 'boolean', default: true }) singleton!: boolean;
  /** The number of a migration. */
  @Column({ type: 'integer' }) schemaVersion!: number;
}
