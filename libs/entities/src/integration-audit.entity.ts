import { Text, Utc } from './columns.js';
import { Entity, ForeignKey, Index, PrimaryColumn } from './decorators.js';
import { PaymentIntegration } from './payment-integration.entity.js';

/** How far an integration's charges are compared with the ledger in ordinary operation (docs/processing.md, The audit). One worker at a time compares. */
@Entity('integration_audits')
@Index('ix_integration_audits_next_audit', ['nextAuditUtc'])
export class IntegrationAudit {
  @ForeignKey(() => PaymentIntegration)
  @PrimaryColumn({ type: 'bigint', transformer: { to: (id: number) => id, from: Number } })
  paymentIntegrationId!: number;

  /** Everything charged before is compared. */
  @Utc({}) checkedUntilUtc!: Date;
  @Utc({}) nextAuditUtc!: Date;
  /** The end of the latest comparison; null: there was none, as of an integration that moves no money. */
  @Utc() auditedUtc!: Date | null;
  @Text(64) worker!: string | null;
  @Utc() leaseUntilUtc!: Date | null;
}
