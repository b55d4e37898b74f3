import { Int64, Json, KeyPart, StampUtc, Text, Utc } from '../table/columns.js';
import { Entity, ForeignKey, Index } from '../table/decorators.js';
import { PaymentIntegration } from './payment-integration.entity.js';

/**
 * How far an integration's charges are compared with the ledger in ordinary operation (docs/processing.md, The audit).
 * One worker at a time compares.
 */
@Entity('integration_audits')
@Index('ix_integration_audits_next_audit', ['nextAuditUtc'])
export class IntegrationAudit {
  @ForeignKey(() => PaymentIntegration)
  @KeyPart()
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

/**
 * The generation of the database (`deployment.generation`) at which an integration's charges were last compared with
 * the ledger. While it is older than the latest required reconciliation, nothing is charged through it (decisions.md
 * §9, a database that went back in time).
 */
@Entity('integration_reconciliations')
export class IntegrationReconciliation {
  @ForeignKey(() => PaymentIntegration)
  @KeyPart()
  paymentIntegrationId!: number;

  @Int64() generation!: number;
  @StampUtc() doneUtc!: Date;

  /** The generation of a reconciliation whose list has not been read to the end, and where its next page begins. */
  @Int64({ nullable: true }) listGeneration!: number | null;
  @Text(255) listCursor!: string | null;
}

/**
 * From the cut-off on, the database may lack charges. So every integration must be reconciled (decisions.md §9, a
 * database that went back in time).
 */
@Entity('required_reconciliations')
export class RequiredReconciliation {
  /** The generation of the database that begins with it. */
  @KeyPart()
  generation!: number;

  @Text(16, {}) cause!: 'timeline' | 'memory' | 'gap' | 'adopted';
  @StampUtc() beganUtc!: Date;
  /** No commit before this instant is lost. The gateways' charges since then are compared with the ledger. */
  @Utc({}) cutOffUtc!: Date;
}
