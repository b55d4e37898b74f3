import { KeyPart } from './columns.js';
import { Column, Entity, ForeignKey, PrimaryColumn } from './decorators.js';
import { Site } from './site.entity.js';

/**
 * Rates that a statement inserted: before that version of the site they were not there. One row for each statement,
 * because an import inserts thousands; their ids follow one another. Triggers write it.
 */
@Entity('price_insertions')
export class PriceInsertions {
  @ForeignKey(() => Site)
  @KeyPart()
  siteId!: number;

  /** The table. */
  @PrimaryColumn({ type: 'varchar', length: 63 }) kind!: string;
  @KeyPart() version!: number;
  @Column({ type: 'int8multirange' }) ids!: string;
}
