import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Int64, Utc } from './columns.js';
import { Site } from './site.entity.js';

/**
 * Raised by triggers with every statement that writes rates of a site, whoever sends it: rates read under a version are the site's rates as
 * long as that version stands. Together with the instant it also tells a version from the one of the same number that a restored database gives.
 */
@Entity('rate_versions')
export class RateVersion {
  @ForeignKey(() => Site)
  @PrimaryColumn({ type: 'bigint', transformer: { to: (id: number) => id, from: Number } })
  siteId!: number;

  @Int64() version!: number;
  @Utc({}) changedUtc!: Date;
}
