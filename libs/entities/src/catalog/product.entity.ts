import { Price, ReadyMadeJson, Text, Utc } from '../table/columns.js';
import { Check, Entity, Index } from '../table/decorators.js';
import { SiteRow } from '../table/site-row.js';

@Entity('products')
@Index('ix_products_site', ['siteId', 'id'], { where: 'deleted_utc IS NULL' })
@Index('ix_products_sku', { synchronize: false }) // expressions
@Index('ix_products_title', { synchronize: false })
@Index('uq_products_external_id', ['siteId', 'externalId'], { unique: true, where: 'deleted_utc IS NULL' })
@Check('ck_products_price', 'price >= 0 AND sale_price >= 0')
export class Product extends SiteRow {
  @Text(255) externalId!: string | null;
  @Text(255) availability!: string | null;
  @Text(255) stockLevel!: string | null;
  @Text(255) type!: string | null;
  @Text(255) sku!: string | null;
  @Text(255) title!: string | null;
  @Text(2000) description!: string | null;
  @Price() price!: string | null;
  @Price() salePrice!: string | null;
  @Text(255) length!: string | null;
  @Text(255) width!: string | null;
  @Text(255) height!: string | null;
  @Text(255) weight!: string | null;
  @Text(255) shippingClass!: string | null;
  @Text(255) taxClass!: string | null;
  @Text(2000) imageUrl!: string | null;
  @Text(2000) imageThumbUrl!: string | null;
  /** Why the site's shop does not sell it, as it said when it was last asked; null: nothing is known of that. */
  @Text(500) unsellable!: string | null;
  /** When the shop was last asked for it by its id: what it does not sell is asked for in turn. */
  @Utc() askedUtc!: Date | null;
  @ReadyMadeJson() json?: unknown;
}
