import { Int64, Utc } from './columns.js';
import { Entity, ForeignKey, PrimaryColumn } from './decorators.js';
import { Site } from './site.entity.js';

/**
 * Triggers raise it with every statement that writes rates of a site. While the version is unchanged, rates that were
 * read under it are the site's rates. The instant distinguishes it from the same number in a restored database. They
 * count the rates that are not deleted as well.
 */
@Entity('rate_versions')
export class RateVersion {
  @ForeignKey(() => Site)
  @PrimaryColumn({ type: 'bigint', transformer: { to: (id: number) => id, from: Number } })
  siteId!: number;

  @Int64() version!: number;
  @Utc({}) changedUtc!: Date;
  @Int64({ default: 0 }) rates!: number;
}
