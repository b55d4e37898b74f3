import { Flag, Int64, Json, LongText, Text, Utc } from './columns.js';
import { Check, Entity, Index } from './decorators.js';
import { SiteRow } from './site-row.js';

/** Where a site's events are sent to. Its secrets are encrypted (libs/platform/src/vault). */
@Entity('webhook_endpoints')
@Index('ix_webhook_endpoints_site', ['siteId', 'id'], { where: 'deleted_utc IS NULL' })
@Index('ix_webhook_endpoints_due', ['nextDueUtc'], { where: 'next_due_utc IS NOT NULL' })
@Check('ck_webhook_endpoints_payload', `payload IN ('Thin', 'Full')`)
@Check('ck_webhook_endpoints_status', `status IN ('Enabled', 'Disabled')`)
@Check('ck_webhook_endpoints_rate_per_second', 'rate_per_second BETWEEN 1 AND 100')
export class WebhookEndpoint extends SiteRow {
  @Text(2000, {}) url!: string;
  @Text(255) description!: string | null;
  /** Exact types, or prefixes with `.*`; empty: all. */
  @Json({ default: '[]' }) eventTypes!: string[];
  @Text(16, { default: 'Thin' }) payload!: 'Thin' | 'Full';
  @Flag() ordered!: boolean;
  @Int64({ default: 10 }) ratePerSecond!: number;
  @Text(16, { default: 'Enabled' }) status!: 'Enabled' | 'Disabled';
  @Text(255) disabledReason!: string | null;
  /** Of the first failure since the last success. */
  @Utc() failingSinceUtc!: Date | null;
  @LongText({}) secret!: string;
  /** It signs as well, until `previousUntilUtc`. */
  @LongText() previousSecret!: string | null;
  @Utc() previousUntilUtc!: Date | null;
  /** Failures in a row: from `BREAKER_FAILURES` on one delivery probes, and the others wait. */
  @Int64({ default: 0 }) failures!: number;
  /** How many of `failures` are from before a time in which no worker was running. */
  @Int64({ default: 0 }) failuresBefore!: number;
  /** Nothing is sent before: its rate, its breaker, or a Retry-After. */
  @Utc() notBeforeUtc!: Date | null;
  /** When a worker is to look at it again; null while nothing waits, or while it is disabled. */
  @Utc() nextDueUtc!: Date | null;
  /** When the row was last written, by the database's clock: a trigger sets it. */
  @Utc() writtenUtc!: Date | null;
}
