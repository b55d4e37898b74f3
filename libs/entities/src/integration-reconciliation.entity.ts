import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Int64, StampUtc } from './columns.js';
import { PaymentIntegration } from './payment-integration.entity.js';

/**
 * Up to which generation of the database (`deployment.generation`) an integration's charges were compared with the ledger. Before that,
 * nothing is charged through it (decisions.md §9, a database that went back in time).
 */
@Entity('integration_reconciliations')
export class IntegrationReconciliation {
  @ForeignKey(() => PaymentIntegration)
  @PrimaryColumn({ type: 'bigint', transformer: { to: (id: number) => id, from: Number } })
  paymentIntegrationId!: number;

  @Int64() generation!: number;
  @StampUtc() doneUtc!: Date;
}
