import { Json, Text, Utc } from './columns.js';
import { Entity, ForeignKey, Index, PrimaryColumn } from './decorators.js';
import { PaymentIntegration } from './payment-integration.entity.js';

/**
 * How far an integration's charges are compared with the ledger in ordinary operation (docs/processing.md, The audit).
 * One worker at a time compares.
 */
@Entity('integration_audits')
@Index('ix_integration_audits_next_audit', ['nextAuditUtc'])
export class IntegrationAudit {
  @ForeignKey(() => PaymentIntegration)
  @PrimaryColumn({ type: 'bigint', transformer: { to: (id: number) => id, from: Number } })
  paymentIntegrationId!: number;

  /** Something was sent then, or in the hour after. Who sends nothing for a day has no further audit. */
  @Utc() sentUtc!: Date | null;
  /** Everything charged before is compared, but for the open charges. */
  @Utc({}) checkedUntilUtc!: Date;
  /** `infinity`: none. */
  @Utc({}) nextAuditUtc!: Date;
  /** Charges that were listed while their cycles were in flight, or before the gateway had decided them. */
  @Json({ default: '[]' }) openCharges!: object[];
  /** The end of the latest comparison, or the beginning of all; null: it has no audits, because it sends nothing. */
  @Utc() auditedUtc!: Date | null;
  @Text(64) worker!: string | null;
  @Utc() leaseUntilUtc!: Date | null;
  /** When the row was last written, by the database's clock: a trigger sets it. */
  @Utc() writtenUtc!: Date | null;
}
