import { Flag, Int64, Json, KeyPart, Text, Utc } from '../table/columns.js';
import { Entity, Index, PrimaryColumn } from '../table/decorators.js';

/** An order whose card or customer the gateway does not know. */
export interface MissingCard {
  readonly order: number;
  readonly cycle: number;
  readonly customer: number;
  readonly fingerprint: string | null;
  readonly startedUtc: string;
}

/**
 * The wait of a site's orders for its integration of one type, which may be missing (decisions.md §9, code 1003). At
 * `nextProbeUtc` one of the orders is tried, in turn. A row also counts answers that may show that the credentials are
 * another account's.
 */
@Entity('integration_waits')
@Index('ix_integration_waits_next_probe', ['nextProbeUtc'], { where: 'next_probe_utc IS NOT NULL AND NOT simulated' })
export class IntegrationWait {
  @KeyPart()
  siteId!: number;

  @PrimaryColumn({ type: 'varchar', length: 16 })
  paymentMethodType!: 'GatewayOne' | 'GatewayTwo';

  /** Null: nothing waits. */
  @Utc() waitingSinceUtc!: Date | null;
  @Utc() nextProbeUtc!: Date | null;
  /** The order that was tried last. The order with the next higher id follows; after the highest it is the lowest. */
  @Int64({ default: 0 }) lastProbedOrder!: number;
  /** The credentials seem to be another account's: one more unknown card keeps the orders waiting. */
  @Flag() wrongAccount!: boolean;
  /** Orders in a row whose card or customer the gateway does not know, without any other answer. */
  @Json({ default: '[]' }) missing!: MissingCard[];
  /** Credentials that seemed to be another account's, but are right. */
  @Text(64) clearedFingerprint!: string | null;
  /** As its site: a trigger copies it. */
  @Flag() simulated!: boolean;
  /** When the row was last written, by the database's clock: a trigger sets it. */
  @Utc() writtenUtc!: Date | null;
}
