import { StampUtc, Text, Utc } from './columns.js';
import { Entity, PrimaryColumn } from './decorators.js';

/**
 * From the cut-off on, the database may lack charges. So every integration must be reconciled (decisions.md §9, a
 * database that went back in time).
 */
@Entity('required_reconciliations')
export class RequiredReconciliation {
  /** The generation of the database that begins with it. */
  @PrimaryColumn({ type: 'bigint', transformer: { to: (id: number) => id, from: Number } })
  generation!: number;

  @Text(16, {}) cause!: 'timeline' | 'memory' | 'gap' | 'adopted';
  @StampUtc() beganUtc!: Date;
  /** No commit before this instant is lost. The gateways' charges since then are compared with the ledger. */
  @Utc({}) cutOffUtc!: Date;
}
