import { Flag, Int64, Json, KeyPart, StampUtc, Text, Utc } from '../table/columns.js';
import { Check, Entity, ForeignKey, Index, PrimaryColumn } from '../table/decorators.js';
import { Site } from './site.entity.js';

/** How far the changes of a site's shop are read. One worker at a time reads a shop. */
@Entity('shop_reads')
@Index('ix_shop_reads_next', ['nextReadUtc'])
@Index('ix_shop_reads_at_once', ['siteId'], { where: 'look_at_once OR worker IS NOT NULL' })
export class ShopRead {
  @ForeignKey(() => Site)
  @KeyPart()
  siteId!: number;

  /** When all of its lists are read again, or are tried again after failures. */
  @Utc({ default: () => 'now()' }) nextReadUtc!: Date;
  /** Reads in a row that failed. */
  @Int64({ default: 0 }) failures!: number;
  /** Hooks have hinted at something, or products are to be imported. */
  @Flag() lookAtOnce!: boolean;
  @Utc() leaseUntilUtc!: Date | null;
  @Text(64) worker!: string | null;
  /** Where each list goes on, by the shop's clock. */
  @Json({ default: '{}' }) places!: object;
}

/** What a shop's hook has hinted at: it is read again, and the hint deleted. Several hints at one record are one. */
@Entity('shop_hints')
@Check('ck_shop_hints_kind', `kind IN ('Order', 'Product')`)
export class ShopHintRow {
  @ForeignKey(() => Site)
  @KeyPart()
  siteId!: number;

  @PrimaryColumn({ type: 'varchar', length: 16 }) kind!: 'Order' | 'Product';
  /** Its id in the shop. */
  @KeyPart() recordId!: number;
  @StampUtc() hintedUtc!: Date;
}

export const IMPORT_STATES = ['Running', 'Done'] as const;

/** The present or latest import of a shop's products into the catalogue of its site. A worker runs it. */
@Entity('product_imports')
@Check('ck_product_imports_state', `state IN ('Running', 'Done')`)
export class ProductImport {
  @ForeignKey(() => Site)
  @KeyPart()
  siteId!: number;

  @StampUtc() startedUtc!: Date;
  @Int64({ default: 0 }) read!: number;
  @Int64({ default: 0 }) created!: number;
  /** How many products the shop lists; null: not known yet, or the shop does not say. */
  @Int64({ nullable: true }) total!: number | null;
  @Utc() endedUtc!: Date | null;
  @Text(16, { default: 'Running' }) state!: (typeof IMPORT_STATES)[number];
  /** Why it waits; for people. */
  @Text(1000) message!: string | null;
  /** Where it goes on, by the shop's clock. */
  @Json({ default: '{}' }) place!: object;
}
