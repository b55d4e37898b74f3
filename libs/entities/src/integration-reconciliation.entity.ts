import { Int64, StampUtc, Text } from './columns.js';
import { Entity, ForeignKey, PrimaryColumn } from './decorators.js';
import { PaymentIntegration } from './payment-integration.entity.js';

/**
 * The generation of the database (`deployment.generation`) at which an integration's charges were last compared with
 * the ledger. While it is older than the latest required reconciliation, nothing is charged through it (decisions.md
 * §9, a database that went back in time).
 */
@Entity('integration_reconciliations')
export class IntegrationReconciliation {
  @ForeignKey(() => PaymentIntegration)
  @PrimaryColumn({ type: 'bigint', transformer: { to: (id: number) => id, from: Number } })
  paymentIntegrationId!: number;

  @Int64() generation!: number;
  @StampUtc() doneUtc!: Date;

  /** The generation of a reconciliation whose list has not been read to the end, and where its next page begins. */
  @Int64({ nullable: true }) listGeneration!: number | null;
  @Text(255) listCursor!: string | null;
}
