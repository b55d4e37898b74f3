import { Entity, PrimaryColumn } from 'typeorm';
import { StampUtc, Text, Utc } from './columns.js';

/** An instant from which on the database could not be trusted to know every charge (decisions.md §9, a database that went back in time). */
@Entity('doubts')
export class RequiredReconciliation {
  /** The generation of the database that began with it. */
  @PrimaryColumn({ type: 'bigint', transformer: { to: (id: number) => id, from: Number } })
  generation!: number;

  @Text(16, {}) cause!: 'timeline' | 'memory' | 'gap' | 'adopted';
  @StampUtc() beganUtc!: Date;
  /** No commit before this is lost; the gateways' charges since then are compared with the ledger. */
  @Utc({}) cutOffUtc!: Date;
}
