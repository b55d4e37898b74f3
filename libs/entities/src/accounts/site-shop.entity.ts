import { Flag, Int64, KeyPart, LongText, StampUtc, Text, Utc } from '../table/columns.js';
import { Check, Entity, ForeignKey } from '../table/decorators.js';
import { Site } from './site.entity.js';

/** `Refused`: it refuses us altogether. Pushes go while it is `Ready`; else they wait for Verify. */
export const SHOP_STATES = ['Ready', 'Unverified', 'Refused', 'Unreachable'] as const;
export type ShopState = (typeof SHOP_STATES)[number];

export const TAX_DIFFERENCES = ['Accept', 'Refuse'] as const;
export const REFUNDS_IN = ['Service', 'Shop'] as const;

/**
 * What receives a site's Orders. Its address and keys are the site's (`url`, `api_key1`, `api_key2`); its secrets are
 * encrypted (libs/platform/src/vault). A site without a row pushes nothing.
 */
@Entity('site_shops')
@Check('ck_site_shops_auth_mode', `auth_mode IN ('Header', 'Query', 'OAuth')`)
@Check('ck_site_shops_receiver', `receiver IN ('WooCommerceRest', 'Http')`)
@Check('ck_site_shops_refunds_in', `refunds_in IN ('Service', 'Shop')`)
@Check('ck_site_shops_state', `state IN ('Ready', 'Unverified', 'Refused', 'Unreachable')`)
@Check('ck_site_shops_tax_difference', `tax_difference IN ('Accept', 'Refuse')`)
export class SiteShop {
  @ForeignKey(() => Site)
  @KeyPart()
  siteId!: number;

  @StampUtc() updatedUtc!: Date;
  /** Orders that are recorded from now on are pushed. */
  @Flag() push!: boolean;
  @Flag() pushAnyway!: boolean;
  @Flag() stockSync!: boolean;
  @Utc() lastSyncUtc!: Date | null;
  /** When it became another shop, as far as we know: an Order that was pushed before is not missed there. */
  @Utc() movedUtc!: Date | null;
  /** Pushes in a row that the shop did not answer: from some on one probes it, and the others wait. */
  @Int64({ default: 0 }) failures!: number;
  /** Of the first of them. */
  @Utc() failingSinceUtc!: Date | null;
  /** Nothing is sent before: its breaker, or a Retry-After. */
  @Utc() notBeforeUtc!: Date | null;
  /** The end of `previousSecret`. */
  @Utc() previousUntilUtc!: Date | null;
  @Text(16, {}) receiver!: 'WooCommerceRest' | 'Http';
  /** Found by Verify. */
  @Text(8, { default: 'Header' }) authMode!: 'Header' | 'Query' | 'OAuth';
  @Text(8, { default: 'Accept' }) taxDifference!: (typeof TAX_DIFFERENCES)[number];
  @Text(8, { default: 'Service' }) refundsIn!: (typeof REFUNDS_IN)[number];
  @Text(16, { default: 'Unverified' }) state!: ShopState;
  /** Of the Http receiver; null: its usual one. */
  @Text(255) path!: string | null;
  /** Why it is not `Ready`, for people. */
  @Text(1000) stateBecause!: string | null;
  /** Requests to an Http receiver are signed with it. */
  @LongText({}) secret!: string;
  /** It signs as well, until `previousUntilUtc`. */
  @LongText() previousSecret!: string | null;
}
