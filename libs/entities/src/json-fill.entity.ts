import { Column, Entity, PrimaryColumn } from './decorators.js';

/** A table of which rows may have no ready-made JSON, because they were there before it (migration 26). `migrate` fills them in the order of their ids. */
@Entity('json_fills')
export class JsonFill {
  @PrimaryColumn({ type: 'varchar', length: 63 }) tableName!: string;
  /** Every row up to this id has its JSON. */
  @Column({ type: 'bigint', default: 0 }) filledUpto!: string;
}
