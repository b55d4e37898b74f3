import { Column, Entity, PrimaryColumn } from './decorators.js';

/** Rows that are written to see whether writes work. They are taken back, so there are none. */
@Entity('write_probes')
export class WriteProbeRow {
  @PrimaryColumn({ type: 'uuid', default: () => 'uuid_v7()' }) id!: string;
  @Column({ type: 'char', length: 500 }) filler!: string;
}
