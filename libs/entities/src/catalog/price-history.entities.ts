import { Site } from '../accounts/site.entity.js';
import { Json, KeyPart, LongText } from '../table/columns.js';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from '../table/decorators.js';

/** A row that prices depend on, as it was. Triggers write it when the row changes. */
@Entity('price_history')
@Index('ix_price_history_place', ['siteId', 'kind', 'place'], { where: 'place IS NOT NULL' })
export class PriceHistory {
  @ForeignKey(() => Site)
  @KeyPart()
  siteId!: number;

  /** The table. */
  @PrimaryColumn({ type: 'varchar', length: 63 }) kind!: string;
  /** Its id there; of a site's settings the site's. */
  @KeyPart() recordId!: number;
  /** The first version of the site in which the row was another one. */
  @KeyPart() untilVersion!: number;
  /** Of a rate: its `place_key`. */
  @LongText() place!: string | null;
  /** The columns that prices depend on, without those that are null. Null: there was no row, of a site's settings. */
  @Json() record!: object | null;
}

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
